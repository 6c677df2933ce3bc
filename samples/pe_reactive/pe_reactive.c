// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Reactive: decide the next step in callbacks alone.
 *
 * main() starts the context and then only runs the engine, until the context is idle
 * again. The state callback submits the first tasks as soon as the context runs, the
 * callback of each task submits the next one, and the last one stops the context. So a
 * program can serve many contexts that its loop does not know.
 *
 * Usage: pe_reactive [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define PIECES 64
#define SIZE 4096
#define TASKS 4 /* at a time */

struct sample {
	struct area area;
	struct doca_dma *dma;
	unsigned int next; /* next piece to submit */
	unsigned int done;
	bool finished;
};

static void submit_next(struct sample *sample)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};

	if (sample->next == PIECES)
		return;
	task = area_new_task(&sample->area, sample->dma, sample->next++, data);
	check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
	      "submission");
}

static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct sample *sample = ctx_data.ptr;
	doca_error_t err;

	(void)task_data;
	/* Free it first: the context has no more tasks than may be in flight. */
	area_free_task(task);
	submit_next(sample);
	if (++sample->done < PIECES)
		return;
	/* Inside a callback a context never stops at once. */
	err = doca_ctx_stop(doca_dma_as_ctx(sample->dma));
	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "stop");
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a copy");
}

static void on_state(const union doca_data data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct sample *sample = data.ptr;
	int i;

	(void)ctx;
	(void)prev;
	if (next == DOCA_CTX_STATE_RUNNING)
		for (i = 0; i < TASKS; i++)
			submit_next(sample);
	else if (next == DOCA_CTX_STATE_IDLE)
		sample->finished = true;
}

int main(int argc, char **argv)
{
	struct sample sample = {};
	union doca_data data = { .ptr = &sample };
	struct doca_ctx *ctx;
	struct doca_dev *dev;
	unsigned int copied;
	struct doca_pe *pe;

	sample_start("pe_reactive", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&sample.area, PIECES, SIZE, &dev, 1);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &sample.dma), "the context");
	ctx = doca_dma_as_ctx(sample.dma);
	check(doca_dma_task_memcpy_set_conf(sample.dma, on_done, on_error,
					    TASKS),
	      "the kind of task");
	check(doca_ctx_set_user_data(ctx, data), "the context's user data");
	check(doca_ctx_set_state_changed_cb(ctx, on_state),
	      "the state callback");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");

	while (!sample.finished)
		doca_pe_progress(pe);

	check(doca_dma_destroy(sample.dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&sample.area);
	area_destroy(&sample.area);
	check(doca_dev_close(dev), "the device");

	printf("%u of %u pieces are copied, by %u tasks at a time\n", copied,
	       PIECES, TASKS);
	return copied == PIECES ? EXIT_SUCCESS : EXIT_FAILURE;
}
