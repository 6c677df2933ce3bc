// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory that tasks take: room for their lists comes with the first list. */
#include "core/exec/ctx.h"

#include "bed.h"
#include "selftests/lib/resident.h"

#define TASKS 8192
/*
 * All of it: the task, its entries in both rings, and what a page is too much. ASan keeps an
 * eighth of it again, and has something around each block.
 */
#ifdef __SANITIZE_ADDRESS__
#define TASK_BYTES 320
#else
#define TASK_BYTES 256
#endif

TEST(tasks_without_lists_take_little)
{
	struct bed bed;
	long before, after;

	/* The first start makes more than tasks, such as the worker. */
	bed_create(&bed, "software");
	OK(doca_ctx_start(bed.ctx));
	OK(doca_ctx_stop(bed.ctx));
	bed_await_idle(&bed);
	OK(doca_dma_task_memcpy_set_conf(bed.dma, bed_task, bed_task, TASKS));
	before = resident_bytes();
	OK(doca_ctx_start(bed.ctx));
	after = resident_bytes();
	bed_destroy(&bed);
	if (before < 0 || after < 0)
		SKIP("the kernel does not tell");
#ifdef __SANITIZE_THREAD__
	SKIP("it has more memory for each byte than there are");
#endif
	printf("# %ld bytes a task\n", (after - before) / TASKS);
	EXPECT(after - before <= TASKS * TASK_BYTES);
}

/* The first submissions find all that they write to but lists. */
TEST(rings_are_there_from_the_beginning)
{
	const struct driver_queue *queue;
	size_t page = sysconf(_SC_PAGESIZE);
	long pages, there;
	struct bed bed;

	bed_create(&bed, "software");
	OK(doca_dma_task_memcpy_set_conf(bed.dma, bed_task, bed_task, TASKS));
	OK(doca_ctx_start(bed.ctx));
	queue = &bed.ctx->queue;
	pages = (queue->made.out_seg_off + page - 1) / page;
	there = resident_pages(queue->ring.user, pages * page);
	bed_destroy(&bed);
	if (there < 0)
		SKIP("the kernel does not tell");
	EXPECT_EQ(there, pages);
}

static struct doca_buf *chain(struct bed *bed, size_t off, uint32_t nr, size_t each)
{
	struct doca_buf *head = bed_src(bed, bed->mmap, off, each);
	uint32_t i;

	for (i = 1; i < nr; i++)
		OK(doca_buf_chain_list(head, bed_src(bed, bed->mmap, off + i * each, each)));
	return head;
}

/* Whichever task gets the list: the last ones have their room in other pages than the first. */
TEST(each_task_has_room_for_a_list)
{
	const uint32_t nr = 16, each = 8;
	struct doca_dma_task_memcpy *tasks[BED_TASKS];
	struct bed bed;
	uint32_t i;

	bed_create(&bed, "software");
	OK(doca_ctx_start(bed.ctx));
	for (i = 0; i < BED_TASKS; i++)
		OK(doca_dma_task_memcpy_alloc_init(bed.dma, NULL, NULL, (union doca_data){ 0 },
						   &tasks[i]));
	for (i = 0; i < BED_TASKS; i += BED_TASKS / 8) {
		struct doca_task *task = doca_dma_task_memcpy_as_task(tasks[i]);

		doca_dma_task_memcpy_set_src(tasks[i], chain(&bed, i * nr * each, nr, each));
		doca_dma_task_memcpy_set_dst(tasks[i],
					     bed_dst(&bed, bed.mmap, i * nr * each, nr * each));
		OK(doca_task_submit(task));
		bed_wait(&bed, i / (BED_TASKS / 8) + 1);
		EXPECT(bed_copied(&bed, i * nr * each, nr * each));
	}
	EXPECT_EQ(bed.failed, 0);
	for (i = 0; i < BED_TASKS; i++)
		if (i % (BED_TASKS / 8))
			doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
	bed_destroy(&bed);
}
