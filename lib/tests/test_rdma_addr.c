// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA connections by address, on a fake device and a fake librdmacm. */
#include "fault.h"
#include "rdma_addr_bed.h"

static enum doca_rdma_addr_type a_type;
static const char *a_text;
static uint16_t a_port;

TEST(addresses_are_numbers)
{
	static const struct {
		enum doca_rdma_addr_type type;
		const char *text;
		bool good;
	} rows[] = {
		{ DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", true },
		{ DOCA_RDMA_ADDR_TYPE_IPv4, "2001:db8::1", false },
		{ DOCA_RDMA_ADDR_TYPE_IPv4, "localhost", false },
		{ DOCA_RDMA_ADDR_TYPE_IPv4, "", false },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "2001:db8::1", true },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "fe80::1%lo", true },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "fe80::1%nowhere", false },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "192.0.2.1", false },
		{ DOCA_RDMA_ADDR_TYPE_GID, "::ffff:192.0.2.1", true },
		{ DOCA_RDMA_ADDR_TYPE_GID, "fe80::1%lo", false },
		{ DOCA_RDMA_ADDR_TYPE_IPv6,
		  "2001:0db8:0000:0000:0000:0000:0000:0001%an_interface_of_a_long_name", false },
	};
	struct doca_rdma_addr *addr = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].good) {
			FAILS(doca_rdma_addr_create(rows[i].type, rows[i].text, 1, &addr),
			      INVALID_VALUE, "of numbers");
			continue;
		}
		OK(doca_rdma_addr_create(rows[i].type, rows[i].text, 65535, &addr));
		OK(doca_rdma_addr_get_params(addr, &a_type, &a_text, &a_port));
		EXPECT_EQ(a_type, rows[i].type);
		EXPECT_STR(a_text, rows[i].text);
		EXPECT_EQ(a_port, 65535);
		OK(doca_rdma_addr_destroy(addr));
	}
	logged();
	FAILS(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", 0, &addr), INVALID_VALUE,
	      "port is NULL or 0");
	FAILS(doca_rdma_addr_create(7, "192.0.2.1", 1, &addr), INVALID_VALUE, "addr_type");
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", 1, &addr),
		      NO_MEMORY, OK(doca_rdma_addr_destroy(addr)));
	logged();
}

/* Both ends hear of it, the responder when the requester has answered. */
TEST(two_sides_connect)
{
	struct doca_rdma_addr *addr = NULL;
	struct doca_task *task;

	addr_begin();
	EXPECT_EQ(cm.to.ss_family, AF_INET);
	EXPECT_EQ(cm_port(&cm.to), PORT);
	EXPECT(!cm.has_from);
	EXPECT_EQ(cm.timeout, 2000);
	EXPECT_EQ(cm.param.responder_resources, 16);
	EXPECT_EQ(cm.param.initiator_depth, 16);
	EXPECT_EQ(hca.rtr.path_mtu, IBV_MTU_1024);
	EXPECT_EQ(hca.rts.timeout, 16);
	EXPECT_EQ(hca.flags, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
				     IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC);
	OK(doca_rdma_connection_get_addr(rb.conn[0], &addr));
	OK(doca_rdma_addr_get_params(addr, &a_type, &a_text, &a_port));
	EXPECT_STR(a_text, "192.0.2.1");
	EXPECT_EQ(a_port, PORT);
	FAILS(doca_rdma_addr_destroy(addr), INVALID_VALUE, "belongs to a connection");
	OK(doca_rdma_connection_get_addr(rb.conn[1], &addr));
	OK(doca_rdma_addr_get_params(addr, &a_type, &a_text, &a_port));
	EXPECT_EQ(a_type, DOCA_RDMA_ADDR_TYPE_IPv4);
	EXPECT_STR(a_text, "192.0.2.9");
	EXPECT_EQ(a_port, 4000);
	submit(a_receive(local_room(MEM_SIZE / 2, 64)));
	task = a_send(local_data(0, 64));
	EXPECT_STR(run_one(task), "SR");
	EXPECT(!memcmp(bed.mem, bed.mem + MEM_SIZE / 2, 64));
	drop(task);
	drop(doca_rdma_task_receive_as_task(rb.receive));
	addr_end();
}

TEST(a_connection_has_the_data_of_its_call)
{
	union doca_data data = { .u64 = 9 };

	addr_start();
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, data));
	turn();
	EXPECT_STR(took(), "QeE");
	OK(doca_rdma_connection_get_user_data(rb.conn[0], &data));
	EXPECT_EQ(data.u64, 9);
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	turn();
	EXPECT_STR(took(), "dD");
	EXPECT_EQ(ab.data.u64, 0);
	addr_end();
}

TEST(one_side_disconnects)
{
	for (int side = 0; side < 2; side++) {
		addr_begin();
		OK(doca_rdma_connection_disconnect(rb.conn[side]));
		OK(doca_rdma_connection_disconnect(rb.conn[side]));
		turn();
		EXPECT_STR(took(), side ? "Dd" : "dD");
		EXPECT_EQ(cm.disconnects, 2);
		EXPECT_EQ(hca.qps, 0);
		OK(doca_rdma_connection_disconnect(rb.conn[side]));
		logged();
		EXPECT_EQ(rdma_state(0) | rdma_state(1), DOCA_CTX_STATE_RUNNING);
		dial();
		EXPECT_STR(took(), "QeE");
		addr_end();
	}
}

static void disconnect_again(struct doca_rdma_connection *connection, char what)
{
	if (what == 'd')
		OK(doca_rdma_connection_disconnect(connection));
}

TEST(a_callback_may_disconnect)
{
	addr_begin();
	ab.then = disconnect_again;
	OK(doca_rdma_connection_disconnect(rb.conn[1]));
	turn();
	EXPECT_STR(took(), "Dd");
	EXPECT_EQ(hca.qps, 0);
	addr_end();
}

static void end_at_once(struct doca_rdma_connection *connection, char what)
{
	if (what == 'e')
		OK(doca_rdma_connection_disconnect(connection));
}

/* Then the peer may never have worked. */
TEST(a_connection_may_end_in_the_callback_that_it_works)
{
	addr_start();
	ab.then = end_at_once;
	dial();
	EXPECT_EQ(hca.qps, 0);
	EXPECT_EQ(strspn(took(), "QeEdDF"), 5);
	logged();
	addr_end();
}

/* Tasks end before the program hears of the end. */
TEST(an_end_comes_after_its_tasks)
{
	addr_begin();
	hca.holds = true;
	rb.then = drop;
	submit(a_send(NULL));
	submit(a_send(NULL));
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	turn();
	EXPECT_STR(took(), "D");
	hca.holds = false;
	hca_go();
	turn();
	EXPECT_STR(took(), "EEd");
	EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
	addr_end();
}

TEST(a_failed_task_ends_its_connection_alone)
{
	addr_begin();
	hca.status = IBV_WC_RETRY_EXC_ERR;
	rb.then = drop;
	submit(a_send(NULL));
	turn();
	EXPECT_STR(took(), "EdD");
	EXPECT_EQ(rb.status, DOCA_ERROR_CONNECTION_RESET);
	EXPECT_LOGGED("is broken");
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
	logged();
	dial();
	EXPECT_STR(took(), "QeE");
	addr_end();
}

/* One by details does not end the context while somebody may ask for another. */
TEST(listeners_keep_a_context)
{
	const void *details[2];
	size_t size[2];

	addr_start();
	for (int i = 0; i < 2; i++)
		OK(doca_rdma_export(rb.rdma[i], &details[i], &size[i], &rb.conn[i]));
	for (int i = 0; i < 2; i++)
		OK(doca_rdma_connect(rb.rdma[i], details[!i], size[!i], rb.conn[i]));
	hca.status = IBV_WC_REM_ACCESS_ERR;
	rb.then = drop;
	struct doca_rdma_task_send *task = NULL;

	OK(doca_rdma_task_send_allocate_init(rb.rdma[1], rb.conn[1], NULL, no_data, &task));
	submit(doca_rdma_task_send_as_task(task));
	turn();
	EXPECT_STR(took(), "E");
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_RUNNING);
	logged();
	addr_end();
}

TEST(requests_are_rejected)
{
	addr_start();
	ab.rejects = true;
	dial();
	EXPECT_STR(took(), "Qf");
	EXPECT_LOGGED("rejects it");
	EXPECT_EQ(hca.qps, 0);
	ERR(doca_rdma_connection_reject(rb.conn[0]), INVALID_VALUE);
	logged();
	addr_end();
}

TEST(requests_are_answered_later)
{
	struct doca_rdma_connection *connection;
	char data[200] = { 0 };

	addr_start();
	ab.lets_wait = true;
	dial();
	EXPECT_STR(took(), "Q");
	connection = ab.last;
	FAILS(doca_rdma_connection_accept(connection, data, 197), INVALID_VALUE, "MAX_DATA");
	FAILS(doca_rdma_connection_accept(connection, NULL, 1), INVALID_VALUE, "NULL");
	OK(doca_rdma_connection_accept(connection, data, 196));
	EXPECT_EQ(cm.param.private_data_len, 196);
	logged();
	FAILS(doca_rdma_connection_accept(connection, NULL, 0), CONNECTION_ABORTED, "no request");
	FAILS(doca_rdma_connection_reject(connection), CONNECTION_ABORTED, "no request");
	turn();
	EXPECT_STR(took(), "eE");
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
	turn();
	EXPECT_STR(took(), "Q");
	OK(doca_rdma_connection_disconnect(ab.last));
	turn();
	EXPECT_STR(took(), "f");
	EXPECT_EQ(hca.qps, 2);
	logged();
	addr_end();
}

/* The answer fails: the peer is rejected, and no callback comes. */
TEST(requests_that_cannot_be_accepted)
{
	static int *const errors[] = { &cm.attr_error, &cm.accept_error, &hca.rtr_error };

	for (size_t i = 0; i < 3; i++) {
		addr_start();
		ab.lets_wait = true;
		dial();
		took();
		*errors[i] = EINVAL;
		FAILS(doca_rdma_connection_accept(ab.last, NULL, 0), CONNECTION_ABORTED,
		      "the peer is rejected");
		*errors[i] = 0;
		turn();
		EXPECT_STR(took(), "f");
		EXPECT_EQ(hca.qps, 0);
		logged();
		addr_end();
	}
}

/* Each step of an attempt fails once. */
TEST(attempts_fail)
{
	static const struct {
		int *error;
		const char *told, *why;
	} rows[] = {
		{ &cm.resolve_error, "f", "its address is not reached" },
		{ &cm.addr_status, "f", "its address is not reached" },
		{ &cm.route_error, "f", "there is no way to it" },
		{ &cm.route_status, "f", "there is no way to it" },
		{ &cm.connect_error, "f", "cannot be connected" },
		{ &cm.establish_error, "QfF", "cannot be connected" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		addr_start();
		*rows[i].error = ENETUNREACH;
		dial();
		EXPECT_STR(took(), rows[i].told);
		EXPECT(strstr(logged(), rows[i].why));
		EXPECT_EQ(hca.qps, 0);
		EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
		*rows[i].error = 0;
		dial();
		EXPECT_STR(took(), "QeE");
		addr_end();
	}
}

TEST(ways_by_other_devices)
{
	addr_start();
	cm.elsewhere = true;
	dial();
	EXPECT_STR(took(), "f");
	EXPECT_LOGGED("the way there is by other");
	cm.elsewhere = false;
	cm.comes_elsewhere = true;
	dial();
	EXPECT_STR(took(), "f");
	EXPECT_EQ(hca.qps, 0);
	logged();
	addr_end();
}

TEST(nobody_listens)
{
	addr_set_up();
	rdma_start();
	dial();
	EXPECT_STR(took(), "f");
	EXPECT_LOGGED("does not listen");
	logged();
	addr_end();
}

/* Attempts have ten seconds, or four timeouts if they are longer. */
TEST(peers_that_do_not_answer)
{
	static const struct {
		uint16_t ms;
		uint64_t limit;
	} rows[] = { { 1, 10000 }, { 5000, 20000 } };

	for (int i = 0; i < 2; i++) {
		clock_stop(0);
		addr_set_up();
		OK(doca_rdma_set_connection_request_timeout(rb.rdma[0], rows[i].ms));
		rdma_start();
		cm.silent = true;
		dial();
		EXPECT_EQ(cm.timeout, rows[i].ms);
		clock_advance((rows[i].limit - 1) * 1000000);
		OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
		turn();
		EXPECT_STR(took(), "");
		clock_advance(2000000);
		turn();
		EXPECT_STR(took(), "f");
		EXPECT_LOGGED("does not answer");
		EXPECT_EQ(hca.qps, 1);
		clock_advance(rows[i].limit * 1000000);
		turn();
		EXPECT_STR(took(), "f");
		EXPECT_EQ(ctx_of(0)->deadline, 0);
		logged();
		addr_end();
	}
}

TEST(the_number_of_connections_is_limited)
{
	struct doca_rdma_connection *connections[3];

	addr_set_up();
	OK(doca_rdma_set_max_num_connections(rb.rdma[1], 2));
	OK(doca_rdma_set_max_num_connections(rb.rdma[0], 3));
	rdma_start();
	OK(doca_rdma_start_listen_to_port(rb.rdma[1], PORT));
	for (int i = 0; i < 2; i++) {
		dial();
		EXPECT_STR(took(), "QeE");
		connections[i] = rb.conn[0];
	}
	dial();
	EXPECT_STR(took(), "f");
	logged();
	OK(doca_rdma_connection_disconnect(connections[0]));
	turn();
	EXPECT_STR(took(), "dD");
	dial();
	EXPECT_STR(took(), "QeE");
	cm.silent = true;
	OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
	FAILS(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), FULL, "its 3 connections");
	logged();
	addr_end();
}

static void stop_in_callback(struct doca_rdma_connection *connection, char what)
{
	(void)what;
	ERR(doca_ctx_stop(&connection->rdma->ctx), IN_PROGRESS);
	ab.then = NULL;
}

TEST(a_callback_may_stop_its_context)
{
	addr_begin();
	ab.then = stop_in_callback;
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	turn();
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	EXPECT_STR(took(), "dD");
	addr_end();
}

/* In each state a context stops at once, without a callback, and its peer hears of it. */
TEST(contexts_stop_in_each_state)
{
	static const char *const peers[] = { "", "", "", "F", "f", "d", "D" };

	for (unsigned int state = 0; state < 7; state++) {
		int side = state == 4 || state == 5;

		addr_start();
		ab.lets_wait = state == 3 || state == 4;
		cm.silent = state == 2;
		OK(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data));
		if (state)
			turn();
		if (state == 3) {
			OK(doca_rdma_connection_accept(ab.last, NULL, 0));
			EXPECT_EQ(ab.last->state, RDMA_ACCEPTED);
		}
		took();
		OK(doca_ctx_stop(ctx_of(side)));
		EXPECT_EQ(rdma_state(side), DOCA_CTX_STATE_IDLE);
		turn();
		EXPECT_STR(took(), state == 1 ? "D" : peers[state]);
		logged();
		addr_end();
	}
}

TEST(contexts_stop_with_callbacks_due)
{
	addr_begin();
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	OK(doca_ctx_stop(ctx_of(0)));
	turn();
	EXPECT_STR(took(), "D");
	addr_end();
}

TEST(the_child_has_no_connections)
{
	addr_begin();
	struct rdma_event_channel *channels[] = { rb.rdma[0]->cm, rb.rdma[1]->cm };

	fake_fork();
	FAILS(doca_rdma_connect_to_addr(rb.rdma[0], ab.addr, no_data), BAD_STATE, "forked");
	FAILS(doca_rdma_start_listen_to_port(rb.rdma[0], 1), BAD_STATE, "forked");
	FAILS(doca_rdma_stop_listen_to_port(rb.rdma[1], PORT), BAD_STATE, "forked");
	FAILS(doca_rdma_connection_accept(rb.conn[1], NULL, 0), BAD_STATE, "forked");
	FAILS(doca_rdma_connection_reject(rb.conn[1]), BAD_STATE, "forked");
	for (int i = 0; i < 2; i++) {
		doca_ctx_stop(ctx_of(i));
		drain(bed.pe);
		EXPECT_EQ(rdma_state(i), DOCA_CTX_STATE_IDLE);
		OK(doca_rdma_destroy(rb.rdma[i]));
		EXPECT(channels[i]);
	}
	EXPECT(cm.ids > 2);
	EXPECT_EQ(cm.channels, 2);
	OK(doca_rdma_addr_destroy(ab.addr));
	OK(doca_pe_destroy(bed.pe));
	OK(doca_buf_inventory_destroy(bed.inv));
	OK(doca_mmap_destroy(rb.peers));
	OK(doca_mmap_destroy(rb.mmap));
	rb.dev->pd = NULL; /* as the handler of forks leaves it */
	OK(doca_dev_close(rb.dev));
	logged();
}
