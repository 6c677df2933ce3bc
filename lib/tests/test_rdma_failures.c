// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA tasks that fail, on a fake device: their codes, their order, and what goes on. */
#include "rdma_bed.h"

#define SECOND 1000000000ull

static struct doca_task *a_good_write(unsigned int i)
{
	return a_write(local_data(i, 1), a_buf(rb.peers, 40000 + i, 0, 1));
}

TEST(each_status_has_a_code)
{
	static const struct {
		enum ibv_wc_status status;
		doca_error_t error;
		const char *why;
	} cases[] = {
		{ IBV_WC_LOC_LEN_ERR, DOCA_ERROR_INVALID_VALUE, "longer than" },
		{ IBV_WC_LOC_QP_OP_ERR, DOCA_ERROR_IO_FAILED, "link is down" },
		{ IBV_WC_LOC_PROT_ERR, DOCA_ERROR_NOT_PERMITTED, "local memory" },
		{ IBV_WC_WR_FLUSH_ERR, DOCA_ERROR_IO_FAILED, "connection was broken" },
		{ IBV_WC_BAD_RESP_ERR, DOCA_ERROR_IO_FAILED, "something else" },
		{ IBV_WC_REM_INV_REQ_ERR, DOCA_ERROR_INVALID_VALUE, "refuses" },
		{ IBV_WC_REM_ACCESS_ERR, DOCA_ERROR_NOT_PERMITTED, "may have been stopped" },
		{ IBV_WC_REM_OP_ERR, DOCA_ERROR_IO_FAILED, "could not do it" },
		{ IBV_WC_RNR_RETRY_EXC_ERR, DOCA_ERROR_TIME_OUT, "receive task" },
		{ IBV_WC_REM_ABORT_ERR, DOCA_ERROR_DRIVER, "given up" },
		{ IBV_WC_FATAL_ERR, DOCA_ERROR_DRIVER, "device has failed" },
		{ IBV_WC_GENERAL_ERR, DOCA_ERROR_IO_FAILED, "does not say" },
		{ IBV_WC_TM_ERR, DOCA_ERROR_IO_FAILED, "unknown" },
		{ 1000, DOCA_ERROR_IO_FAILED, "unknown" },
	};
	struct doca_task *task;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rdma_begin();
		connect_both(); /* another one, so that the context goes on */
		hca.status = cases[i].status;
		task = a_good_write(0);
		EXPECT_STR(run_one(task), "E");
		EXPECT_EQ(doca_task_get_status(task), cases[i].error);
		EXPECT_LOGGED(cases[i].why);
		drop(task);
		rdma_end();
	}
}

/* Before it all succeed, behind it all are flushed; then the connection takes none. */
TEST(a_task_that_fails_breaks_its_connection)
{
	struct doca_rdma_connection *broken;
	struct doca_task *task;

	rdma_begin();
	connect_both();
	broken = rb.conn[0];
	connect_both();
	hca.holds = true;
	rb.then = drop;
	for (int i = 0; i < 6; i++) {
		task = a_good_write(i);
		doca_rdma_task_write_set_rdma_connection((void *)task, broken);
		submit(task);
	}
	hca_run(2);
	hca.status = IBV_WC_REM_ACCESS_ERR;
	hca_run(6);
	drain(bed.pe);
	EXPECT_STR(took(), "SSEEEE");
	EXPECT_EQ(rb.statuses[2], DOCA_ERROR_NOT_PERMITTED);
	for (int i = 3; i < 6; i++)
		EXPECT_EQ(rb.statuses[i], DOCA_ERROR_SHUTDOWN);
	EXPECT_LOGGED("connection 2 is broken");
	hca.holds = false;
	task = a_good_write(7);
	EXPECT_STR(run_one(task), "S");
	task = a_good_write(8);
	doca_rdma_task_write_set_rdma_connection((void *)task, broken);
	EXPECT_STR(run_one(task), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_NOT_CONNECTED);
	EXPECT_LOGGED("not connected any more");
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
	rdma_end();
}

/* A task of a connection that has ended does not go to another peer. */
TEST(a_task_stays_with_its_connection)
{
	struct doca_rdma_connection *first;
	struct doca_task *task;

	rdma_set_up();
	OK(doca_rdma_set_max_num_connections(rb.rdma[0], 1));
	rdma_start();
	connect_both();
	first = rb.conn[0];
	task = a_good_write(0);
	OK(doca_rdma_connection_disconnect(first));
	connect_both();
	EXPECT(rb.conn[0] == first);
	EXPECT_STR(run_one(task), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_NOT_CONNECTED);
	EXPECT_LOGGED("connection 1 is not connected any more");
	doca_rdma_task_write_set_rdma_connection((void *)task, first);
	EXPECT_STR(run_one(task), "S");
	drop(task);
	rdma_end();
}

/* Tasks that are not posted yet end behind those that are. */
TEST(what_waits_for_room_fails_as_well)
{
	rdma_set_up();
	OK(doca_rdma_set_send_queue_size(rb.rdma[0], 2));
	rdma_start();
	connect_both();
	connect_both();
	hca.holds = true;
	rb.then = drop;
	for (int i = 0; i < 6; i++)
		submit(a_good_write(i));
	hca.status = IBV_WC_LOC_PROT_ERR;
	hca_run(1);
	drain(bed.pe);
	hca_run(1);
	drain(bed.pe);
	EXPECT_STR(took(), "EEEEEE");
	EXPECT_EQ(rb.statuses[0], DOCA_ERROR_NOT_PERMITTED);
	for (int i = 1; i < 6; i++)
		EXPECT_EQ(rb.statuses[i], DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(hca.posted, 2);
	EXPECT_LOGGED("connection 2 is broken");
	rdma_end();
}

TEST(the_last_connection_stops_its_context)
{
	struct doca_task *task;

	rdma_begin();
	rb.then = drop;
	hca.status = IBV_WC_REM_OP_ERR;
	task = a_good_write(0);
	EXPECT_STR(run_one(task), "E");
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_RUNNING);
	EXPECT(strstr(logged(), "no connection is left"));
	OK(doca_ctx_start(ctx_of(0)));
	connect_both();
	EXPECT_STR(run_one(a_good_write(0)), "S");
	rdma_end();
}

/* Tasks that the device must not get: doca_task_try_submit() says the same, and breaks nothing. */
static void refuse(struct doca_task *task, doca_error_t error, const char *why)
{
	rb.then = NULL;
	logged();
	EXPECT_EQ(doca_task_try_submit(task), error);
	EXPECT_LOGGED(why);
	EXPECT_EQ(values_of(task)->connection->state, RDMA_READY);
	EXPECT_STR(run_one(task), "E");
	EXPECT_EQ(doca_task_get_status(task), error);
	EXPECT(strstr(logged(), why));
	EXPECT_EQ(values_of(task)->connection->state, RDMA_BROKEN);
	drop(task);
	connect_both();
}

static struct doca_buf *long_list(unsigned int n)
{
	struct doca_buf *list = local_data(0, 1);

	while (--n)
		OK(doca_buf_chain_list(list, local_data(n, 1)));
	return list;
}

TEST(bad_buffers)
{
	struct doca_mmap *only_read, *import;
	struct doca_buf *buf;

	rdma_begin();
	connect_both();
	only_read = new_rdma_mmap(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_READ);
	import = new_import(only_read);
	only_read->writable = false;
	refuse(a_send(long_list(33)), DOCA_ERROR_INVALID_VALUE, "more than 32 buffers");
	refuse(a_send(a_buf(rb.peers, 0, 8, 0)), DOCA_ERROR_INVALID_VALUE, "another process");
	refuse(a_write(local_data(0, 8), local_room(0, 8)), DOCA_ERROR_INVALID_VALUE,
	       "not memory of a peer");
	refuse(a_write(local_data(0, 8), NULL), DOCA_ERROR_INVALID_VALUE, "room for 0");
	refuse(a_write(local_data(0, 9), a_buf(rb.peers, 0, 0, 8)), DOCA_ERROR_INVALID_VALUE,
	       "9 bytes of data");
	refuse(a_write(local_data(0, 8), a_buf(import, 0, 0, 8)), DOCA_ERROR_NOT_PERMITTED,
	       "RDMA_WRITE");
	buf = a_buf(rb.peers, 0, 8, 0);
	OK(doca_buf_chain_list(buf, a_buf(rb.peers, 100, 8, 0)));
	refuse(a_read(buf, local_room(0, 16)), DOCA_ERROR_INVALID_VALUE, "is one buffer");
	refuse(a_read(NULL, local_room(0, 8)), DOCA_ERROR_INVALID_VALUE, "is missing");
	refuse(a_read(a_buf(rb.peers, 0, 9, 0), local_room(0, 8)), DOCA_ERROR_INVALID_VALUE,
	       "room for 8");
	refuse(a_read(a_buf(rb.peers, 0, 8, 0), a_buf(only_read, 0, 0, 8)),
	       DOCA_ERROR_NOT_PERMITTED, "does not allow writes");
	refuse(a_fetch_add(a_buf(rb.peers, 4, 8, 0), local_room(0, 8), 1), DOCA_ERROR_INVALID_VALUE,
	       "multiple");
	refuse(a_fetch_add(a_buf(rb.peers, 0, 7, 0), local_room(0, 8), 1), DOCA_ERROR_INVALID_VALUE,
	       "multiple");
	refuse(a_fetch_add(a_buf(rb.peers, 0, 8, 0), local_room(0, 7), 1), DOCA_ERROR_INVALID_VALUE,
	       "room for 7");
	buf = local_room(0, 4);
	OK(doca_buf_chain_list(buf, local_room(100, 4)));
	refuse(a_fetch_add(a_buf(rb.peers, 0, 8, 0), buf, 1), DOCA_ERROR_INVALID_VALUE,
	       "room for 4");
	buf = local_data(0, 8);
	OK(doca_buf_set_data_len(buf, 4));
	OK(doca_buf_set_data_len(buf, 9));
	refuse(a_send(buf), DOCA_ERROR_INVALID_VALUE, "not within its memory");
	OK(doca_mmap_destroy(import));
	only_read->writable = true;
	OK(doca_mmap_destroy(only_read));
	rdma_end();
}

TEST(more_than_the_device_moves)
{
	struct doca_task *task;
	struct doca_buf *list;

	rdma_set_up();
	hca.port.max_msg_sz = 64;
	OK(doca_rdma_destroy(rb.rdma[0]));
	rdma_renumber(1000);
	new_context(0);
	rdma_renumber(-1000);
	rdma_start();
	connect_both();
	connect_both();
	refuse(a_send(local_data(0, 65)), DOCA_ERROR_INVALID_VALUE, "65 bytes are more");
	list = local_data(0, 40);
	OK(doca_buf_chain_list(list, local_data(100, 40)));
	refuse(a_send(list), DOCA_ERROR_INVALID_VALUE, "80 bytes are more");
	refuse(a_read(a_buf(rb.peers, 0, 65, 0), local_room(0, 100)), DOCA_ERROR_INVALID_VALUE,
	       "65 bytes are more");
	task = a_write(local_data(0, 64), a_buf(rb.peers, 40000, 0, 64));
	EXPECT_STR(run_one(task), "S");
	drop(task);
	rdma_end();
}

TEST(memory_that_cannot_be_registered)
{
	struct doca_mmap *mmap;

	rdma_begin();
	connect_both();
	mmap = new_rdma_mmap(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	hca.mr_error = ENOMEM;
	refuse(a_send(a_buf(mmap, 0, 8, 0)), DOCA_ERROR_NO_MEMORY, "RLIMIT_MEMLOCK");
	hca.mr_error = EOPNOTSUPP;
	refuse(a_send(a_buf(mmap, 0, 8, 0)), DOCA_ERROR_NOT_SUPPORTED, "register");
	hca.mr_error = EIO;
	refuse(a_send(a_buf(mmap, 0, 8, 0)), DOCA_ERROR_DRIVER, "register");
	hca.mr_error = 0;
	OK(doca_mmap_destroy(mmap));
	rdma_end();
}

TEST(a_connection_that_is_not_connected_yet)
{
	const void *details;
	struct doca_task *task;
	size_t size;

	rdma_begin();
	OK(doca_rdma_export(rb.rdma[0], &details, &size, &rb.conn[0]));
	task = a_send(NULL);
	FAILS(doca_task_try_submit(task), NOT_CONNECTED, "not connected");
	drop(task);
	rdma_end();
}

/* A receive belongs to no connection, so one that cannot be used stops the context. */
TEST(bad_receives)
{
	struct doca_task *task;

	rdma_begin();
	rb.then = drop;
	task = a_receive(a_buf(rb.peers, 0, 0, 8));
	ERR(doca_task_try_submit(task), INVALID_VALUE);
	EXPECT_STR(run_one(task), "X");
	EXPECT_EQ(rb.status, DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	logged();
	rdma_end();
}

TEST(a_message_that_is_too_long_fails_on_both_sides)
{
	rdma_begin();
	connect_both();
	rb.then = drop;
	submit(a_receive(local_room(40000, 7)));
	EXPECT_STR(run_one(a_send(local_data(0, 8))), "XE");
	EXPECT_EQ(rb.statuses[0], DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(rb.statuses[1], DOCA_ERROR_IO_FAILED);
	EXPECT(strstr(logged(), "longer than the buffer"));
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_RUNNING);
	rdma_end();
}

TEST(peers_do_what_they_may)
{
	rdma_set_up();
	OK(doca_rdma_set_permissions(rb.rdma[1], DOCA_ACCESS_FLAG_RDMA_READ));
	rdma_start();
	connect_both();
	connect_both();
	EXPECT_EQ(hca.flags, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	rb.then = drop;
	EXPECT_STR(run_one(a_read(a_buf(rb.peers, 0, 8, 0), local_room(40000, 8))), "S");
	EXPECT_STR(run_one(a_good_write(0)), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("doca_rdma_set_permissions()");
	rdma_end();
}

TEST(a_request_that_the_device_does_not_take)
{
	rdma_begin();
	connect_both();
	connect_both();
	rb.then = drop;
	hca.post_error = ENOMEM;
	hca.post_good = 1;
	for (int i = 0; i < 3; i++)
		OK(doca_task_submit_ex(a_good_write(i), 0));
	drain(bed.pe);
	EXPECT_STR(took(), "SEE");
	EXPECT_EQ(rb.statuses[1], DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(rb.statuses[2], DOCA_ERROR_SHUTDOWN);
	EXPECT(strstr(logged(), "does not take it"));
	connect_both();
	hca.post_error = EINVAL;
	hca.post_good = 0;
	EXPECT_STR(run_one(a_good_write(0)), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_INVALID_VALUE);
	hca.post_error = 0;
	connect_both();
	hca.holds = true;
	hca.doorbell_error = EIO;
	submit(a_good_write(0));
	hca.doorbell_error = 0;
	hca.holds = false;
	hca_go();
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
	logged();
	hca.receive_error = ENOMEM;
	EXPECT_STR(run_one(a_receive(NULL)), "X");
	EXPECT_EQ(rb.status, DOCA_ERROR_IO_FAILED);
	logged();
	rdma_end();
}

TEST(a_completion_of_no_task_is_dropped)
{
	struct doca_task *task;

	rdma_begin();
	hca.stray = true;
	task = a_good_write(0);
	EXPECT_STR(run_one(task), "S");
	EXPECT_LOGGED("please report this");
	drop(task);
	rdma_end();
}

/* Export a connection of the requester to a peer that connects only later. */
static const void *details_of(int side, struct doca_rdma_connection **connection)
{
	const void *details = NULL;
	size_t size;

	OK(doca_rdma_export(rb.rdma[side], &details, &size, connection));
	return details;
}

TEST(a_late_peer_gets_each_task_once)
{
	const void *details[2];

	rdma_set_up();
	rdma_start();
	for (int i = 0; i < 2; i++)
		details[i] = details_of(i, &rb.conn[i]);
	OK(doca_rdma_connect(rb.rdma[0], details[1], RDMA_DESC_SIZE, rb.conn[0]));
	rb.then = drop;
	hca.holds = true;
	for (int i = 0; i < 4; i++)
		submit(a_good_write(i));
	for (int i = 0; i < 10; i++) {
		hca_run(4);
		EXPECT_EQ(drain(bed.pe), 0);
		EXPECT_EQ(rb.conn[0]->state, RDMA_READY);
	}
	EXPECT_EQ(hca.rts.sq_psn, rb.conn[0]->here.psn);
	EXPECT_EQ(hca.rtr.rq_psn, 77);
	/* not all that was given up has come back */
	hca_run(2);
	submit(a_good_write(4));
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(rb.conn[0]->state, RDMA_REPEATING);
	hca_run(4);
	EXPECT_EQ(drain(bed.pe), 0);
	OK(doca_rdma_connect(rb.rdma[1], details[0], RDMA_DESC_SIZE, rb.conn[1]));
	hca.holds = false;
	hca_go();
	drain(bed.pe);
	EXPECT_STR(took(), "SSSSS");
	EXPECT(!memcmp(bed.mem + 40000, bed.mem, 5));
	/* from now on a peer that does not answer is gone */
	hca.status = IBV_WC_RETRY_EXC_ERR;
	EXPECT_STR(run_one(a_good_write(0)), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_CONNECTION_RESET);
	logged();
	rdma_end();
}

/* A peer that never comes, in the time that is given to it. */
static void give_up(const char *seconds, uint64_t wait, const char *words)
{
	const void *details[2];

	rdma_set_up();
	if (seconds)
		setenv("DOCA_RDMA_FIRST_CONTACT", seconds, 1);
	rdma_start();
	for (int i = 0; i < 2; i++)
		details[i] = details_of(i, &rb.conn[i]);
	OK(doca_rdma_connect(rb.rdma[0], details[1], RDMA_DESC_SIZE, rb.conn[0]));
	rb.then = drop;
	hca.holds = true;
	clock_stop(0);
	submit(a_good_write(0));
	submit(a_good_write(1));
	for (unsigned int i = 0; wait && i < 2; i++) {
		hca_run(2);
		EXPECT_EQ(drain(bed.pe), 0);
		clock_advance(i ? 1 : wait - 1);
	}
	hca_run(2);
	hca.holds = false;
	drain(bed.pe);
	clock_go_on();
	EXPECT_STR(took(), "EE");
	EXPECT_EQ(rb.statuses[0], DOCA_ERROR_CONNECTION_RESET);
	EXPECT_EQ(rb.statuses[1], DOCA_ERROR_SHUTDOWN);
	EXPECT(strstr(logged(), words));
	rdma_end();
}

TEST(patience_ends)
{
	give_up(NULL, 300 * SECOND, "does not answer");
	give_up("7", 7 * SECOND, "does not answer");
	give_up("0", 0, "does not answer");
	give_up("soon", 300 * SECOND, "is no number");
}

TEST(a_connection_that_cannot_begin_again)
{
	const void *details[2];

	rdma_set_up();
	rdma_start();
	for (int i = 0; i < 2; i++)
		details[i] = details_of(i, &rb.conn[i]);
	OK(doca_rdma_connect(rb.rdma[0], details[1], RDMA_DESC_SIZE, rb.conn[0]));
	rb.then = drop;
	hca.query_qp_error = EIO;
	submit(a_good_write(0));
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_CONNECTION_RESET);
	EXPECT(strstr(logged(), "cannot repeat"));
	rdma_end();
}

/* The context stops, or the program disconnects, while requests are on their way back. */
TEST(an_end_while_tasks_are_repeated)
{
	const void *details[2];

	for (int stop = 0; stop < 2; stop++) {
		rdma_set_up();
		rdma_start();
		for (int i = 0; i < 2; i++)
			details[i] = details_of(i, &rb.conn[i]);
		OK(doca_rdma_connect(rb.rdma[0], details[1], RDMA_DESC_SIZE, rb.conn[0]));
		rb.then = drop;
		hca.holds = true;
		for (int i = 0; i < 3; i++)
			submit(a_good_write(i));
		hca_run(1);
		drain(bed.pe);
		EXPECT_EQ(rb.conn[0]->state, RDMA_REPEATING);
		if (stop)
			ERR(doca_ctx_stop(ctx_of(0)), IN_PROGRESS);
		else
			OK(doca_rdma_connection_disconnect(rb.conn[0]));
		EXPECT_EQ(drain(bed.pe), 0);
		hca_run(3);
		drain(bed.pe);
		EXPECT_STR(took(), "EEE");
		for (int i = 0; i < 3; i++)
			EXPECT_EQ(rb.statuses[i], DOCA_ERROR_SHUTDOWN);
		hca.holds = false;
		rdma_end();
	}
}
