// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Polling: ask the engine again and again whether a task is done.
 *
 * Each doca_pe_progress() makes one callback at most, and says whether it did. Nothing
 * happens between these calls: callbacks run in this thread, in there. Polling has the
 * lowest latency and takes a whole CPU; pe_event shows the other way.
 *
 * All pe_ samples are built like this one, and differ in what they teach.
 *
 * Usage: pe_polling [-p PCI-ADDRESS]
 */
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define TASKS 16
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

static void submit_all(struct area *area, struct doca_dma *dma)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};
	unsigned int i;

	for (i = 0; i < TASKS; i++) {
		task = area_new_task(area, dma, i, data);
		check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
		      "submission");
	}
}

int main(int argc, char **argv)
{
	unsigned long calls = 0;
	unsigned int done = 0, copied;
	union doca_data data = { .ptr = &done };
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	struct area area;
	struct doca_pe *pe;

	sample_start("pe_polling", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&area, TASKS, SIZE, &dev, 1);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	ctx = doca_dma_as_ctx(dma);
	check(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, TASKS),
	      "the kind of task");
	check(doca_ctx_set_user_data(ctx, data), "the context's user data");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");

	submit_all(&area, dma);
	while (done < TASKS) {
		doca_pe_progress(pe);
		calls++;
	}

	/* Nothing is in flight, so the context is idle at once. The engine goes last. */
	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&area);
	area_destroy(&area);
	check(doca_dev_close(dev), "the device");

	printf("%u of %u pieces are copied, after %lu looks\n", copied, TASKS,
	       calls);
	return copied == TASKS ? EXIT_SUCCESS : EXIT_FAILURE;
}
