// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA contexts that lose their completion queue, on a fake device. */
#include "rdma_bed.h"

static void drop_cut(struct doca_task *task)
{
	EXPECT(!rb.conn[0]->qp);
	drop(task);
}

/* No queue pair is left that could use the memory of tasks which have failed. */
TEST(a_completion_queue_that_fails_ends_all)
{
	rdma_begin();
	rb.then = drop_cut;
	hca.holds = true;
	submit(a_send(NULL));
	submit(a_send(NULL));
	hca.poll_error = EIO;
	drain(bed.pe);
	EXPECT_STR(took(), "EE");
	EXPECT_EQ(rb.status, DOCA_ERROR_IO_FAILED);
	EXPECT(strstr(logged(), "completion queue has failed"));
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	hca.poll_error = 0;
	hca.holds = false;
	rdma_end();
}

/* The receives in the common queue have failed, so nobody may write to their memory. */
static void reconnect(struct doca_task *task)
{
	struct doca_rdma_connection *connection = NULL;
	const void *details;
	size_t size;

	drop(task);
	hca.poll_error = 0;
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_RUNNING);
	logged();
	FAILS(doca_rdma_export(rb.rdma[1], &details, &size, &connection), BAD_STATE,
	      "is not running");
}

TEST(no_connection_is_made_after_it)
{
	rdma_begin();
	rb.then = reconnect;
	submit(a_receive(local_room(0, 8)));
	hca.poll_error = EIO;
	OK(doca_rdma_connection_disconnect(rb.conn[1]));
	EXPECT(drain(bed.pe));
	EXPECT_STR(took(), "X");
	logged();
	rdma_end();
}

/* A stop that waited for the device waits for the program alone. */
TEST(a_stop_has_no_deadline_after_it)
{
	struct doca_task *task;

	rdma_begin();
	hca.holds = hca.keeps = true;
	task = a_send(NULL);
	submit(task);
	clock_stop(0);
	ERR(doca_ctx_stop(ctx_of(0)), IN_PROGRESS);
	EXPECT(ctx_of(0)->deadline);
	hca.poll_error = EIO;
	drain(bed.pe);
	hca.poll_error = 0;
	EXPECT_STR(took(), "E");
	EXPECT_EQ(ctx_of(0)->deadline, 0);
	logged();
	clock_go_on();
	hca.holds = hca.keeps = false;
	drop(task);
	rdma_end();
}
