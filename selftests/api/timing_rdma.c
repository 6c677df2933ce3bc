// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A peer that does not answer holds nobody up: a task fails, or a context stops, in two seconds. */
#include "rdma_tasks.h"

#define BOUND 2.2 /* seconds: six tries more, of 0.27 s each, and what the library does */

FIXTURE(timing_rdma)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct rdma_side a, b;
};

FIXTURE_SETUP(timing_rdma)
{
	memset(&ended, 0, sizeof(ended));
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(rdma_make_side(&self->a, self->dev, self->pe, 4096));
	ASSERT_OK(rdma_make_side(&self->b, self->dev, self->pe, 4096));
	ASSERT_OK(rdma_start(&self->a, -1, RDMA_ALL));
	ASSERT_OK(rdma_start(&self->b, -1, RDMA_ALL));
	ASSERT_OK(rdma_connect_both(self->a.rdma, self->b.rdma, &self->a.connection,
				    &self->b.connection));
}

FIXTURE_TEARDOWN(timing_rdma)
{
	rdma_drop(_metadata, &self->a);
	rdma_drop(_metadata, &self->b);
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_dev_close(self->dev));
}

TEST_F(timing_rdma, peer_is_gone)
{
	struct doca_rdma_task_receive *receive = rdma_receive(&self->b, NULL, 0);
	struct doca_task *first, *task;
	double start;

	first = rdma_submit(&self->a, RDMA_SEND, self->a.connection, NULL, NULL, 0);
	ASSERT_TRUE(receive && first && rdma_await(self->pe, false, 2));
	/* A context that still has a task does not stop at once. */
	doca_task_free(doca_rdma_task_receive_as_task(receive));
	ASSERT_OK(doca_ctx_stop(self->b.ctx));
	start = bed_now();
	task = rdma_submit(&self->a, RDMA_SEND, self->a.connection, NULL, NULL, 0);
	ASSERT_TRUE(task && rdma_await(self->pe, true, 3));
	EXPECT_TRUE(bed_now() - start < BOUND);
	EXPECT_ERR(CONNECTION_RESET, ended.status);
	doca_task_free(first);
	doca_task_free(task);
}

/* The peer has no receive task, for which a task here waits for ever. */
TEST_F(timing_rdma, stop_while_a_task_waits)
{
	double start = bed_now();
	struct doca_task *task;

	task = rdma_submit(&self->a, RDMA_SEND, self->a.connection, NULL, NULL, 0);
	ASSERT_NE(NULL, task);
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(self->a.ctx));
	ASSERT_TRUE(rdma_await(self->pe, true, 1));
	EXPECT_TRUE(bed_now() - start < BOUND);
	EXPECT_ERR(SHUTDOWN, ended.status);
	doca_task_free(task);
}

TEST_HARNESS_MAIN
