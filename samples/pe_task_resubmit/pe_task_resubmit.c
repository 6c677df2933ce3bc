// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Resubmission: give a task that is done other buffers and submit it again.
 *
 * From its callback on a task belongs to the program again. Using it once more saves
 * freeing and allocating it, and few tasks do for any amount of work: here 4 for 16
 * copies.
 *
 * Usage: pe_task_resubmit [-p PCI-ADDRESS]
 */
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define PIECES 16
#define TASKS 4
#define SIZE 4096

struct sample {
	struct doca_buf *src[PIECES], *dst[PIECES];
	unsigned int next; /* next piece to submit */
	unsigned int done;
	unsigned int resubmitted;
};

static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct sample *sample = ctx_data.ptr;

	(void)task_data;
	sample->done++;
	if (sample->next == PIECES) {
		doca_task_free(doca_dma_task_memcpy_as_task(task));
		return;
	}
	doca_dma_task_memcpy_set_src(task, sample->src[sample->next]);
	doca_dma_task_memcpy_set_dst(task, sample->dst[sample->next]);
	sample->next++;
	sample->resubmitted++;
	check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
	      "resubmission");
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a copy");
}

static void submit_first(struct sample *sample, struct doca_dma *dma)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};

	for (; sample->next < TASKS; sample->next++) {
		check(doca_dma_task_memcpy_alloc_init(
			      dma, sample->src[sample->next],
			      sample->dst[sample->next], data, &task),
		      "a task");
		check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
		      "submission");
	}
}

int main(int argc, char **argv)
{
	struct sample sample = {};
	union doca_data data = { .ptr = &sample };
	unsigned int copied, i;
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	struct area area;
	struct doca_pe *pe;

	sample_start("pe_task_resubmit", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&area, PIECES, SIZE, &dev, 1);
	for (i = 0; i < PIECES; i++)
		area_get(&area, i, &sample.src[i], &sample.dst[i]);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	ctx = doca_dma_as_ctx(dma);
	check(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, TASKS),
	      "the kind of task");
	check(doca_ctx_set_user_data(ctx, data), "the context's user data");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");

	submit_first(&sample, dma);
	while (sample.done < PIECES)
		doca_pe_progress(pe);

	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	for (i = 0; i < PIECES; i++) {
		check(doca_buf_dec_refcount(sample.src[i], NULL), "a buffer");
		check(doca_buf_dec_refcount(sample.dst[i], NULL), "a buffer");
	}
	copied = area_count(&area);
	area_destroy(&area);
	check(doca_dev_close(dev), "the device");

	printf("%u of %u pieces are copied by %u tasks, submitted again %u times\n",
	       copied, PIECES, TASKS, sample.resubmitted);
	if (copied != PIECES || sample.resubmitted != PIECES - TASKS)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
