// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA contexts on a fake device: connections, starts and stops. */
#include "fault.h"
#include "rdma_bed.h"

static uint32_t a_number;

/* Allocate with the connection @c; there are as many tasks as @status allows. */
#define ALLOC_ONE(kind, error, ...)                                                         \
	do {                                                                                \
		struct doca_rdma_task_##kind *new_;                                         \
                                                                                            \
		ERR(doca_rdma_task_##kind##_allocate_init(rb.rdma[0], __VA_ARGS__, no_data, \
							  &new_),                           \
		    error);                                                                 \
	} while (0)
#define ALLOC_ALL(error, c)                                            \
	do {                                                           \
		ALLOC_ONE(send, error, c, NULL);                       \
		ALLOC_ONE(send_imm, error, c, NULL, 0);                \
		ALLOC_ONE(read, error, c, NULL, NULL);                 \
		ALLOC_ONE(write, error, c, NULL, NULL);                \
		ALLOC_ONE(write_imm, error, c, NULL, NULL, 0);         \
		ALLOC_ONE(atomic_cmp_swp, error, c, NULL, NULL, 0, 0); \
		ALLOC_ONE(atomic_fetch_add, error, c, NULL, NULL, 0);  \
	} while (0)

TEST(tasks_are_for_open_connections_of_their_context)
{
	struct doca_task *tasks[8 * RDMA_NR];
	struct doca_rdma_connection *first;
	unsigned int n = 0;

	rdma_begin();
	first = rb.conn[0];
	ALLOC_ALL(INVALID_VALUE, rb.conn[1]);
	for (int i = 0; i < RDMA_NR; i++) {
		struct doca_rdma_task_receive *receive = NULL;

		tasks[n++] = a_send(NULL);
		tasks[n++] = a_send_imm(NULL, 0);
		tasks[n++] = a_read(NULL, NULL);
		tasks[n++] = a_write(NULL, NULL);
		tasks[n++] = a_write_imm(NULL, NULL, 0);
		tasks[n++] = a_cmp_swp(NULL, NULL, 0, 0);
		tasks[n++] = a_fetch_add(NULL, NULL, 0);
		OK(doca_rdma_task_receive_allocate_init(rb.rdma[0], NULL, no_data, &receive));
		tasks[n++] = doca_rdma_task_receive_as_task(receive);
	}
	ALLOC_ALL(NO_MEMORY, first);
	ALLOC_ONE(receive, NO_MEMORY, NULL);
	while (n)
		doca_task_free(tasks[--n]);
	OK(doca_rdma_connection_disconnect(first));
	logged();
	ALLOC_ALL(INVALID_VALUE, first);
	connect_both();
	submit(a_receive(NULL));
	ERR(doca_ctx_stop(ctx_of(1)), IN_PROGRESS);
	for (int i = 0; i < 2; i++) {
		struct doca_rdma *last = rb.rdma[0];

		rb.rdma[0] = rb.rdma[1];
		if (i)
			ALLOC_ALL(BAD_STATE, rb.conn[1]);
		else
			ALLOC_ONE(receive, BAD_STATE, NULL);
		rb.rdma[0] = last;
	}
	logged();
	rdma_end();
}

TEST(connections_have_numbers_and_data)
{
	union doca_data data = { .u64 = 5 };

	rdma_begin();
	for (uint32_t i = 1; i < 4; i++) {
		OK(doca_rdma_connection_get_id(rb.conn[0], &a_number));
		EXPECT_EQ(a_number, i);
		connect_both();
	}
	OK(doca_rdma_connection_get_user_data(rb.conn[0], &data));
	EXPECT_EQ(data.u64, 0);
	data.u64 = 7;
	OK(doca_rdma_connection_set_user_data(rb.conn[0], data));
	data.u64 = 0;
	OK(doca_rdma_connection_get_user_data(rb.conn[0], &data));
	EXPECT_EQ(data.u64, 7);
	rdma_end();
}

/* A slot is free again when the program has disconnected, and nothing is in flight. */
TEST(connections_are_counted)
{
	struct doca_rdma_connection *connection, *first;
	const void *details;
	size_t size;

	rdma_set_up();
	OK(doca_rdma_set_max_num_connections(rb.rdma[0], 2));
	ERR(doca_rdma_export(rb.rdma[0], &details, &size, &connection), BAD_STATE);
	rdma_start();
	connect_both();
	first = rb.conn[0];
	connect_both();
	logged();
	FAILS(doca_rdma_export(rb.rdma[0], &details, &size, &connection), FULL,
	      "its 2 connections");
	hca.holds = true;
	rb.then = drop;
	submit(a_send(NULL));
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	ERR(doca_rdma_export(rb.rdma[0], &details, &size, &connection), FULL);
	hca.holds = false;
	hca_go();
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	OK(doca_rdma_export(rb.rdma[0], &details, &size, &connection));
	EXPECT(connection == rb.conn[0]);
	EXPECT_EQ(connection->id, 3);
	OK(doca_rdma_connection_disconnect(first));
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
	hca.qp_error = ENOMEM;
	logged();
	FAILS(doca_rdma_export(rb.rdma[0], &details, &size, &connection), DRIVER, "RLIMIT_MEMLOCK");
	hca.qp_error = 0;
	fault_at(FAULT_ALLOC, 1);
	rb.rdma[1]->set.max_connections = 64;
	ERR(doca_rdma_export(rb.rdma[1], &details, &size, &connection), NO_MEMORY);
	fault_at(FAULT_ALLOC, 0);
	logged();
	rdma_end();
}

/* Messages that have come are told with their connection, also when it is disconnected. */
TEST(a_connection_stays_for_its_last_messages)
{
	struct doca_rdma_connection *connection = NULL;
	struct doca_task *tasks[6];
	const void *details;
	size_t size;

	rdma_set_up();
	OK(doca_rdma_set_max_num_connections(rb.rdma[1], 1));
	rdma_start();
	connect_both();
	for (int i = 0; i < 6; i++) {
		tasks[i] = i < 3 ? a_receive(NULL) : a_send(NULL);
		submit(tasks[i]);
	}
	OK(doca_rdma_connection_disconnect(rb.conn[1]));
	FAILS(doca_rdma_export(rb.rdma[1], &details, &size, &connection), FULL,
	      "its 1 connections");
	EXPECT_EQ(hca.qps, 2);
	while (rb.nr < 6 && doca_pe_progress(bed.pe))
		if (took()[0] == 'R')
			EXPECT(doca_rdma_task_receive_get_result_rdma_connection(rb.receive) ==
			       rb.conn[1]);
	EXPECT_EQ(rb.nr, 6);
	for (int i = 0; i < 6; i++)
		drop(tasks[i]);
	OK(doca_rdma_export(rb.rdma[1], &details, &size, &connection));
	EXPECT_EQ(hca.qps, 2);
	rdma_end();
}

TEST(details_that_do_not_fit)
{
	static const uint8_t zero[RDMA_DESC_SIZE];
	struct doca_rdma_connection *connection = NULL, *other = NULL;
	uint8_t copy[RDMA_DESC_SIZE + 1] = { 0 };
	const void *details, *theirs;
	size_t size;

	rdma_set_up();
	rdma_start();
	OK(doca_rdma_export(rb.rdma[0], &details, &size, &connection));
	OK(doca_rdma_export(rb.rdma[1], &theirs, &size, &other));
	EXPECT_EQ(size, RDMA_DESC_SIZE);
	memcpy(copy, theirs, size);
	for (size_t n = 1; n <= sizeof(copy); n++)
		if (n != size)
			ERR(doca_rdma_connect(rb.rdma[0], copy, n, connection), CONNECTION_ABORTED);
	for (size_t bit = 0; bit < 8 * size; bit++) {
		copy[bit / 8] ^= 1 << bit % 8;
		ERR(doca_rdma_connect(rb.rdma[0], copy, size, connection), CONNECTION_ABORTED);
		copy[bit / 8] ^= 1 << bit % 8;
	}
	ERR(doca_rdma_connect(rb.rdma[0], zero, size, connection), CONNECTION_ABORTED);
	other->here.ethernet = false;
	rdma_desc_write(copy, &other->here);
	logged();
	FAILS(doca_rdma_connect(rb.rdma[0], copy, size, connection), CONNECTION_ABORTED,
	      "another kind of link");
	hca.rtr_error = ETIMEDOUT;
	FAILS(doca_rdma_connect(rb.rdma[0], theirs, size, connection), CONNECTION_ABORTED,
	      "from ::ffff:192.0.2.1 to ::ffff:192.0.2.1");
	hca.rtr_error = 0;
	ERR(doca_rdma_connect(rb.rdma[0], theirs, size, other), INVALID_VALUE);
	ERR(doca_rdma_connect(rb.rdma[0], theirs, 0, connection), INVALID_VALUE);
	OK(doca_rdma_connect(rb.rdma[0], theirs, size, connection));
	logged();
	FAILS(doca_rdma_connect(rb.rdma[0], theirs, size, connection), BAD_STATE,
	      "connected before");
	EXPECT_EQ(hca.rtr.path_mtu, IBV_MTU_1024);
	EXPECT_EQ(hca.rtr.ah_attr.grh.sgid_index, 3);
	EXPECT_EQ(hca.rts.max_rd_atomic, 16);
	EXPECT_EQ(hca.rts.rnr_retry, 7);
	rdma_end();
}

/* The smaller MTU of both sides, and the settings of each. */
TEST(a_connection_has_what_both_sides_can)
{
	enum doca_mtu_size mtu = DOCA_MTU_SIZE_4K_BYTES;
	const void *details;
	size_t size;
	struct doca_task *base;

	rdma_set_up();
	OK(doca_rdma_set_mtu(rb.rdma[1], DOCA_MTU_SIZE_256_BYTES));
	OK(doca_rdma_set_sl(rb.rdma[0], 3));
	OK(doca_rdma_set_rnr_retry_count(rb.rdma[1], 2));
	OK(doca_rdma_set_gid_index(rb.rdma[1], 2));
	rdma_start();
	connect_both();
	EXPECT_EQ(hca.rtr.path_mtu, IBV_MTU_256);
	EXPECT_EQ(hca.rts.rnr_retry, 2);
	EXPECT_EQ(hca.rtr.ah_attr.grh.sgid_index, 2);
	OK(doca_rdma_get_mtu(rb.rdma[0], &mtu));
	EXPECT_EQ(mtu, DOCA_MTU_SIZE_256_BYTES);
	/* one that is not connected yet takes tasks, and fails them */
	OK(doca_rdma_export(rb.rdma[0], &details, &size, &rb.conn[0]));
	base = a_send(NULL);
	EXPECT_STR(run_one(base), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_NOT_CONNECTED);
	EXPECT_LOGGED("not connected yet");
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
	drop(base);
	rdma_end();
}

TEST(starts_that_fail)
{
	static const struct {
		int *error;
		const char *why;
	} cases[] = {
		{ &hca.port_error, "port" },	   { &hca.gid_error, "GID" },
		{ &hca.channel_error, "channel" }, { &hca.cq_error, "completion queue" },
		{ &hca.srq_error, "receives" },
	};

	rdma_set_up();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		*cases[i].error = ENOMEM;
		FAILS(doca_ctx_start(ctx_of(0)), INITIALIZATION, cases[i].why);
		*cases[i].error = 0;
	}
	OK(doca_rdma_set_gid_index(rb.rdma[0], 4));
	FAILS(doca_ctx_start(ctx_of(0)), INVALID_VALUE, "entry 4");
	OK(doca_rdma_set_gid_index(rb.rdma[0], 0));
	OK(doca_rdma_task_send_set_conf(rb.rdma[0], send_done, send_failed, 400));
	FAILS(doca_ctx_start(ctx_of(0)), INVALID_VALUE, "completions");
	OK(doca_rdma_task_send_set_conf(rb.rdma[0], send_done, send_failed, 1));
	ERR(doca_rdma_task_send_set_conf(rb.rdma[0], send_done, send_failed, 401), INVALID_VALUE);
	logged();
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(ctx_of(0)), INITIALIZATION,
		      OK(doca_ctx_stop(ctx_of(0))));
	logged();
	rdma_end();
}

/* A responder needs no task: its peers do all. */
TEST(a_context_without_tasks)
{
	struct doca_task *task;

	rdma_set_up();
	OK(doca_rdma_destroy(rb.rdma[1]));
	OK(doca_rdma_create(rb.dev, &rb.rdma[1]));
	OK(doca_rdma_set_permissions(rb.rdma[1], DOCA_ACCESS_FLAG_RDMA_WRITE));
	OK(doca_pe_connect_ctx(bed.pe, ctx_of(1)));
	rdma_start();
	connect_both();
	task = a_write(local_data(0, 8), a_buf(rb.peers, 40000, 0, 8));
	EXPECT_STR(run_one(task), "S");
	drop(task);
	OK(doca_ctx_stop(ctx_of(1)));
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	rdma_end();
}

/* Receives end behind all others, in their order, when nobody can write to their memory. */
TEST(a_stop_ends_all)
{
	struct doca_task *receives[3];

	rdma_begin();
	for (int i = 0; i < 3; i++) {
		receives[i] = a_receive(local_room(40000, 8));
		OK(doca_task_submit_ex(receives[i], i == 2 ? 0 : DOCA_TASK_SUBMIT_FLAG_FLUSH));
	}
	ERR(doca_ctx_stop(ctx_of(1)), IN_PROGRESS);
	EXPECT_EQ(hca.qps, 2);
	for (int i = 0; i < 3; i++) {
		EXPECT(doca_pe_progress(bed.pe));
		EXPECT_STR(took(), "X");
		EXPECT(rb.task == receives[i]);
		EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
		EXPECT(!doca_rdma_task_receive_get_result_rdma_connection(rb.receive));
		EXPECT_EQ(hca.qps, 1);
	}
	for (int i = 0; i < 3; i++)
		drop(receives[i]);
	rdma_end();
}

TEST(a_stop_ends_what_was_posted_and_what_was_not)
{
	rdma_set_up();
	OK(doca_rdma_set_send_queue_size(rb.rdma[0], 2));
	rdma_start();
	connect_both();
	hca.holds = true;
	rb.then = drop;
	for (int i = 0; i < 5; i++)
		submit(a_write(local_data(i, 1), a_buf(rb.peers, 40000 + i, 0, 1)));
	hca_run(1);
	ERR(doca_ctx_stop(ctx_of(0)), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 1);
	begin_wait();
	hca_run(2);
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "SEEEE");
	for (int i = 1; i < 5; i++)
		EXPECT_EQ(rb.statuses[i], DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	hca.holds = false;
	rdma_end();
}

/* A context that waits for the program to free a task has nothing to wake it for. */
TEST(a_stop_waits_for_tasks_without_waking)
{
	struct doca_task *task;

	rdma_begin();
	task = a_send(NULL);
	ERR(doca_ctx_stop(ctx_of(0)), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 0);
	begin_wait();
	doca_task_free(task);
	woken();
	drain(bed.pe);
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	rdma_end();
}

/* A device that gives nothing back has two seconds. */
TEST(a_stop_is_bounded)
{
	rdma_begin();
	hca.holds = true;
	rb.then = drop;
	submit(a_send(NULL));
	submit(a_send(NULL));
	hca.keeps = true;
	clock_stop(0);
	ERR(doca_ctx_stop(ctx_of(0)), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 0);
	clock_advance(1999999999);
	EXPECT_EQ(drain(bed.pe), 0);
	clock_advance(1);
	drain(bed.pe);
	clock_go_on();
	EXPECT_STR(took(), "EE");
	EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	hca.keeps = false;
	hca.holds = false;
	rdma_end();
}

/* The device's objects are the parent's; the child fails what it has in flight, and lets go. */
TEST(the_child_of_a_fork)
{
	static const void *parents[8];
	const void *details;
	unsigned int n = 0;
	size_t size;

	rdma_begin();
	for (int i = 0; i < 2; i++) {
		parents[n++] = rb.rdma[i]->srq;
		parents[n++] = rb.rdma[i]->cq;
		parents[n++] = rb.rdma[i]->channel;
	}
	parents[n] = rb.rdma[0]->pd;
	hca.holds = true;
	rb.then = drop;
	submit(a_send(NULL));
	fake_fork();
	FAILS(doca_rdma_connection_disconnect(rb.conn[0]), BAD_STATE, "forked");
	FAILS(doca_rdma_export(rb.rdma[0], &details, &size, &rb.conn[1]), BAD_STATE, "forked");
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_IO_FAILED);
	for (int i = 0; i < 2; i++) {
		doca_ctx_stop(ctx_of(i));
		drain(bed.pe);
		EXPECT_EQ(rdma_state(i), DOCA_CTX_STATE_IDLE);
		OK(doca_rdma_destroy(rb.rdma[i]));
	}
	EXPECT_EQ(hca.qps, 2);
	EXPECT_EQ(hca.srqs, 2);
	EXPECT_EQ(hca.cqs, 2);
	OK(doca_pe_destroy(bed.pe));
	OK(doca_buf_inventory_destroy(bed.inv));
	OK(doca_mmap_destroy(rb.peers));
	OK(doca_mmap_destroy(rb.mmap));
	rb.dev->pd = NULL; /* as the handler of forks leaves it */
	OK(doca_dev_close(rb.dev));
	EXPECT(parents[n]);
	logged();
}

TEST(nothing_is_on_a_dpa_or_gpu)
{
	struct doca_gpu_dev_rdma *gpu;
	doca_dpa_dev_rdma_t dpa;

	rdma_set_up();
	FAILS(doca_rdma_get_dpa_handle(rb.rdma[0], &dpa), NOT_SUPPORTED, "DPA");
	FAILS(doca_rdma_get_gpu_handle(rb.rdma[0], &gpu), NOT_SUPPORTED, "GPU");
	FAILS(doca_rdma_dpa_completion_attach(rb.rdma[0], (void *)bed.mem), NOT_SUPPORTED, "DPA");
	rdma_end();
}

TEST(creating_without_memory)
{
	struct doca_rdma *rdma = NULL;

	rdma_set_up();
	EXPECT_FAULTS(FAULT_ALLOC, doca_rdma_create(rb.dev, &rdma), NO_MEMORY,
		      OK(doca_rdma_destroy(rdma)));
	logged();
	rdma_end();
}
