// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Connections of programs that use librdmacm themselves: doca_rdma_bridge_*(). */
#include "fault.h"
#include "rdma_addr_bed.h"

/* The program's own listener, and what has asked there. */
static struct {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener, *asks;
	struct doca_rdma_connection *connection;
} own;

/* Return the program's next event, acknowledged; the identifier is in own.asks. */
static enum rdma_cm_event_type next_event(void)
{
	struct rdma_cm_event *event;
	enum rdma_cm_event_type type;

	if (rdma_get_cm_event(own.channel, &event))
		return -1;
	type = event->event;
	own.asks = event->id;
	rdma_ack_cm_event(event);
	return type;
}

static void own_begin(void)
{
	struct sockaddr_storage at = { .ss_family = AF_INET };

	memset(&own, 0, sizeof(own));
	((struct sockaddr_in *)&at)->sin_port = htons(PORT);
	addr_set_up();
	rdma_start();
	own.channel = rdma_create_event_channel();
	rdma_create_id(own.channel, &own.listener, NULL, RDMA_PS_TCP);
	EXPECT(!rdma_bind_addr(own.listener, (struct sockaddr *)&at));
	EXPECT(!rdma_listen(own.listener, 128));
	dial();
	EXPECT_EQ(next_event(), RDMA_CM_EVENT_CONNECT_REQUEST);
}

static void own_end(void)
{
	OK(doca_ctx_stop(ctx_of(1)));
	rdma_destroy_id(own.listener);
	rdma_destroy_event_channel(own.channel);
	logged();
	addr_end();
}

static void own_connect(void)
{
	own_begin();
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	OK(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection));
	turn();
	EXPECT_STR(took(), "e");
	EXPECT_EQ(next_event(), RDMA_CM_EVENT_ESTABLISHED);
	OK(doca_rdma_bridge_established(rb.rdma[1], own.connection));
	turn();
	EXPECT_STR(took(), "E");
}

TEST(a_program_listens)
{
	struct doca_rdma_addr *addr = NULL;
	uint16_t port = 0;
	enum doca_rdma_addr_type type;
	const char *text = "";
	struct doca_task *task;

	own_connect();
	EXPECT(rb.conn[1] == own.connection);
	OK(doca_rdma_connection_get_addr(own.connection, &addr));
	OK(doca_rdma_addr_get_params(addr, &type, &text, &port));
	EXPECT_STR(text, "192.0.2.9");
	submit(a_receive(NULL));
	task = a_send(NULL);
	EXPECT_STR(run_one(task), "SR");
	drop(task);
	drop(doca_rdma_task_receive_as_task(rb.receive));
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	turn();
	EXPECT_STR(took(), "d");
	EXPECT_EQ(next_event(), RDMA_CM_EVENT_DISCONNECTED);
	OK(doca_rdma_connection_disconnect(own.connection));
	EXPECT_EQ(cm.ids, 2); /* it goes when the program has acknowledged */
	turn();
	EXPECT_STR(took(), "D");
	EXPECT_EQ(cm.ids, 1);
	EXPECT_EQ(hca.qps, 0);
	own_end();
}

TEST(the_program_ends_it)
{
	own_connect();
	OK(doca_rdma_connection_disconnect(own.connection));
	turn();
	EXPECT_STR(took(), "Dd");
	EXPECT_EQ(cm.ids, 1);
	own_end();
}

TEST(a_peer_is_rejected)
{
	own_begin();
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	OK(doca_rdma_connection_reject(own.connection));
	turn();
	EXPECT_STR(took(), "f");
	EXPECT_EQ(cm.ids, 1);
	own_end();
}

/* The peer may allow less than the device can; the identifier knows. */
TEST(reads_in_flight_are_those_that_the_peer_allows)
{
	own_begin();
	cm.rd_atomic = 3;
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	OK(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection));
	EXPECT_EQ(cm.param.responder_resources, 3);
	EXPECT_EQ(cm.param.initiator_depth, 3);
	EXPECT_EQ(hca.rtr.max_dest_rd_atomic, 3);
	EXPECT_EQ(hca.rts.max_rd_atomic, 3);
	turn();
	took();
	own_end();
}

static void own_connect_without_callbacks(void)
{
	own_begin();
	memset(&rb.rdma[1]->set.on, 0, sizeof(rb.rdma[1]->set.on));
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	OK(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection));
	turn();
	EXPECT_EQ(next_event(), RDMA_CM_EVENT_ESTABLISHED);
	OK(doca_rdma_bridge_established(rb.rdma[1], own.connection));
	turn();
	EXPECT_STR(took(), "e");
	EXPECT_EQ(own.connection->state, RDMA_READY);
}

/* No callbacks are needed. */
TEST(a_program_without_callbacks)
{
	own_connect_without_callbacks();
	OK(doca_rdma_connection_disconnect(own.connection));
	turn();
	EXPECT_STR(took(), "d");
	EXPECT_EQ(hca.qps, 0);
	own_end();
}

TEST(the_log_tells_a_program_without_callbacks)
{
	own_connect_without_callbacks();
	((struct hca_qp *)own.connection->qp)->state = IBV_QPS_ERR;
	hca_tell(IBV_EVENT_QP_LAST_WQE_REACHED, own.connection->qp);
	turn();
	EXPECT_STR(took(), "d");
	EXPECT_LOGGED("is broken");
	own_end();
}

TEST(steps_in_the_wrong_order)
{
	char data[200];

	own_begin();
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	FAILS(doca_rdma_bridge_established(rb.rdma[1], own.connection), BAD_STATE, "not accepted");
	FAILS(doca_rdma_bridge_accept(rb.rdma[0], NULL, 0, own.connection), INVALID_VALUE,
	      "!= rdma");
	FAILS(doca_rdma_bridge_established(rb.rdma[0], own.connection), INVALID_VALUE, "!= rdma");
	FAILS(doca_rdma_bridge_accept(rb.rdma[1], data, 197, own.connection), INVALID_VALUE,
	      "MAX_DATA");
	OK(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection));
	FAILS(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection), BAD_STATE,
	      "not prepared");
	own_end();
}

TEST(what_cannot_be_prepared)
{
	struct doca_rdma_connection *connection;
	struct rdma_cm_id *other = NULL;

	own_begin();
	rb.rdma[1]->set.max_connections = 1;
	hca.qp_error = ENOMEM;
	ERR(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection), DRIVER);
	hca.qp_error = 0;
	fault_at(FAULT_ALLOC, 1);
	ERR(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection), NO_MEMORY);
	fault_at(FAULT_ALLOC, 0);
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	EXPECT(!rdma_create_id(own.channel, &other, NULL, RDMA_PS_TCP));
	cm_found_device(other, false);
	ERR(doca_rdma_bridge_prepare_connection(rb.rdma[1], other, &connection), FULL);
	rdma_destroy_id(other);
	own.asks->verbs = &cm_other;
	logged();
	FAILS(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection),
	      INVALID_VALUE, "of other: it is of");
	OK(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection));
	turn();
	cm.accept_error = EINVAL;
	OK(doca_ctx_stop(ctx_of(1)));
	ERR(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection), BAD_STATE);
	turn();
	took();
	own_end();
}

/* Its identifier stays as the program has made it. */
TEST(identifiers_that_cannot_be_prepared)
{
	static struct ibv_qp qp;
	struct doca_rdma_connection *connection;

	own_begin();
	own.asks->context = &own;
	own.asks->qp = &qp;
	FAILS(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &connection), INVALID_VALUE,
	      "queue pair");
	own.asks->qp = NULL;
	own.asks->qp_type = IBV_QPT_UD;
	FAILS(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &connection), INVALID_VALUE,
	      "another kind");
	own.asks->qp_type = IBV_QPT_RC;
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	FAILS(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &connection), INVALID_VALUE,
	      "already");
	EXPECT(own.asks->context == &own);
	EXPECT_EQ(hca.qps, 2);
	OK(doca_rdma_connection_reject(own.connection));
	turn();
	EXPECT_STR(took(), "f");
	EXPECT_EQ(cm.ids, 1);
	own_end();
}

TEST(an_accept_that_fails)
{
	own_begin();
	OK(doca_rdma_bridge_prepare_connection(rb.rdma[1], own.asks, &own.connection));
	cm.accept_error = EINVAL;
	FAILS(doca_rdma_bridge_accept(rb.rdma[1], NULL, 0, own.connection), CONNECTION_ABORTED,
	      "is rejected");
	turn();
	EXPECT_STR(took(), "f");
	EXPECT_EQ(cm.ids, 1);
	own_end();
}
