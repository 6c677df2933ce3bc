// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Asynchronous events of a fake device, and its removal: what they do to connections and contexts
 * that have no task by which they would learn of it.
 */
#include <poll.h>
#include <pthread.h>

#include <doca_rdma_bridge.h>

#include "rdma/async.h"
#include "rdma_addr_bed.h"

static struct hca_qp *qp_of(int side)
{
	return (struct hca_qp *)rb.conn[side]->qp;
}

/* The device puts a queue pair into the error state, and tells of it. */
static void fail_qp(int side, enum ibv_event_type type)
{
	qp_of(side)->state = IBV_QPS_ERR;
	hca_tell(type, rb.conn[side]->qp);
}

static void expect_no_event(void)
{
	struct pollfd p = { .fd = hca_events[0], .events = POLLIN };

	EXPECT_EQ(poll(&p, 1, 0), 0);
	EXPECT_EQ(hca.unacknowledged, 0);
}

static const enum ibv_event_type qp_events[] = {
	IBV_EVENT_QP_FATAL,
	IBV_EVENT_QP_REQ_ERR,
	IBV_EVENT_QP_ACCESS_ERR,
	IBV_EVENT_QP_LAST_WQE_REACHED,
};

#define NR_QP_EVENTS (sizeof(qp_events) / sizeof(qp_events[0]))

/* It waits for messages, and no task of it would ever fail. */
TEST(the_only_connection_fails)
{
	for (size_t i = 0; i < NR_QP_EVENTS; i++) {
		rdma_begin();
		submit(a_receive(local_room(0, 8)));
		rb.then = drop;
		fail_qp(1, qp_events[i]);
		turn();
		EXPECT_STR(took(), "X");
		EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
		EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
		EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
		EXPECT(strstr(logged(), qp_events[i] == IBV_EVENT_QP_FATAL ?
						"its queue pair has failed" :
						"the peer has asked"));
		expect_no_event();
		rdma_end();
	}
}

TEST(other_connections_go_on)
{
	struct doca_rdma_connection *other[2];

	rdma_begin();
	memcpy(other, rb.conn, sizeof(other));
	connect_both();
	fail_qp(1, IBV_EVENT_QP_LAST_WQE_REACHED);
	turn();
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_RUNNING);
	EXPECT_EQ(rb.conn[1]->state, RDMA_BROKEN);
	EXPECT_LOGGED("the peer has asked");
	memcpy(rb.conn, other, sizeof(other));
	rb.then = drop;
	submit(a_receive(NULL));
	EXPECT_STR(run_one(a_send(NULL)), "RS");
	rdma_end();
}

/* The event comes before the sign of the peer that it has the answer. */
TEST(one_by_address_fails_before_it_is_established)
{
	addr_start();
	cm.late = true;
	dial();
	EXPECT_STR(took(), "Qe");
	rb.conn[1] = rb.rdma[1]->slots[0];
	EXPECT_EQ(rb.conn[1]->state, RDMA_ACCEPTED);
	fail_qp(1, IBV_EVENT_QP_LAST_WQE_REACHED);
	turn();
	EXPECT_STR(took(), "");
	cm.late = false;
	turn();
	EXPECT_STR(took(), "EDd");
	EXPECT_SILENT();
	addr_end();
}

TEST(a_callback_tells_of_one_by_address)
{
	addr_begin();
	fail_qp(1, IBV_EVENT_QP_LAST_WQE_REACHED);
	turn();
	EXPECT_STR(took(), "Dd");
	EXPECT_SILENT();
	dial();
	EXPECT_STR(took(), "QeE");
	fail_qp(0, IBV_EVENT_QP_FATAL);
	turn();
	EXPECT_STR(took(), "dD");
	EXPECT_LOGGED("its queue pair has failed");
	addr_end();
}

/* Its tasks come back as flushed. The first one is that which the device has failed. */
TEST(tasks_in_flight_tell_themselves)
{
	static const struct {
		enum ibv_event_type type;
		doca_error_t first;
	} cases[] = {
		{ IBV_EVENT_QP_FATAL, DOCA_ERROR_DRIVER },
		{ IBV_EVENT_QP_LAST_WQE_REACHED, DOCA_ERROR_IO_FAILED },
	};

	for (size_t i = 0; i < 2; i++) {
		rdma_begin();
		connect_both();
		rb.then = drop;
		hca.holds = true;
		submit(a_send(NULL));
		submit(a_send(NULL));
		fail_qp(0, cases[i].type);
		hca_tell(IBV_EVENT_QP_LAST_WQE_REACHED, rb.conn[0]->qp);
		turn();
		EXPECT_EQ(rb.conn[0]->state, RDMA_READY);
		hca.holds = false;
		hca_go();
		drain(bed.pe);
		EXPECT_STR(took(), "EE");
		EXPECT_EQ(rb.statuses[0], cases[i].first);
		EXPECT_EQ(rb.statuses[1], DOCA_ERROR_SHUTDOWN);
		EXPECT(strstr(logged(), "is broken"));
		rdma_end();
	}
}

/* The completions are there already when the event is read: no task is left that would tell. */
TEST(tasks_in_flight_have_succeeded)
{
	for (size_t i = 0; i < NR_QP_EVENTS; i++) {
		rdma_begin();
		connect_both();
		submit(a_receive(NULL));
		submit(a_send(NULL));
		hca.late = true;
		turn();
		EXPECT_EQ(rb.conn[0]->posted, 1);
		fail_qp(0, qp_events[i]);
		turn();
		EXPECT_EQ(rb.conn[0]->state, RDMA_READY);
		hca.late = false;
		rb.then = drop;
		turn();
		EXPECT_STR(took(), "RS");
		EXPECT_EQ(rb.conn[0]->state, RDMA_BROKEN);
		EXPECT(strstr(logged(), "is broken"));
		rdma_end();
	}
}

/* Consequences of a failure do not hide it, be they told before it or after. */
TEST(a_cause_and_its_consequences)
{
	for (int order = 0; order < 2; order++) {
		rdma_begin();
		connect_both();
		for (int i = 0; i < 3; i++)
			fail_qp(0, qp_events[order ? 2 - i : i]);
		fail_qp(0, IBV_EVENT_QP_LAST_WQE_REACHED);
		turn();
		EXPECT_EQ(rb.conn[0]->state, RDMA_BROKEN);
		EXPECT_LOGGED("its queue pair has failed");
		rdma_end();
	}
}

/* The event is from before the tasks were done again. */
TEST(an_event_of_a_queue_pair_that_works_again)
{
	rdma_begin();
	hca_tell(IBV_EVENT_QP_LAST_WQE_REACHED, rb.conn[0]->qp);
	turn();
	EXPECT_EQ(rb.conn[0]->state, RDMA_READY);
	expect_no_event();
	rb.then = drop;
	submit(a_receive(NULL));
	EXPECT_STR(run_one(a_send(NULL)), "RS");
	rdma_end();
}

/* Events that are none of the library's, or of no interest. */
TEST(events_that_change_nothing)
{
	struct ibv_srq srq = { 0 };
	struct ibv_qp qp = { .srq = &srq };
	struct ibv_cq cq = { 0 };

	rdma_begin();
	hca_tell(IBV_EVENT_QP_FATAL, &qp);
	hca_tell(IBV_EVENT_CQ_ERR, &cq);
	hca_tell(IBV_EVENT_SRQ_ERR, &srq);
	hca_tell(IBV_EVENT_COMM_EST, rb.conn[0]->qp);
	hca_tell(IBV_EVENT_GID_CHANGE, NULL);
	turn();
	expect_no_event();
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(rdma_state(i), DOCA_CTX_STATE_RUNNING);
		EXPECT_EQ(rb.conn[i]->state, RDMA_READY);
	}
	rdma_end();
}

TEST(a_port_that_is_down)
{
	rdma_begin();
	hca.port.state = IBV_PORT_DOWN;
	hca_tell(IBV_EVENT_PORT_ERR, (void *)1);
	hca_tell(IBV_EVENT_PORT_ERR, (void *)2);
	turn();
	EXPECT_LOGGED("its port is down");
	EXPECT_SILENT();
	hca.port.state = IBV_PORT_ACTIVE;
	hca_tell(IBV_EVENT_PORT_ERR, (void *)1);
	turn();
	EXPECT_SILENT();
	hca_tell(IBV_EVENT_PORT_ACTIVE, (void *)1);
	turn();
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
	rb.then = drop;
	submit(a_receive(NULL));
	EXPECT_STR(run_one(a_send(NULL)), "RS");
	rdma_end();
}

/* All contexts on it stop; the first task in flight has failed by it. */
TEST(a_device_that_fails)
{
	rdma_begin();
	rb.then = drop;
	hca.holds = true;
	submit(a_receive(NULL));
	submit(a_send(NULL));
	submit(a_send(NULL));
	drain(bed.pe);
	EXPECT_EQ(hca.posted, 2);
	hca.keeps = true; /* until the contexts have acted on it */
	hca_tell(IBV_EVENT_DEVICE_FATAL, NULL);
	turn();
	hca.keeps = hca.holds = false;
	hca_go();
	turn();
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rb.nr, 3);
	EXPECT_EQ(rb.statuses[0], DOCA_ERROR_SHUTDOWN); /* the receive */
	EXPECT_EQ(rb.statuses[1], DOCA_ERROR_DRIVER);
	EXPECT_EQ(rb.statuses[2], DOCA_ERROR_SHUTDOWN);
	EXPECT(strstr(took(), "X"));
	EXPECT(strstr(logged(), "the device has failed"));
	rdma_start();
	rdma_end();
}

/* Another thread, which has the event of the other context */
static void fail_beside(void)
{
	hca_tell(IBV_EVENT_DEVICE_FATAL, NULL);
	rdma_async_read(rb.rdma[0]);
}

TEST(a_device_that_fails_while_a_context_starts)
{
	rdma_begin();
	OK(doca_ctx_stop(ctx_of(1)));
	turn();
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	hca.at_srq = fail_beside;
	OK(doca_ctx_start(ctx_of(1)));
	hca.at_srq = NULL;
	turn();
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT(strstr(logged(), "the device has failed"));
	rdma_start();
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_RUNNING);
	rdma_end();
}

TEST(a_queue_for_receives_that_fails)
{
	rdma_begin();
	submit(a_receive(NULL));
	rb.then = drop;
	hca_tell(IBV_EVENT_SRQ_ERR, rb.rdma[1]->srq);
	turn();
	EXPECT_STR(took(), "X");
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_RUNNING);
	EXPECT(strstr(logged(), "the device has failed"));
	rdma_end();
}

TEST(a_completion_queue_that_fails)
{
	rdma_begin();
	submit(a_receive(NULL));
	rb.then = drop;
	hca_tell(IBV_EVENT_CQ_ERR, rb.rdma[1]->cq);
	turn();
	EXPECT_STR(took(), "X");
	EXPECT_EQ(rb.status, DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT(strstr(logged(), "completion queue has failed"));
	rdma_end();
}

/* Its tasks are not freed yet. An event that nobody reads any more does not wake the program. */
TEST(a_lost_context_waits_for_no_news)
{
	struct pollfd p = { .events = POLLIN };
	doca_notification_handle_t fd = -1;

	rdma_begin();
	submit(a_receive(NULL));
	for (int i = 0; i < 2; i++)
		hca_tell(IBV_EVENT_CQ_ERR, rb.rdma[i]->cq);
	turn();
	EXPECT_STR(took(), "X");
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_STOPPING);
	hca_tell(IBV_EVENT_GID_CHANGE, NULL);
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	OK(doca_pe_request_notification(bed.pe));
	p.fd = fd;
	EXPECT_EQ(poll(&p, 1, 0), 0);
	OK(doca_pe_clear_notification(bed.pe, fd));
	drop(rb.task);
	turn();
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT(strstr(logged(), "completion queue has failed"));
	rdma_end();
}

/* The program has the domain, and perhaps queue pairs in it: it reads the events. */
TEST(events_of_a_domain_that_the_program_has)
{
	struct ibv_async_event event;
	struct ibv_pd *pd;

	rdma_begin();
	OK(doca_rdma_bridge_get_dev_pd(rb.dev, &pd));
	fail_qp(1, IBV_EVENT_QP_LAST_WQE_REACHED);
	turn();
	EXPECT_EQ(rb.conn[1]->state, RDMA_READY);
	EXPECT_EQ(ibv_get_async_event(pd->context, &event), 0);
	EXPECT(event.element.qp == rb.conn[1]->qp);
	ibv_ack_async_event(&event);
	rdma_end();
}

/* From then on nobody else reads them. */
static void *take_domain_over(void *arg)
{
	struct pollfd p = { .fd = hca_events[0], .events = POLLIN };
	struct ibv_async_event event;
	struct ibv_pd *pd;

	OK(doca_rdma_bridge_get_dev_pd(rb.dev, &pd));
	while (poll(&p, 1, 0) == 1) {
		EXPECT_EQ(ibv_get_async_event(pd->context, &event), 0);
		ibv_ack_async_event(&event);
	}
	return arg;
}

/* To read is to wait if the other thread has read the last one. */
TEST(the_domain_is_given_away_while_events_are_read)
{
	pthread_t thread;

	for (int round = 0; round < 50; round++) {
		rdma_begin();
		for (int i = 0; i < 10; i++)
			hca_tell(IBV_EVENT_GID_CHANGE, NULL);
		EXPECT_EQ(pthread_create(&thread, NULL, take_domain_over, NULL), 0);
		turn();
		EXPECT_EQ(pthread_join(thread, NULL), 0);
		expect_no_event();
		rdma_end();
	}
}

/* One context reads the event of the other, whose program sleeps. */
TEST(a_context_that_waits_is_woken)
{
	doca_notification_handle_t fd = -1;
	struct doca_pe *pe = NULL;
	struct pollfd p = { .events = POLLIN };

	rdma_set_up();
	OK(doca_rdma_destroy(rb.rdma[1]));
	OK(doca_rdma_create(rb.dev, &rb.rdma[1]));
	OK(doca_pe_create(&pe));
	OK(doca_pe_connect_ctx(pe, ctx_of(1)));
	rdma_start();
	connect_both();
	OK(doca_pe_get_notification_handle(pe, &fd));
	OK(doca_pe_request_notification(pe));
	fail_qp(1, IBV_EVENT_QP_LAST_WQE_REACHED);
	turn();
	expect_no_event();
	p.fd = fd;
	EXPECT_EQ(poll(&p, 1, 0), 1);
	OK(doca_pe_clear_notification(pe, fd));
	for (int i = 0; i < LOOKS; i++)
		doca_pe_progress(pe);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT(strstr(logged(), "the peer has asked"));
	OK(doca_rdma_destroy(rb.rdma[1]));
	rb.rdma[1] = NULL;
	OK(doca_pe_destroy(pe));
	rdma_end();
}

/* The driver tells of it, for the device does not, and its queues go on. */
TEST(a_device_that_is_removed)
{
	rdma_begin();
	rb.then = drop;
	submit(a_receive(NULL));
	fake_remove_device();
	turn();
	EXPECT_STR(took(), "X");
	EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(rdma_state(0), DOCA_CTX_STATE_IDLE);
	EXPECT_EQ(rdma_state(1), DOCA_CTX_STATE_IDLE);
	EXPECT(strstr(logged(), "was removed; the context stops"));
	ERR(doca_ctx_start(ctx_of(0)), INITIALIZATION);
	EXPECT_LOGGED("was removed");
	removed = false;
	rdma_end();
}

TEST(a_program_that_waits_hears_of_the_removal)
{
	struct pollfd p = { .events = POLLIN };
	doca_notification_handle_t fd = -1;

	rdma_begin();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	p.fd = fd;
	OK(doca_pe_request_notification(bed.pe));
	EXPECT_EQ(poll(&p, 1, 0), 0);
	fake_remove_device();
	while (rdma_state(0) != DOCA_CTX_STATE_IDLE || rdma_state(1) != DOCA_CTX_STATE_IDLE) {
		EXPECT_EQ(poll(&p, 1, 10000), 1);
		OK(doca_pe_clear_notification(bed.pe, fd));
		while (doca_pe_progress(bed.pe))
			;
		OK(doca_pe_request_notification(bed.pe));
	}
	EXPECT(strstr(logged(), "was removed; the context stops"));
	removed = false;
	rdma_end();
}

/* The driver does not know it. */
TEST(a_device_of_the_programs_domain)
{
	rdma_set_up();
	rb.dev->from_pd = true;
	ERR(doca_ctx_start(ctx_of(0)), NOT_SUPPORTED);
	EXPECT_LOGGED("protection domain");
	rb.dev->from_pd = false;
	rdma_end();
}

TEST(a_start_without_the_news)
{
	rdma_set_up();
	fake.queue_error = -EDQUOT;
	ERR(doca_ctx_start(ctx_of(0)), INITIALIZATION);
	EXPECT_LOGGED("max_queues");
	fake.queue_error = 0;
	rdma_start();
	rdma_end();
}
