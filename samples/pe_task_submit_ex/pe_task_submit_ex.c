// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Submission in batches: many tasks begin at once.
 *
 * doca_task_submit() begins each task at once, which may wake another thread, or make a
 * system call. doca_task_submit_ex() without DOCA_TASK_SUBMIT_FLAG_FLUSH puts that off,
 * until a task comes with the flag or doca_ctx_flush_tasks() is called: once for all of
 * them. Here the first half begins in one way, the second in the other.
 *
 * Usage: pe_task_submit_ex [-p PCI-ADDRESS]
 */
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define BATCH 32
#define SIZE 4096

static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	unsigned int *done = ctx_data.ptr;

	(void)task_data;
	area_free_task(task);
	++*done;
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a copy");
}

static void submit(struct area *area, struct doca_dma *dma, unsigned int piece,
		   uint32_t flags)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};

	task = area_new_task(area, dma, piece, data);
	check(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), flags),
	      "submission");
}

int main(int argc, char **argv)
{
	unsigned int done = 0, copied, i;
	union doca_data data = { .ptr = &done };
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	struct area area;
	struct doca_pe *pe;
	size_t inflight;

	sample_start("pe_task_submit_ex", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&area, 2 * BATCH, SIZE, &dev, 1);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	ctx = doca_dma_as_ctx(dma);
	check(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, 2 * BATCH),
	      "the kind of task");
	check(doca_ctx_set_user_data(ctx, data), "the context's user data");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");

	for (i = 0; i < BATCH - 1; i++)
		submit(&area, dma, i, DOCA_TASK_SUBMIT_FLAG_NONE);
	submit(&area, dma, i++, DOCA_TASK_SUBMIT_FLAG_FLUSH);

	for (; i < 2 * BATCH; i++)
		submit(&area, dma, i, DOCA_TASK_SUBMIT_FLAG_NONE);
	doca_ctx_flush_tasks(ctx);

	/* A task that waits to begin is in flight already. */
	check(doca_ctx_get_num_inflight_tasks(ctx, &inflight), "count");
	while (done < 2 * BATCH)
		doca_pe_progress(pe);

	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&area);
	area_destroy(&area);
	check(doca_dev_close(dev), "the device");

	printf("%zu tasks were in flight, %u of %u pieces are copied\n",
	       inflight, copied, 2 * BATCH);
	if (inflight != 2 * BATCH || copied != 2 * BATCH)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
