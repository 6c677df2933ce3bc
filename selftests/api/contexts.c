// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What programs may rely on of the states of contexts. Their callback is told of each
 * change, also of one that a call makes at once, when it can be seen already. DMA
 * starts at once; it stops at once where nothing is to be waited for, and else through
 * progress, with its tasks flushed. A failed task stops it as well, and then it can be
 * started again. It can be destroyed in its last callback. Settings come before start.
 */
#include "probe.h"

FIXTURE(ctx)
{
	struct probe probe;
};

FIXTURE_SETUP(ctx)
{
	doca_error_t rc = probe_create(&self->probe, BED_TASKS);

	if (rc == DOCA_ERROR_NOT_FOUND)
		SKIP_SETUP("no device");
	ASSERT_OK(rc);
}

FIXTURE_TEARDOWN(ctx)
{
	EXPECT_TRUE(probe_destroy(&self->probe));
}

/* What is told must be so already. */
static void look(struct probe *probe, enum doca_ctx_states state)
{
	if (bed_state_of(&probe->bed) != state)
		probe->result = DOCA_ERROR_UNEXPECTED;
}

TEST_F(ctx, the_state_callback_tells_of_synchronous_changes_already_visible)
{
	struct probe *probe = &self->probe;

	probe->on_state = look;
	ASSERT_OK(doca_ctx_start(probe->bed.ctx));
	EXPECT_EQ(1, probe->states);
	ASSERT_OK(doca_ctx_stop(probe->bed.ctx));
	EXPECT_EQ(3, probe->states);
	EXPECT_EQ(1, probe->bed.to_stopping);
	EXPECT_EQ(1, probe->bed.to_idle);
	EXPECT_OK(probe->result);
}

static void stop_at_once(struct probe *probe, enum doca_ctx_states state)
{
	if (state == DOCA_CTX_STATE_RUNNING)
		probe->result = doca_ctx_stop(probe->bed.ctx);
}

TEST_F(ctx, start_is_success_although_its_callback_stops_the_context)
{
	struct probe *probe = &self->probe;

	probe->on_state = stop_at_once;
	EXPECT_OK(doca_ctx_start(probe->bed.ctx));
	EXPECT_ERR(IN_PROGRESS, probe->result);
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, bed_state_of(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
}

TEST_F(ctx, dma_starts_synchronously)
{
	EXPECT_OK(doca_ctx_start(self->probe.bed.ctx));
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(&self->probe.bed));
}

static void stop_in_task(struct probe *probe, struct doca_dma_task_memcpy *task)
{
	bed_free_task(task);
	probe->result = doca_ctx_stop(probe->bed.ctx);
}

TEST_F(ctx, stop_in_a_callback_is_in_progress_and_idle_comes_by_progress)
{
	struct probe *probe = &self->probe;

	ASSERT_OK(probe_start(probe));
	probe->on_task = stop_in_task;
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.succeeded));
	EXPECT_ERR(IN_PROGRESS, probe->result);
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, bed_state_of(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
}

TEST_F(ctx, stop_with_tasks_in_flight_is_in_progress_and_flushes_them)
{
	struct probe *probe = &self->probe;
	int i;

	ASSERT_OK(probe_start(probe));
	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(probe_submit(probe, i, false));
	EXPECT_EQ(BED_TASKS, bed_inflight(&probe->bed));
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(probe->bed.ctx));
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, bed_state_of(&probe->bed));
	EXPECT_EQ(BED_TASKS, bed_inflight(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
	EXPECT_EQ(BED_TASKS, probe->bed.succeeded + probe->bed.failed);
	EXPECT_EQ(0, bed_inflight(&probe->bed));
}

TEST_F(ctx, stop_with_nothing_in_flight_is_success_and_idle_at_once)
{
	struct probe *probe = &self->probe;

	ASSERT_OK(probe_start(probe));
	EXPECT_OK(doca_ctx_stop(probe->bed.ctx));
	EXPECT_EQ(DOCA_CTX_STATE_IDLE, bed_state_of(&probe->bed));
	EXPECT_EQ(1, probe->bed.to_idle);
}

TEST_F(ctx, stop_when_idle_is_success)
{
	EXPECT_OK(doca_ctx_stop(self->probe.bed.ctx));
	EXPECT_EQ(0, self->probe.states);
}

TEST_F(ctx, stop_with_tasks_allocated_is_in_progress_until_they_are_freed)
{
	struct probe *probe = &self->probe;
	struct doca_task *task;

	ASSERT_OK(probe_start(probe));
	ASSERT_NE(NULL, task = probe_new(probe, 0, false));
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(probe->bed.ctx));
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, bed_state_of(&probe->bed));
	doca_pe_progress(probe->bed.pe);
	EXPECT_ERR(BAD_STATE, doca_task_submit(task));
	EXPECT_EQ(0, probe->bed.to_idle);
	bed_free_task((struct doca_dma_task_memcpy *)task);
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
}

TEST_F(ctx, a_failed_task_stops_the_context_flushes_the_rest_and_it_starts_again)
{
	struct probe *probe = &self->probe;
	int i;

	ASSERT_OK(probe_start(probe));
	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(probe_submit(probe, i, i == 1));
	/* Nothing changes before progress tells. */
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
	EXPECT_EQ(1, probe->bed.succeeded);
	EXPECT_EQ(BED_TASKS - 1, probe->bed.failed);
	EXPECT_EQ(1, probe->bed.to_stopping);
	EXPECT_EQ(1, probe->bed.to_idle);
	EXPECT_EQ(0, bed_inflight(&probe->bed));
	EXPECT_EQ(0, memcmp(probe->mem, probe->mem + PROBE_MEM, PROBE_LEN));

	ASSERT_OK(probe_start(probe));
	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(probe_submit(probe, i, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.succeeded == 1 + BED_TASKS));
	EXPECT_EQ(0, memcmp(probe->mem, probe->mem + PROBE_MEM, PROBE_MEM));
}

static void count_in_flight(struct probe *probe, enum doca_ctx_states state)
{
	size_t n = 99;

	(void)state;
	if (doca_ctx_get_num_inflight_tasks(probe->bed.ctx, &n) ||
	    n != (size_t)(long)probe->other - probe->bed.succeeded -
			    probe->bed.failed)
		probe->result = DOCA_ERROR_UNEXPECTED;
}

TEST_F(ctx, the_number_in_flight_can_be_asked_in_every_state)
{
	struct probe *probe = &self->probe;
	int i;

	probe->on_state = count_in_flight;
	EXPECT_EQ(0, bed_inflight(&probe->bed));
	ASSERT_OK(probe_start(probe));
	EXPECT_EQ(0, bed_inflight(&probe->bed));
	for (i = 0; i < 4; i++)
		ASSERT_OK(probe_submit(probe, i, false));
	probe->other = (void *)4L;
	EXPECT_EQ(4, bed_inflight(&probe->bed));
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(probe->bed.ctx));
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, bed_state_of(&probe->bed));
	EXPECT_EQ(4, bed_inflight(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
	EXPECT_EQ(0, bed_inflight(&probe->bed));
	EXPECT_OK(probe->result);
}

static void destroy_when_idle(struct probe *probe, enum doca_ctx_states state)
{
	if (state != DOCA_CTX_STATE_IDLE)
		return;
	probe->result = doca_dma_destroy(probe->bed.dma);
	probe->bed.dma = NULL;
}

TEST_F(ctx, a_context_may_be_destroyed_in_its_idle_callback)
{
	struct probe *probe = &self->probe;

	ASSERT_OK(probe_start(probe));
	probe->on_state = destroy_when_idle;
	ASSERT_OK(probe_submit(probe, 0, true));
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, !probe->bed.dma));
	EXPECT_OK(probe->result);
	EXPECT_EQ(0, doca_pe_progress(probe->bed.pe));
}

TEST_F(ctx, user_data_and_the_state_callback_are_set_before_start)
{
	struct probe *probe = &self->probe;
	union doca_data data = { .ptr = probe };

	EXPECT_OK(doca_ctx_set_user_data(probe->bed.ctx, data));
	EXPECT_OK(doca_ctx_set_state_changed_cb(probe->bed.ctx, probe_state));
	ASSERT_OK(probe_start(probe));
	EXPECT_ERR(BAD_STATE, doca_ctx_set_user_data(probe->bed.ctx, data));
	EXPECT_ERR(BAD_STATE,
		   doca_ctx_set_state_changed_cb(probe->bed.ctx, probe_state));
}

TEST_HARNESS_MAIN
