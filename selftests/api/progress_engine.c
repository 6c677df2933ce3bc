// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What programs may rely on of progress engines and tasks. Progress says whether it
 * ran a callback, and runs one at most; no callback runs elsewhere. Callbacks may do
 * what they like. Submitting a task never judges it, trying to does. The status of a
 * task outlives it in its callback. What is freed in flight is let go of when it lands.
 * Pools are as large as they were configured. Engines are made first and go last.
 */
#include "probe.h"

FIXTURE(pe)
{
	struct probe probe;
};

FIXTURE_SETUP(pe)
{
	doca_error_t rc = probe_create(&self->probe, BED_TASKS);

	if (rc == DOCA_ERROR_NOT_FOUND)
		SKIP_SETUP("no device");
	ASSERT_OK(rc);
	ASSERT_OK(probe_start(&self->probe));
}

FIXTURE_TEARDOWN(pe)
{
	EXPECT_TRUE(probe_destroy(&self->probe));
}

TEST_F(pe, progress_returns_1_only_if_a_callback_ran_and_runs_one_at_most)
{
	struct probe *probe = &self->probe;
	unsigned int before, n = 0;
	double end = bed_now() + 20;
	int i;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(probe_submit(probe, i, i == BED_TASKS / 2));
	while (!probe->bed.to_idle && bed_now() < end) {
		before = probe->callbacks;
		n += doca_pe_progress(probe->bed.pe);
		ASSERT_EQ(n, probe->callbacks);
		ASSERT_GE(before + 1, probe->callbacks);
	}
	EXPECT_EQ(BED_TASKS + 2, n);
	EXPECT_EQ(0, doca_pe_progress(probe->bed.pe));
}

TEST_F(pe, callbacks_run_only_in_progress_of_the_engine_of_their_context)
{
	struct probe *probe = &self->probe, second;

	ASSERT_OK(probe_create(&second, 1));
	ASSERT_OK(probe_start(&second));
	ASSERT_OK(probe_submit(probe, 0, false));
	ASSERT_OK(probe_submit(&second, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	usleep(50000);
	doca_pe_progress(probe->bed.pe);
	EXPECT_EQ(0, second.callbacks);
	EXPECT_TRUE(PROBE_UNTIL(&second, second.callbacks == 1));
	EXPECT_EQ(1, probe->callbacks);
	EXPECT_TRUE(probe_destroy(&second));
}

static void submit_another(struct probe *probe,
			   struct doca_dma_task_memcpy *task)
{
	bed_free_task(task);
	if (probe->bed.succeeded < 10)
		probe->result = probe_submit(probe, 1, false);
}

TEST_F(pe, a_callback_may_free_and_allocate_and_submit_tasks)
{
	struct probe *probe = &self->probe;

	probe->on_task = submit_another;
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.succeeded == 10));
	EXPECT_OK(probe->result);
}

static void resubmit(struct probe *probe, struct doca_dma_task_memcpy *task)
{
	if (probe->bed.succeeded == 10) {
		bed_free_task(task);
		return;
	}
	doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task));
	probe->result = doca_task_submit(doca_dma_task_memcpy_as_task(task));
}

TEST_F(pe, a_callback_may_submit_its_task_again)
{
	struct probe *probe = &self->probe;

	probe->on_task = resubmit;
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.succeeded == 10));
	EXPECT_OK(probe->result);
}

static void export_a_new_map(struct probe *probe,
			     struct doca_dma_task_memcpy *task)
{
	struct doca_mmap *mmap = NULL;
	const void *desc;
	size_t len;

	bed_free_task(task);
	probe->result = bed_mmap(probe->mem, PROBE_LEN,
				 DOCA_ACCESS_FLAG_PCI_READ_ONLY, probe->dev,
				 NULL, &mmap);
	if (!probe->result)
		probe->result =
			doca_mmap_export_pci(mmap, probe->dev, &desc, &len);
	if (!probe->result)
		probe->result = doca_mmap_destroy(mmap);
}

TEST_F(pe, a_callback_may_start_and_export_maps)
{
	struct probe *probe = &self->probe;

	probe->on_task = export_a_new_map;
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	EXPECT_OK(probe->result);
}

static void block_and_progress_another(struct probe *probe,
				       struct doca_dma_task_memcpy *task)
{
	struct probe *second = probe->other;

	bed_free_task(task);
	usleep(20000);
	if (!PROBE_UNTIL(second, second->callbacks == 1))
		probe->result = DOCA_ERROR_TIME_OUT;
}

TEST_F(pe, a_callback_may_block_and_progress_another_engine)
{
	struct probe *probe = &self->probe, second;

	ASSERT_OK(probe_create(&second, 1));
	ASSERT_OK(probe_start(&second));
	probe->on_task = block_and_progress_another;
	probe->other = &second;
	ASSERT_OK(probe_submit(&second, 0, false));
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	EXPECT_OK(probe->result);
	EXPECT_TRUE(probe_destroy(&second));
}

TEST_F(pe, submit_never_validates_and_255_submits_after_a_bad_one_succeed)
{
	struct probe *probe = &self->probe;
	int i;

	ASSERT_OK(doca_ctx_stop(probe->bed.ctx));
	ASSERT_OK(doca_dma_task_memcpy_set_conf(probe->bed.dma, probe_task,
						probe_task, 256));
	ASSERT_OK(doca_buf_inventory_destroy(probe->bed.inv));
	ASSERT_OK(doca_buf_inventory_create(512, &probe->bed.inv));
	ASSERT_OK(doca_buf_inventory_start(probe->bed.inv));
	ASSERT_OK(probe_start(probe));
	ASSERT_OK(probe_submit(probe, 0, true));
	usleep(50000);
	for (i = 1; i < 256; i++)
		ASSERT_OK(probe_submit(probe, i % BED_TASKS, false));
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(&probe->bed));
	EXPECT_EQ(0, probe->callbacks);
	probe->bed.to_idle = 0;
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
	EXPECT_EQ(256, probe->bed.failed);
}

/* The destination is too short, in the middle of others. */
TEST_F(pe, errors_of_size_are_asynchronous)
{
	struct probe *probe = &self->probe;
	struct doca_buf *src, *dst;

	ASSERT_OK(probe_submit(probe, 0, false));
	src = probe_data(probe, probe->src, probe->mem, PROBE_LEN);
	dst = probe_room(probe, probe->dst, probe->mem + PROBE_MEM,
			 PROBE_LEN - 1);
	EXPECT_OK(doca_task_submit(probe_alloc(probe, src, dst)));
	usleep(50000);
	EXPECT_OK(probe_submit(probe, 1, false));
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(&probe->bed));
	EXPECT_EQ(0, probe->callbacks);
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.failed == 1));
	EXPECT_ERR(INVALID_VALUE, probe->status);
	EXPECT_EQ(1, probe->bed.succeeded);
}

TEST_F(pe, try_submit_answers_invalid_value_at_once)
{
	struct probe *probe = &self->probe;
	struct doca_task *task;

	task = probe_alloc(probe,
			   probe_data(probe, probe->src, probe->mem, PROBE_LEN),
			   probe_room(probe, probe->dst, probe->mem + PROBE_MEM,
				      PROBE_LEN - 1));
	EXPECT_ERR(INVALID_VALUE, doca_task_try_submit(task));
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(&probe->bed));
	EXPECT_EQ(0, bed_inflight(&probe->bed));
	bed_free_task((struct doca_dma_task_memcpy *)task);
}

static void free_and_read_status(struct probe *probe,
				 struct doca_dma_task_memcpy *task)
{
	bed_free_task(task);
	probe->result =
		doca_task_get_status(doca_dma_task_memcpy_as_task(task));
}

TEST_F(pe, the_status_can_be_read_in_both_callbacks_even_of_a_freed_task)
{
	struct probe *probe = &self->probe;

	probe->on_task = free_and_read_status;
	probe->result = DOCA_ERROR_UNKNOWN;
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	EXPECT_OK(probe->status);
	EXPECT_OK(probe->result);
	ASSERT_OK(probe_submit(probe, 0, true));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.failed == 1));
	EXPECT_ERR(NOT_PERMITTED, probe->status);
	EXPECT_ERR(NOT_PERMITTED, probe->result);
}

static void leave(struct probe *probe, struct doca_dma_task_memcpy *task)
{
	(void)probe;
	(void)task;
}

TEST_F(pe, a_task_and_a_buffer_freed_in_flight_are_let_go_of_afterwards)
{
	struct probe *probe = &self->probe;
	uint32_t before = 0, after = 0;
	struct doca_task *task;
	struct doca_buf *src, *dst;

	doca_buf_inventory_get_num_free_elements(probe->bed.inv, &before);
	probe->on_task = leave;
	src = probe_data(probe, probe->src, probe->mem, PROBE_LEN);
	dst = probe_room(probe, probe->dst, probe->mem + PROBE_MEM, PROBE_LEN);
	task = probe_alloc(probe, src, dst);
	ASSERT_OK(doca_task_submit(task));
	doca_task_free(task);
	EXPECT_OK(doca_buf_dec_refcount(src, NULL));
	EXPECT_OK(doca_buf_dec_refcount(dst, NULL));
	EXPECT_EQ(1, bed_inflight(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	EXPECT_OK(probe->status);
	EXPECT_EQ(0, memcmp(probe->mem, probe->mem + PROBE_MEM, PROBE_LEN));
	doca_buf_inventory_get_num_free_elements(probe->bed.inv, &after);
	EXPECT_EQ(before, after);
}

/* All behind a bad one, so that none is executed. */
TEST_F(pe, what_is_freed_in_flight_is_let_go_of_by_its_flush_that_calls_back)
{
	struct probe *probe = &self->probe;
	uint32_t before = 0, after = 0;
	struct doca_task *task;
	struct doca_buf *src, *dst;
	int i;

	doca_buf_inventory_get_num_free_elements(probe->bed.inv, &before);
	ASSERT_OK(probe_submit(probe, 0, true));
	probe->on_task = leave;
	for (i = 1; i < BED_TASKS; i++) {
		task = probe_new(probe, i, false);
		src = (struct doca_buf *)doca_dma_task_memcpy_get_src(
			(struct doca_dma_task_memcpy *)task);
		dst = doca_dma_task_memcpy_get_dst(
			(struct doca_dma_task_memcpy *)task);
		ASSERT_OK(doca_task_submit(task));
		doca_task_free(task);
		EXPECT_OK(doca_buf_dec_refcount(src, NULL));
		EXPECT_OK(doca_buf_dec_refcount(dst, NULL));
	}
	probe->on_task = NULL;
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.failed));
	EXPECT_EQ(1, probe->bed.failed);
	probe->on_task = leave;
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
	EXPECT_EQ(BED_TASKS, probe->bed.failed);
	doca_buf_inventory_get_num_free_elements(probe->bed.inv, &after);
	EXPECT_EQ(before, after);
}

TEST_F(pe, a_pool_holds_exactly_its_number_and_empty_it_is_no_memory)
{
	struct doca_dma_task_memcpy *more;
	struct probe *probe = &self->probe;
	struct doca_task *tasks[BED_TASKS];
	union doca_data data = {};
	int i;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_NE(NULL, tasks[i] = probe_new(probe, i, false));
	EXPECT_ERR(NO_MEMORY,
		   doca_dma_task_memcpy_alloc_init(probe->bed.dma, NULL, NULL,
						   data, &more));
	/* And each that was allocated is accepted. */
	for (i = 0; i < BED_TASKS; i++)
		EXPECT_OK(doca_task_submit(tasks[i]));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.succeeded == BED_TASKS));
}

TEST_F(pe, tasks_come_back_in_either_event_mode)
{
	struct probe *probe = &self->probe;

	EXPECT_OK(doca_pe_set_event_mode(
		probe->bed.pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 1));
	EXPECT_OK(doca_pe_set_event_mode(probe->bed.pe,
					 DOCA_PE_EVENT_MODE_PROGRESS_ALL));
	ASSERT_OK(probe_submit(probe, 0, false));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->callbacks == 2));
}

TEST_F(pe, a_context_is_connected_once_and_while_idle)
{
	struct probe *probe = &self->probe;
	struct doca_pe *second;

	ASSERT_OK(doca_pe_create(&second));
	/* Started, and so connected. */
	EXPECT_ERR(ALREADY_EXIST, doca_pe_connect_ctx(second, probe->bed.ctx));
	ASSERT_OK(doca_ctx_stop(probe->bed.ctx));
	EXPECT_ERR(ALREADY_EXIST, doca_pe_connect_ctx(second, probe->bed.ctx));
	EXPECT_OK(doca_pe_destroy(second));
	/* What is not connected does not start. */
	ASSERT_OK(doca_dma_destroy(probe->bed.dma));
	ASSERT_OK(doca_dma_create(probe->dev, &probe->bed.dma));
	probe->bed.ctx = doca_dma_as_ctx(probe->bed.dma);
	ASSERT_OK(doca_dma_task_memcpy_set_conf(probe->bed.dma, probe_task,
						probe_task, 1));
	EXPECT_ERR(NOT_CONNECTED, doca_ctx_start(probe->bed.ctx));
	EXPECT_OK(doca_pe_connect_ctx(probe->bed.pe, probe->bed.ctx));
	EXPECT_OK(doca_ctx_start(probe->bed.ctx));
}

TEST_F(pe, destroying_a_context_disconnects_it_and_the_engine_goes_last)
{
	struct probe *probe = &self->probe;

	EXPECT_ERR(IN_USE, doca_dma_destroy(probe->bed.dma));
	EXPECT_ERR(IN_USE, doca_pe_destroy(probe->bed.pe));
	ASSERT_OK(doca_ctx_stop(probe->bed.ctx));
	EXPECT_ERR(IN_USE, doca_pe_destroy(probe->bed.pe));
	ASSERT_OK(doca_dma_destroy(probe->bed.dma));
	probe->bed.dma = NULL;
	EXPECT_OK(doca_pe_destroy(probe->bed.pe));
	EXPECT_OK(doca_pe_create(&probe->bed.pe));
}

TEST_HARNESS_MAIN
