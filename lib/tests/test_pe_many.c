// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* An engine with many contexts: who is visited, and when. */
#include "bed.h"
#include "core/exec/ctx.h"

#define NR_DMA 3

static struct doca_dma *dmas[NR_DMA]; /* the first is that of the bed */

static struct doca_ctx *ctx_of(int i)
{
	return doca_dma_as_ctx(dmas[i]);
}

static void set_up_many(uint32_t tasks)
{
	set_up_started(true, tasks);
	dmas[0] = bed.dma;
	for (int i = 1; i < NR_DMA; i++) {
		dmas[i] = new_dma(tasks);
		OK(doca_pe_connect_ctx(bed.pe, ctx_of(i)));
		OK(doca_ctx_start(ctx_of(i)));
	}
	took();
	bed.on_task = free_in_callback;
}

static void tear_down_many(void)
{
	for (int i = 0; i < NR_DMA; i++)
		OK(doca_ctx_stop(ctx_of(i)));
	for (int i = 1; i < NR_DMA; i++)
		OK(doca_dma_destroy(dmas[i]));
	bed.dma = dmas[0];
	tear_down();
}

static void submit_to(int i)
{
	bed.dma = dmas[i];
	OK(doca_task_submit(doca_dma_task_memcpy_as_task(
		new_task(source(0, 8), room(0, 8), 'a' + i))));
}

/* Have the worker execute what one context has submitted. */
static void work_for(int i)
{
	struct fake_queue *q;

	for_each_queue(q) if (q->queue == &ctx_of(i)->queue) run(q, -1);
}

static void wait_and_clear(void)
{
	int fd = -1;

	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	EXPECT(fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, fd));
}

/*
 * After a notification of the second of three contexts, the third has a completion
 * as well.
 */
static void second_then_third(enum doca_pe_event_mode mode)
{
	OK(doca_pe_set_event_mode(bed.pe, mode));
	for (int i = 0; i < NR_DMA; i++)
		submit_to(i);
	OK(doca_pe_request_notification(bed.pe));
	work_for(1);
	wait_and_clear();
	work_for(2);
}

TEST(selective_mode_progresses_who_has_notified)
{
	set_up_many(1);
	second_then_third(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(bed.user_data, 'b');
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	/* The rest is not lost: the next request finds it. */
	OK(doca_pe_request_notification(bed.pe));
	wait_and_clear();
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(bed.user_data, 'c');
	work_for(0);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	tear_down_many();
}

TEST(all_mode_progresses_every_context)
{
	set_up_many(1);
	second_then_third(DOCA_PE_EVENT_MODE_PROGRESS_ALL);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_EQ(bed.user_data, 'c');
	work_for(0);
	EXPECT_EQ(drain(bed.pe), 1);
	tear_down_many();
}

TEST(selective_is_the_mode_at_first)
{
	set_up_many(1);
	submit_to(0);
	submit_to(1);
	OK(doca_pe_request_notification(bed.pe));
	work_for(0);
	wait_and_clear();
	work_for(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(drain(bed.pe), 1);
	tear_down_many();
}

/* No context has notified, so there is none to prefer. */
TEST(a_clear_without_a_notification_selects_nothing)
{
	set_up_many(1);
	submit_to(0);
	OK(doca_pe_request_notification(bed.pe));
	OK(doca_pe_clear_notification(bed.pe, 0));
	work_for(0);
	EXPECT_EQ(drain(bed.pe), 1);
	tear_down_many();
}

TEST(a_change_of_mode_ends_the_selection)
{
	set_up_many(1);
	second_then_third(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	OK(doca_pe_set_event_mode(bed.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
	EXPECT_EQ(drain(bed.pe), 2);
	work_for(0);
	EXPECT_EQ(drain(bed.pe), 1);
	tear_down_many();
}

/* One that does nothing notifies of its device's removal. */
TEST(selective_mode_sees_the_removal_of_an_idle_context)
{
	set_up_many(1);
	OK(doca_pe_request_notification(bed.pe));
	fake_remove_device();
	wait_and_clear();
	EXPECT_EQ(drain(bed.pe), 2 * NR_DMA);
	EXPECT_STR(took(), "sssiii");
	tear_down_many();
}

static void resubmit(struct doca_dma_task_memcpy *task)
{
	OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
	OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

/* The queue of one context only is dead: that of the last. */
TEST(removal_of_an_idle_context_is_seen_by_a_busy_engine)
{
	struct fake_queue *q;
	int i;

	set_up_many(1);
	bed.on_task = resubmit;
	submit_to(0);
	for_each_queue(q) if (q->queue == &ctx_of(2)->queue)
	{
		q->kernel->dead = 1;
		q->kernel->state = DOCA_QUEUE_FLUSH;
	}
	for (i = 0; i < 1000 && !strchr(bed.log, 's'); i++) {
		work_for(0);
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	}
	EXPECT(i < 1000);
	bed.on_task = free_in_callback;
	fake_work(-1);
	drain(bed.pe);
	tear_down_many();
}

static struct doca_dma *child;

/* One context's life within the callbacks of another. */
static void child_state(const union doca_data user_data, struct doca_ctx *ctx,
			enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data, (void)prev;
	record("i.rs"[next]);
	EXPECT(ctx == doca_dma_as_ctx(child));
	if (next == DOCA_CTX_STATE_IDLE) {
		OK(doca_dma_destroy(child));
		child = NULL;
	}
}

static void child_done(struct doca_dma_task_memcpy *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	record('C');
	free_task_and_bufs(task);
	ERR(doca_ctx_stop(doca_dma_as_ctx(child)), IN_PROGRESS);
}

static void beget(struct doca_dma_task_memcpy *task)
{
	struct doca_ctx *ctx;

	free_task_and_bufs(task);
	if (child)
		return;
	OK(doca_dma_create(&fake_dev, &child));
	ctx = doca_dma_as_ctx(child);
	OK(doca_dma_task_memcpy_set_conf(child, child_done, child_done, 1));
	OK(doca_ctx_set_state_changed_cb(ctx, child_state));
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	OK(doca_ctx_start(ctx));
	bed.dma = child;
	OK(doca_task_submit(new_copy(0, 8)));
}

TEST(contexts_live_and_die_in_callbacks)
{
	set_up_many(2);
	bed.on_task = beget;
	submit_to(0);
	for (int i = 0; i < 10; i++) {
		fake_work(-1);
		doca_pe_progress(bed.pe);
	}
	EXPECT_STR(took(), "SrCsi");
	EXPECT(!child);
	tear_down_many();
}

/* Whatever its state, what the engine counts is the sum of its contexts. */
TEST(tasks_in_flight_are_counted_in_every_state)
{
	size_t n = -1;

	set_up_many(4);
	submit_to(1);
	submit_to(2);
	submit_to(2);
	OK(doca_ctx_get_num_inflight_tasks(ctx_of(0), &n));
	EXPECT_EQ(n, 0);
	ERR(doca_ctx_stop(ctx_of(2)), IN_PROGRESS);
	OK(doca_ctx_get_num_inflight_tasks(ctx_of(2), &n));
	EXPECT_EQ(n, 2);
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 3);
	fake_work(-1);
	drain(bed.pe);
	EXPECT_EQ(ctx_of(2)->state, DOCA_CTX_STATE_IDLE);
	OK(doca_ctx_get_num_inflight_tasks(ctx_of(2), &n));
	EXPECT_EQ(n, 0);
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 0);
	tear_down_many();
}
