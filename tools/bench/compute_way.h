/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Tasks that compute, of any library: each on memory of its own, submitted from its callback. */
#ifndef BENCH_COMPUTE_WAY_H
#define BENCH_COMPUTE_WAY_H

#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "cpu.h"
#include "way.h"

struct compute_way;

struct compute_task {
	struct compute_way *way;
	struct doca_buf *src;
	struct doca_buf *dst;
	struct doca_task *task;
};

/* A kind of task. Sizes are of the load: of data that is not compressed, for one. */
struct compute_kind {
	const char *operation;
	const char *name; /* the way's */
	size_t (*out_size)(size_t size);
	/* Fill a source; returns its bytes, which are at most out_size(). */
	size_t (*fill)(uint8_t *src, size_t size, uint32_t seed);
	/* Create a context, configured for some tasks that call compute_ended(). */
	doca_error_t (*create)(struct compute_way *way, unsigned int tasks);
	doca_error_t (*make)(struct compute_way *way,
			     struct compute_task *task);
	void (*destroy)(struct compute_way *way);
};

extern const struct compute_kind compute_sha256;
extern const struct compute_kind compute_sha512;
extern const struct compute_kind compute_deflate;
extern const struct compute_kind compute_inflate;
extern const struct compute_kind compute_lz4;
extern const struct compute_kind compute_ec;
extern const struct compute_kind compute_gcm;

struct compute_way {
	struct way way;
	const struct compute_kind *kind;
	const struct cpus *cpus;
	const char *device;
	struct load load;
	struct doca_dev *dev;
	uint8_t *memory;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	void *object; /* the library's context */
	void *second; /* its key, or matrix */
	struct compute_task *tasks;
	unsigned int inflight;
	uint64_t done;
	bool again; /* the callback submits the task again */
	doca_error_t error;
};

void compute_way_init(struct compute_way *cw, const struct compute_kind *kind,
		      const struct cpus *cpus, const char *device);

/* For callbacks, on success and on failure. */
void compute_ended(struct compute_task *task);

#endif /* BENCH_COMPUTE_WAY_H */
