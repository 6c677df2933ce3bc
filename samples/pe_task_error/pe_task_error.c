// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Recovery: a task fails, and the work is finished nevertheless.
 *
 * doca_task_submit() does not check the arguments of a task. A bad one comes to the
 * error callback with the reason as its status; its context stops by itself and flushes
 * the tasks behind it, which come with DOCA_ERROR_SHUTDOWN. When all of them are freed
 * the context is idle, and is started again like a new one.
 *
 * Usage: pe_task_error [-p PCI-ADDRESS]
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
#define BAD 5 /* piece whose task fails the first time */

struct sample {
	struct area area;
	struct doca_dma *dma;
	bool done[PIECES];
	unsigned int bad, flushed;
	bool idle;
};

/* The task's user data is the number of its piece. */
static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct sample *sample = ctx_data.ptr;

	sample->done[task_data.u64] = true;
	area_free_task(task);
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	struct sample *sample = ctx_data.ptr;
	doca_error_t err =
		doca_task_get_status(doca_dma_task_memcpy_as_task(task));

	area_free_task(task);
	if (err == DOCA_ERROR_SHUTDOWN) {
		sample->flushed++;
		return;
	}
	sample->bad++;
	printf("piece %lu: %s\n", (unsigned long)task_data.u64,
	       doca_error_get_descr(err));
}

static void on_state(const union doca_data data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct sample *sample = data.ptr;

	(void)ctx;
	(void)prev;
	sample->idle = next == DOCA_CTX_STATE_IDLE;
}

/* Submit the pieces that are not done; fill the bad one's destination, so it fails. */
static unsigned int submit_rest(struct sample *sample, int bad)
{
	struct doca_dma_task_memcpy *task;
	unsigned int i, submitted = 0;
	union doca_data data;

	for (i = 0; i < PIECES; i++) {
		if (sample->done[i])
			continue;
		data.u64 = i;
		task = area_new_task(&sample->area, sample->dma, i, data);
		if ((int)i == bad)
			check(doca_buf_set_data_len(
				      doca_dma_task_memcpy_get_dst(task), SIZE),
			      "a data length");
		check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
		      "submission");
		submitted++;
	}
	return submitted;
}

int main(int argc, char **argv)
{
	struct sample sample = {};
	union doca_data data = { .ptr = &sample };
	unsigned int copied, again;
	struct doca_ctx *ctx;
	struct doca_dev *dev;
	struct doca_pe *pe;
	size_t inflight;

	sample_start("pe_task_error", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&sample.area, PIECES, SIZE, &dev, 1);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &sample.dma), "the context");
	ctx = doca_dma_as_ctx(sample.dma);
	check(doca_dma_task_memcpy_set_conf(sample.dma, on_done, on_error,
					    PIECES),
	      "the kind of task");
	check(doca_ctx_set_user_data(ctx, data), "the context's user data");
	check(doca_ctx_set_state_changed_cb(ctx, on_state),
	      "the state callback");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");

	check(doca_ctx_start(ctx), "the first start");
	submit_rest(&sample, BAD);
	while (!sample.idle)
		doca_pe_progress(pe);

	check(doca_ctx_start(ctx), "the second start");
	again = submit_rest(&sample, -1);
	do {
		doca_pe_progress(pe);
		check(doca_pe_get_num_inflight_tasks(pe, &inflight), "count");
	} while (inflight);

	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_dma_destroy(sample.dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&sample.area);
	area_destroy(&sample.area);
	check(doca_dev_close(dev), "the device");

	printf("%u task failed, %u were flushed, %u submitted again: "
	       "%u of %u pieces are copied\n",
	       sample.bad, sample.flushed, again, copied, PIECES);
	if (sample.bad != 1 || again != 1 + sample.flushed || copied != PIECES)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
