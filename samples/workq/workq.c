// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A work queue: this file is written for DOCA 1.3, and built with the package doca-1.3.
 *
 * Jobs are submitted to a work queue, which belongs to one thread, and each gives one
 * event. There are no callbacks: the program asks for the next event when it wants one.
 * The queue's depth limits the jobs in flight; so one is submitted for each event, until
 * all are done. A memory map is started first, and gets its memory and its devices then.
 *
 * common/ uses today's level, as other files of the program may. Devices are the same at
 * all levels.
 *
 * Usage: workq [-p PCI-ADDRESS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_dma.h>

#include "../common/sample.h"

#define PIECES 16
#define SIZE 4096
#define DEPTH 4

static struct {
	char from[PIECES][SIZE];
	char to[PIECES][SIZE];
} memory;

static struct doca_buf *sources[PIECES], *destinations[PIECES];

static doca_error_t can_copy(const struct doca_devinfo *devinfo)
{
	uint32_t caps;
	doca_error_t err;

	/* The function changes nothing, but its argument is not const. */
	err = doca_dma_devinfo_caps_get((struct doca_devinfo *)devinfo, &caps);
	if (err == DOCA_SUCCESS && !(caps & DOCA_DMA_CAP_HW_OFFLOAD))
		return DOCA_ERROR_NOT_SUPPORTED;
	return err;
}

static struct doca_mmap *map_memory(struct doca_dev *dev)
{
	struct doca_mmap *mmap;
	int i;

	for (i = 0; i < PIECES; i++)
		memset(memory.from[i], 'a' + i, SIZE);
	check(doca_mmap_create("pieces", &mmap), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	check(doca_mmap_populate(mmap, &memory, sizeof(memory), 4096, NULL,
				 NULL),
	      "the memory");
	check(doca_mmap_dev_add(mmap, dev), "the device of the memory map");
	return mmap;
}

static void take_buffers(struct doca_buf_inventory *inventory,
			 struct doca_mmap *mmap)
{
	int i;

	for (i = 0; i < PIECES; i++) {
		check(doca_buf_inventory_buf_by_addr(inventory, mmap,
						     memory.from[i], SIZE,
						     &sources[i]),
		      "a source");
		check(doca_buf_inventory_buf_by_addr(inventory, mmap,
						     memory.to[i], SIZE,
						     &destinations[i]),
		      "a destination");
	}
}

static void release_buffers(void)
{
	int i;

	for (i = 0; i < PIECES; i++) {
		check(doca_buf_refcount_rm(sources[i], NULL), "a source");
		check(doca_buf_refcount_rm(destinations[i], NULL),
		      "a destination");
	}
}

/* The queue copies the job, so this one need not last. */
static void submit(struct doca_workq *workq, struct doca_ctx *ctx, int piece)
{
	struct doca_dma_job_memcpy job = {
		.base = { .type = DOCA_DMA_JOB_MEMCPY,
			  .flags = DOCA_JOB_FLAGS_NONE,
			  .ctx = ctx,
			  .user_data = { .u64 = piece } },
		.src_buff = sources[piece],
		.dst_buff = destinations[piece],
		.num_bytes_to_copy = SIZE,
	};

	check(doca_workq_submit(workq, &job.base), "submission");
}

/* A failed job gives an event, too, which says why. */
static void await(struct doca_workq *workq)
{
	struct doca_event event;
	doca_error_t err;

	do
		err = doca_workq_progress_retrieve(
			workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
	while (err == DOCA_ERROR_AGAIN);
	check(err, "an event");
	check((doca_error_t)event.result.u64, "a copy");
}

static void copy_all(struct doca_workq *workq, struct doca_ctx *ctx)
{
	int submitted, done;

	for (submitted = 0; submitted < DEPTH; submitted++)
		submit(workq, ctx, submitted);
	for (done = 0; done < PIECES; done++) {
		await(workq);
		if (submitted < PIECES)
			submit(workq, ctx, submitted++);
	}
}

int main(int argc, char **argv)
{
	struct doca_buf_inventory *inventory;
	struct doca_workq *workq;
	struct doca_mmap *mmap;
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_ctx *ctx;

	sample_start("workq", argc, argv, NULL);
	dev = sample_open_device(can_copy);
	mmap = map_memory(dev);
	check(doca_buf_inventory_create("pieces", 2 * PIECES,
					DOCA_BUF_EXTENSION_NONE, &inventory),
	      "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	take_buffers(inventory, mmap);

	/* A context gets devices before it is started, and work queues after. */
	check(doca_dma_create(&dma), "the context");
	ctx = doca_dma_as_ctx(dma);
	check(doca_ctx_dev_add(ctx, dev), "the device of the context");
	check(doca_ctx_start(ctx), "start of the context");
	check(doca_workq_create(DEPTH, &workq), "the work queue");
	check(doca_ctx_workq_add(ctx, workq), "the queue of the context");
	copy_all(workq, ctx);

	check(doca_ctx_workq_rm(ctx, workq), "the queue of the context");
	check(doca_workq_destroy(workq), "the work queue");
	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_ctx_dev_rm(ctx, dev), "the device of the context");
	check(doca_dma_destroy(dma), "the context");
	release_buffers();
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(mmap), "the memory map");
	check(doca_dev_close(dev), "the device");

	if (memcmp(memory.from, memory.to, sizeof(memory.from)))
		return EXIT_FAILURE;
	printf("%d pieces are copied, at most %d at a time\n", PIECES, DEPTH);
	return EXIT_SUCCESS;
}
