// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Asynchronous stop: stop a context while its tasks are in flight.
 *
 * doca_ctx_stop() then returns DOCA_ERROR_IN_PROGRESS, which is no failure. Tasks that
 * are done already succeed; the others come to the error callback with the status
 * DOCA_ERROR_SHUTDOWN. When all are back and freed, the state callback says that the
 * context is idle. All of this happens in doca_pe_progress(): a program that stops
 * calling it waits for ever.
 *
 * Usage: pe_async_stop [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define TASKS 16
#define SIZE (1 << 20)

struct sample {
	struct doca_ctx *ctx;
	unsigned int done;
	unsigned int flushed;
	bool idle;
};

static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct sample *sample = ctx_data.ptr;
	doca_error_t err;

	(void)task_data;
	area_free_task(task);
	if (++sample->done != TASKS / 2)
		return;
	err = doca_ctx_stop(sample->ctx);
	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "stop");
}

/* Count flushed tasks; anything else is an error. */
static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	struct sample *sample = ctx_data.ptr;
	doca_error_t err =
		doca_task_get_status(doca_dma_task_memcpy_as_task(task));

	(void)task_data;
	if (err != DOCA_ERROR_SHUTDOWN)
		check(err, "a copy");
	sample->flushed++;
	area_free_task(task);
}

static void on_state(const union doca_data data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct sample *sample = data.ptr;

	(void)ctx;
	(void)prev;
	if (next == DOCA_CTX_STATE_IDLE)
		sample->idle = true;
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
	struct sample sample = {};
	union doca_data data = { .ptr = &sample };
	struct doca_dma *dma;
	struct doca_dev *dev;
	unsigned int copied;
	struct area area;
	struct doca_pe *pe;

	sample_start("pe_async_stop", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&area, TASKS, SIZE, &dev, 1);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	sample.ctx = doca_dma_as_ctx(dma);
	check(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, TASKS),
	      "the kind of task");
	check(doca_ctx_set_user_data(sample.ctx, data), "user data");
	check(doca_ctx_set_state_changed_cb(sample.ctx, on_state),
	      "the state callback");
	check(doca_pe_connect_ctx(pe, sample.ctx), "the connection");
	check(doca_ctx_start(sample.ctx), "start of the context");

	submit_all(&area, dma);
	while (!sample.idle)
		doca_pe_progress(pe);

	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&area);
	area_destroy(&area);
	check(doca_dev_close(dev), "the device");

	/* A flushed copy may have been made, in part or in full. */
	printf("%u tasks were done, %u were flushed, %u pieces are copied\n",
	       sample.done, sample.flushed, copied);
	if (sample.done < TASKS / 2 || sample.done + sample.flushed != TASKS ||
	    copied < sample.done)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
