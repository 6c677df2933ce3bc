/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Registration of large memory: pinning, and what is kept of it. */
#ifndef BENCH_PIN_H
#define BENCH_PIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "way.h"

/* All of it is there before it is registered. */
struct pin_area {
	uint8_t *addr;
	size_t length;
	size_t mapped; /* with what is before it, from its beginning */
};

/* What memory is made of: of 4 KiB, of 2 MiB as there are, or of a reserve of them. */
enum pages { PAGES_SMALL, PAGES_HUGE, PAGES_HUGETLB };

/* 1 if there are no such pages. */
int pin_area_open(struct pin_area *area, size_t length, enum pages pages);
void pin_area_close(struct pin_area *area);

struct pin_way {
	struct way way;
	const struct pin_area *memory;
	const char *device;
	int (*reg)(struct pin_way *pw);
	void (*dereg)(struct pin_way *pw);
	union {
		struct {
			struct doca_dev *dev;
			struct doca_mmap *mmap;
		} doca;
		struct {
			struct ibv_context *context;
			struct ibv_pd *pd;
			struct ibv_mr *mr;
		} verbs;
	};
};

/* What the ways' run is */
int pin_run(struct way *way, struct meter *meter);

void pin_doca_init(struct pin_way *pw, const struct pin_area *memory,
		   const char *device);

/* False if there is no RDMA device. */
bool pin_verbs_init(struct pin_way *pw, const struct pin_area *memory);

#endif /* BENCH_PIN_H */
