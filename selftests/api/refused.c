// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What doca_task_try_submit() refuses fails if it is submitted: its error callback has
 * the same code, the context is stopping, what is in flight behind it is flushed, and
 * then the context is idle and starts again. Some programs wait for just that.
 */
#include "probe.h"

#define BEHIND (BED_TASKS - 2)

FIXTURE(refused)
{
	struct probe probe;
	enum doca_ctx_states states[8];
	doca_error_t statuses[BED_TASKS];
	unsigned int nr_statuses;
};

static void keep_status(struct probe *probe, struct doca_dma_task_memcpy *task)
{
	FIXTURE_DATA(refused) *self = probe->other;
	struct doca_buf *src, *dst;

	if (self->nr_statuses < BED_TASKS)
		self->statuses[self->nr_statuses] = probe->status;
	self->nr_statuses++;
	/* Those that were released are not there any more. */
	src = (struct doca_buf *)doca_dma_task_memcpy_get_src(task);
	dst = doca_dma_task_memcpy_get_dst(task);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	if (src)
		doca_buf_dec_refcount(src, NULL);
	if (dst)
		doca_buf_dec_refcount(dst, NULL);
}

static void keep_state(struct probe *probe, enum doca_ctx_states state)
{
	FIXTURE_DATA(refused) *self = probe->other;

	if (probe->states <= ARRAY_SIZE(self->states))
		self->states[probe->states - 1] = state;
}

FIXTURE_SETUP(refused)
{
	doca_error_t rc = probe_create(&self->probe, BED_TASKS);

	if (rc == DOCA_ERROR_NOT_FOUND)
		SKIP_SETUP("no device");
	ASSERT_OK(rc);
	ASSERT_OK(probe_start(&self->probe));
	self->probe.other = self;
	self->probe.on_task = keep_status;
	self->probe.on_state = keep_state;
}

FIXTURE_TEARDOWN(refused)
{
	EXPECT_TRUE(probe_destroy(&self->probe));
}

static struct doca_buf *data(struct probe *probe, size_t len)
{
	return probe_data(probe, probe->src, probe->mem, len);
}

static struct doca_buf *room(struct probe *probe)
{
	return probe_room(probe, probe->dst, probe->mem + PROBE_MEM, PROBE_LEN);
}

/* The bad one between good ones. */
static void fails(struct __test_metadata *_metadata,
		  FIXTURE_DATA(refused) * self, struct doca_buf *src,
		  struct doca_buf *dst)
{
	struct probe *probe = &self->probe;
	struct doca_task *bad = probe_alloc(probe, src, dst);
	unsigned int i;

	ASSERT_NE(NULL, bad);
	EXPECT_ERR(INVALID_VALUE, doca_task_try_submit(bad));
	EXPECT_EQ(0, bed_inflight(&probe->bed));
	ASSERT_OK(probe_submit(probe, 0, false));
	ASSERT_OK(doca_task_submit(bad));
	for (i = 1; i <= BEHIND; i++)
		ASSERT_OK(probe_submit(probe, i, false));
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(&probe->bed));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));

	EXPECT_EQ(BED_TASKS, self->nr_statuses);
	EXPECT_OK(self->statuses[0]);
	EXPECT_ERR(INVALID_VALUE, self->statuses[1]);
	for (i = 2; i < BED_TASKS; i++)
		EXPECT_ERR(SHUTDOWN, self->statuses[i]);
	EXPECT_EQ(2, probe->states);
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, self->states[0]);
	EXPECT_EQ(DOCA_CTX_STATE_IDLE, self->states[1]);
	EXPECT_EQ(DOCA_CTX_STATE_IDLE, bed_state_of(&probe->bed));
	ASSERT_OK(probe_start(probe));
	probe->states = 0;
	probe->bed.to_idle = 0;
	self->nr_statuses = 0;
}

TEST_F(refused, a_source_without_data)
{
	struct probe *probe = &self->probe;
	struct doca_buf *head;

	fails(_metadata, self, data(probe, 0), room(probe));
	fails(_metadata, self,
	      probe_room(probe, probe->src, probe->mem, PROBE_LEN),
	      room(probe));
	head = data(probe, 0);
	ASSERT_OK(doca_buf_chain_list(head, data(probe, 0)));
	fails(_metadata, self, head, room(probe));
}

TEST_F(refused, a_source_whose_data_is_not_within_it)
{
	struct probe *probe = &self->probe;
	struct doca_buf *src = data(probe, 100);

	ASSERT_OK(doca_buf_set_data(src, probe->mem + 50, 100));
	fails(_metadata, self, src, room(probe));
}

TEST_F(refused, a_destination_whose_data_is_not_within_it)
{
	struct probe *probe = &self->probe;
	struct doca_buf *dst = room(probe);

	ASSERT_OK(
		doca_buf_set_data(dst, probe->mem + PROBE_MEM + PROBE_LEN, 1));
	fails(_metadata, self, data(probe, 100), dst);
}

TEST_F(refused, a_missing_buffer)
{
	fails(_metadata, self, NULL, room(&self->probe));
	fails(_metadata, self, data(&self->probe, 100), NULL);
}

/* Nothing may come in between: the buffer would be given to somebody else. */
static void fails_alone(struct __test_metadata *_metadata,
			FIXTURE_DATA(refused) * self, bool src)
{
	struct probe *probe = &self->probe;
	struct doca_buf *from = data(probe, 100), *to = room(probe);
	struct doca_task *bad = probe_alloc(probe, from, to);

	ASSERT_OK(doca_buf_dec_refcount(src ? from : to, NULL));
	EXPECT_ERR(INVALID_VALUE, doca_task_try_submit(bad));
	ASSERT_OK(doca_task_submit(bad));
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.to_idle));
	EXPECT_ERR(INVALID_VALUE, self->statuses[0]);
	ASSERT_OK(probe_start(probe));
	probe->bed.to_idle = 0;
	self->nr_statuses = 0;
}

TEST_F(refused, a_buffer_that_was_released)
{
	fails_alone(_metadata, self, true);
	fails_alone(_metadata, self, false);
}

TEST_HARNESS_MAIN
