// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One engine with two contexts of DMA, one of sync events, and two of RDMA that write to each
 * other: five, which divides the number of turns after which the engine takes a full one. All of
 * them always have something to complete: none waits for the others, and each task completes as
 * often as it was submitted. DOCA_TEST_TASKS is the number of tasks.
 */
#include <doca_sync_event.h>

#include "rdma_bed.h"

#define TASKS 8000
#define IN_FLIGHT 8 /* tasks that a context has at a time */

enum { DMA, EVENT = DMA + 2, WRITES, CONTEXTS = WRITES + 2 };

static struct slot {
	struct doca_task *task;
	unsigned int context;
	bool flies;
} slots[CONTEXTS * IN_FLIGHT];

static struct {
	unsigned long wanted, submitted;
	unsigned long done[CONTEXTS];
	unsigned int callbacks; /* since this call of progress began */
} mix;

static void go(struct slot *slot)
{
	if (mix.submitted == mix.wanted)
		return;
	mix.submitted++;
	slot->flies = true;
	OK(doca_task_submit(slot->task));
}

static void came_back(struct doca_task *task, union doca_data data)
{
	struct slot *slot = data.ptr;

	EXPECT(slot->task == task && slot->flies);
	EXPECT_EQ(doca_task_get_status(task), DOCA_SUCCESS);
	slot->flies = false;
	mix.done[slot->context]++;
	mix.callbacks++;
	if (task_dst(task))
		OK(doca_buf_reset_data_len(task_dst(task)));
	go(slot);
}

#define CAME_BACK(name, task_t, as_task)                                                      \
	static void name(struct task_t *task, union doca_data data, union doca_data ctx_data) \
	{                                                                                     \
		(void)ctx_data;                                                               \
		came_back(as_task(task), data);                                               \
	}

CAME_BACK(was_copied, doca_dma_task_memcpy, doca_dma_task_memcpy_as_task)
CAME_BACK(was_added, doca_sync_event_task_notify_add, doca_sync_event_task_notify_add_as_doca_task)
CAME_BACK(was_written, doca_rdma_task_write, doca_rdma_task_write_as_task)

static struct slot *next_slot(unsigned int context)
{
	static unsigned int nr;
	struct slot *slot = &slots[nr++ % (CONTEXTS * IN_FLIGHT)];

	slot->context = context;
	return slot;
}

/* The fake driver has a device of its own. */
static void make_copies(struct doca_dma *dma, unsigned int context, struct doca_mmap *mmap)
{
	for (size_t i = 0; i < IN_FLIGHT; i++) {
		struct slot *slot = next_slot(context);
		union doca_data data = { .ptr = slot };
		struct doca_dma_task_memcpy *task = NULL;

		OK(doca_dma_task_memcpy_alloc_init(dma, a_buf(mmap, i * 64, 64, 0),
						   a_buf(mmap, 8192 + i * 64, 0, 64), data, &task));
		slot->task = doca_dma_task_memcpy_as_task(task);
	}
}

static void make_adds(struct doca_sync_event *event)
{
	static uint64_t old;

	for (size_t i = 0; i < IN_FLIGHT; i++) {
		struct slot *slot = next_slot(EVENT);
		union doca_data data = { .ptr = slot };
		struct doca_sync_event_task_notify_add *task = NULL;

		OK(doca_sync_event_task_notify_add_alloc_init(event, 1, &old, data, &task));
		slot->task = doca_sync_event_task_notify_add_as_doca_task(task);
	}
}

static void make_writes(int side)
{
	size_t from = 16384 + side * 4096;

	for (size_t i = 0; i < IN_FLIGHT; i++) {
		struct slot *slot = next_slot(WRITES + side);
		union doca_data data = { .ptr = slot };
		struct doca_rdma_task_write *task = NULL;

		OK(doca_rdma_task_write_allocate_init(
			rb.rdma[side], rb.conn[side], local_data(from + i * 64, 64),
			a_buf(rb.peers, 32768 + from + i * 64, 0, 64), data, &task));
		slot->task = doca_rdma_task_write_as_task(task);
	}
}

static struct doca_dma *start_dma(void)
{
	struct doca_dma *dma = NULL;

	OK(doca_dma_create(&fake_dev, &dma));
	OK(doca_dma_task_memcpy_set_conf(dma, was_copied, was_copied, IN_FLIGHT));
	OK(doca_pe_connect_ctx(bed.pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	return dma;
}

static struct doca_sync_event *start_event(void)
{
	struct doca_sync_event *event = NULL;

	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_publisher_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
	OK(doca_sync_event_task_notify_add_set_conf(event, was_added, was_added, IN_FLIGHT));
	OK(doca_pe_connect_ctx(bed.pe, doca_sync_event_as_ctx(event)));
	OK(doca_ctx_start(doca_sync_event_as_ctx(event)));
	return event;
}

static unsigned long all_done(void)
{
	unsigned long n = 0;

	for (int i = 0; i < CONTEXTS; i++)
		n += mix.done[i];
	return n;
}

static void end_all(struct doca_dma *dma[2], struct doca_sync_event *event, struct doca_mmap *mmap)
{
	for (size_t i = 0; i < CONTEXTS * IN_FLIGHT; i++) {
		EXPECT(!slots[i].flies);
		drop(slots[i].task);
	}
	for (int i = 0; i < 2; i++) {
		OK(doca_ctx_stop(doca_dma_as_ctx(dma[i])));
		OK(doca_dma_destroy(dma[i]));
	}
	OK(doca_ctx_stop(doca_sync_event_as_ctx(event)));
	OK(doca_sync_event_destroy(event));
	OK(doca_mmap_destroy(mmap));
}

TEST(each_context_gets_its_share)
{
	const char *number = getenv("DOCA_TEST_TASKS");
	struct doca_sync_event *event;
	struct doca_mmap *mmap;
	struct doca_dma *dma[2];

	memset(&mix, 0, sizeof(mix));
	mix.wanted = number ? strtoul(number, NULL, 0) : TASKS;
	rdma_set_up();
	for (int i = 0; i < 2; i++)
		OK(doca_rdma_task_write_set_conf(rb.rdma[i], was_written, was_written, IN_FLIGHT));
	rdma_start();
	connect_both();
	for (int i = 0; i < 2; i++)
		dma[i] = start_dma();
	event = start_event();
	mmap = new_mmap(bed.mem, MEM_SIZE, &fake_dev);
	OK(doca_mmap_start(mmap));
	for (unsigned int i = 0; i < 2; i++)
		make_copies(dma[i], DMA + i, mmap);
	make_adds(event);
	make_writes(0);
	make_writes(1);
	for (size_t i = 0; i < CONTEXTS * IN_FLIGHT; i++)
		go(&slots[i]);
	for (unsigned int idle = 0; all_done() < mix.wanted && idle < 1000; idle++) {
		mix.callbacks = 0;
		if (doca_pe_progress(bed.pe))
			idle = 0;
		EXPECT(mix.callbacks <= 1);
		for (int i = 0; i < 2; i++) /* each looks for news */
			EXPECT(rb.rdma[i]->taken - rb.rdma[i]->news.taken < 80);
	}
	EXPECT_EQ(all_done(), mix.wanted);
	for (int i = 0; i < CONTEXTS; i++)
		EXPECT(mix.done[i] >= mix.wanted / CONTEXTS / 2);
	end_all(dma, event, mmap);
	rdma_end();
}
