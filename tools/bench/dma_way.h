/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Copies through the public API, as a program makes them. */
#ifndef BENCH_DMA_WAY_H
#define BENCH_DMA_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf_inventory.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "area.h"
#include "cpu.h"
#include "lender.h"
#include "way.h"

struct dma_task {
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src;
	struct doca_buf *dst;
};

/* How the program submits tasks. */
enum dma_style {
	DMA_SINGLY, /* the callback of a task submits the next one */
	DMA_BATCHES, /* all that are done are submitted again, with one flush */
	DMA_EVENTS, /* one at a time; the program sleeps until it is done */
};

struct dma_conf {
	const char *name;
	const struct area *area;
	const struct cpus *cpus;
	const char *device;
	uint32_t idle_us; /* for the worker */
	enum dma_style style;
	const struct lender *lender; /* has the sources; NULL: the area has */
};

struct dma_way {
	struct way way;
	struct dma_conf conf;

	/* while it is open */
	struct load load;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_mmap *lent; /* the lender's; NULL: none */
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct dma_task *tasks;
	struct dma_task **ready; /* tasks to submit with the next batch */
	uint32_t nr_ready;
	uint64_t done; /* tasks done in this run */
	uint32_t inflight;
	bool again; /* submit tasks again */
	doca_error_t error; /* the first error */
};

void dma_way_init(struct dma_way *dw, const struct dma_conf *conf);

#endif /* BENCH_DMA_WAY_H */
