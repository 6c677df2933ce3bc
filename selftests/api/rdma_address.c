// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * RDMA connections by address over soft-RoCE: one context listens, the other connects. Both hear of
 * what happens, polled and by events, also if the other is another process that is killed.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include <doca_rdma.h>

#include "bed.h"

#define PORT 18530
#define NR 8 /* connections */
#define VICTIM 3 /* number of the client that is killed */
#define MESSAGES 200 /* every other client sends so many */

struct side {
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_rdma_connection *last, *all[NR];
	unsigned int requests, established, failures, disconnects;
	bool rejects;
};

FIXTURE(rdma_address)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_rdma_addr *addr;
	struct side a, b; /* one that connects, and one that listens */
	bool waits; /* for events, instead of polling */
};

FIXTURE_VARIANT(rdma_address)
{
	bool waits;
};

FIXTURE_VARIANT_ADD(rdma_address, polls){
	.waits = false,
};

FIXTURE_VARIANT_ADD(rdma_address, waits){
	.waits = true,
};

static unsigned int nr_ended, nr_bad;
static const struct doca_rdma_connection *partner; /* that has got the last message */

/* Messages of clients that are processes, numbered by each: those that are due. */
static struct {
	uint32_t next[NR];
	bool wrong, again;
} clients;

static void take_numbered(struct doca_rdma_task_receive *task)
{
	uint32_t imm = doca_rdma_task_receive_get_result_immediate_data(task);

	clients.wrong |= imm >> 16 >= NR || (imm & 0xffff) != clients.next[imm >> 16]++;
	clients.wrong |= doca_task_submit(doca_rdma_task_receive_as_task(task)) != DOCA_SUCCESS;
}

static void on_receive(struct doca_rdma_task_receive *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	nr_ended++;
	nr_bad += doca_task_get_status(doca_rdma_task_receive_as_task(task)) != DOCA_SUCCESS;
	partner = doca_rdma_task_receive_get_result_rdma_connection(task);
	if (clients.again)
		take_numbered(task);
}

static void on_send(struct doca_rdma_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	nr_ended++;
	nr_bad += doca_task_get_status(doca_rdma_task_send_as_task(task)) != DOCA_SUCCESS;
}

static void on_send_imm(struct doca_rdma_task_send_imm *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	nr_ended++;
	nr_bad += doca_task_get_status(doca_rdma_task_send_imm_as_task(task)) != DOCA_SUCCESS;
}

static void on_request(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;

	side->requests++;
	if (side->rejects)
		doca_rdma_connection_reject(connection);
	else
		doca_rdma_connection_accept(connection, NULL, 0);
}

static void on_established(struct doca_rdma_connection *connection, union doca_data data,
			   union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;

	(void)data;
	side->last = connection;
	if (side->established < NR)
		side->all[side->established] = connection;
	side->established++;
}

static void on_failure(struct doca_rdma_connection *connection, union doca_data data,
		       union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;

	(void)connection, (void)data;
	side->failures++;
}

static void on_disconnect(struct doca_rdma_connection *connection, union doca_data data,
			  union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;

	(void)connection, (void)data;
	side->disconnects++;
}

static doca_error_t start(struct doca_dev *dev, struct doca_pe *pe, struct side *side)
{
	union doca_data data = { .ptr = side };
	doca_error_t rc;

	if ((rc = doca_rdma_create(dev, &side->rdma)) ||
	    (rc = doca_rdma_task_receive_set_conf(side->rdma, on_receive, on_receive, NR)) ||
	    (rc = doca_rdma_task_send_set_conf(side->rdma, on_send, on_send, NR)) ||
	    (rc = doca_rdma_task_send_imm_set_conf(side->rdma, on_send_imm, on_send_imm, 1)) ||
	    (rc = doca_rdma_set_connection_state_callbacks(side->rdma, on_request, on_established,
							   on_failure, on_disconnect)))
		return rc;
	side->ctx = doca_rdma_as_ctx(side->rdma);
	if ((rc = doca_ctx_set_user_data(side->ctx, data)) ||
	    (rc = doca_pe_connect_ctx(pe, side->ctx)))
		return rc;
	return doca_ctx_start(side->ctx);
}

/* The device's first GID that is an IPv4 address. */
static doca_error_t find_address(struct doca_dev *dev, struct doca_rdma_addr **addr)
{
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	char text[INET6_ADDRSTRLEN];
	struct doca_rdma_gid gid;
	uint32_t i, nr = 0;

	doca_rdma_cap_get_gid_table_size(info, &nr);
	for (i = 0; i < nr; i++) {
		if (doca_rdma_cap_get_gid(info, i, 1, &gid) ||
		    !IN6_IS_ADDR_V4MAPPED((struct in6_addr *)gid.raw))
			continue;
		inet_ntop(AF_INET6, gid.raw, text, sizeof(text));
		return doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_GID, text, PORT, addr);
	}
	return DOCA_ERROR_NOT_FOUND;
}

FIXTURE_SETUP(rdma_address)
{
	memset(&self->a, 0, sizeof(self->a));
	memset(&self->b, 0, sizeof(self->b));
	memset(&clients, 0, sizeof(clients));
	nr_ended = 0;
	nr_bad = 0;
	self->waits = variant->waits;
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(find_address(self->dev, &self->addr));
	ASSERT_OK(start(self->dev, self->pe, &self->a));
	ASSERT_OK(start(self->dev, self->pe, &self->b));
	ASSERT_OK(doca_rdma_start_listen_to_port(self->b.rdma, PORT));
}

FIXTURE_TEARDOWN(rdma_address)
{
	EXPECT_OK(doca_ctx_stop(self->a.ctx));
	EXPECT_OK(doca_ctx_stop(self->b.ctx));
	EXPECT_OK(doca_rdma_destroy(self->a.rdma));
	EXPECT_OK(doca_rdma_destroy(self->b.rdma));
	EXPECT_OK(doca_rdma_addr_destroy(self->addr));
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_dev_close(self->dev));
}

/* Progress; where nothing happens, wait for the engine. */
static void step(FIXTURE_DATA(rdma_address) * self)
{
	doca_notification_handle_t fd;
	struct pollfd p = { .events = POLLIN };

	if (doca_pe_progress(self->pe) || !self->waits ||
	    doca_pe_get_notification_handle(self->pe, &fd) ||
	    doca_pe_request_notification(self->pe))
		return;
	p.fd = fd;
	poll(&p, 1, 20000);
	doca_pe_clear_notification(self->pe, fd);
}

#define REACHED(condition) AWAIT_BY(step(self), condition)

static const union doca_data none;

static void message(struct __test_metadata *_metadata, FIXTURE_DATA(rdma_address) * self,
		    struct doca_rdma_connection *connection)
{
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_task_send *send;
	unsigned int before = nr_ended;

	ASSERT_OK(doca_rdma_task_receive_allocate_init(self->b.rdma, NULL, none, &receive));
	ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
	ASSERT_OK(doca_rdma_task_send_allocate_init(self->a.rdma, connection, NULL, none, &send));
	ASSERT_OK(doca_task_submit(doca_rdma_task_send_as_task(send)));
	ASSERT_TRUE(REACHED(nr_ended == before + 2));
	EXPECT_EQ(0, nr_bad);
	doca_task_free(doca_rdma_task_receive_as_task(receive));
	doca_task_free(doca_rdma_task_send_as_task(send));
}

TEST_F(rdma_address, several)
{
	struct doca_rdma_connection *partners[NR];
	unsigned int i;

	for (i = 0; i < NR; i++)
		ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	ASSERT_TRUE(REACHED(self->a.established == NR && self->b.established == NR));
	EXPECT_EQ(NR, self->b.requests);
	for (i = 0; i < NR; i++) {
		message(_metadata, self, self->a.all[i]);
		partners[i] = (struct doca_rdma_connection *)partner;
	}
	for (i = 0; i < NR; i++)
		ASSERT_OK(doca_rdma_connection_disconnect(i % 2 ? self->a.all[i] : partners[i]));
	ASSERT_TRUE(REACHED(self->a.disconnects == NR && self->b.disconnects == NR));
	ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	ASSERT_TRUE(REACHED(self->a.established == NR + 1 && self->b.established == NR + 1));
	message(_metadata, self, self->a.last);
	EXPECT_EQ(0, self->a.failures + self->b.failures);
}

TEST_F(rdma_address, refused)
{
	self->b.rejects = true;
	ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	ASSERT_TRUE(REACHED(self->a.failures == 1));
	EXPECT_EQ(1, self->b.requests);
	ASSERT_OK(doca_rdma_stop_listen_to_port(self->b.rdma, PORT));
	ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	ASSERT_TRUE(REACHED(self->a.failures == 2));
	EXPECT_EQ(1, self->b.requests);
	EXPECT_EQ(0, self->a.established + self->b.established);
}

TEST_F(rdma_address, ports)
{
	EXPECT_ERR(BAD_STATE, doca_rdma_start_listen_to_port(self->b.rdma, PORT));
	EXPECT_ERR(CONNECTION_ABORTED, doca_rdma_start_listen_to_port(self->a.rdma, PORT));
	EXPECT_OK(doca_rdma_stop_listen_to_port(self->b.rdma, PORT));
	EXPECT_OK(doca_rdma_start_listen_to_port(self->a.rdma, PORT));
}

/* A peer that stops is heard of; the connections of this side are its own. */
TEST_F(rdma_address, stopped)
{
	ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	ASSERT_TRUE(REACHED(self->a.established && self->b.established));
	ASSERT_OK(doca_ctx_stop(self->a.ctx));
	ASSERT_TRUE(REACHED(self->b.disconnects == 1));
	EXPECT_EQ(0, self->a.disconnects);
	ASSERT_OK(doca_ctx_start(self->a.ctx));
	ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	ASSERT_TRUE(REACHED(self->a.established == 2 && self->b.established == 2));
	message(_metadata, self, self->a.last);
}

/* Connect from a process, and send numbered messages; the victim does so until it is killed. */
static int be_client(uint32_t nr)
{
	struct doca_rdma_task_send_imm *task;
	struct doca_rdma_addr *addr;
	struct doca_dev *dev = bed_open_dev("rxe0");
	struct side side = { 0 };
	struct doca_pe *pe;
	uint32_t i;

	if (!dev || doca_pe_create(&pe) || find_address(dev, &addr) || start(dev, pe, &side) ||
	    doca_rdma_connect_to_addr(side.rdma, addr, none))
		return 1;
	while (!side.established && !side.failures)
		doca_pe_progress(pe);
	if (side.failures ||
	    doca_rdma_task_send_imm_allocate_init(side.rdma, side.last, NULL, 0, none, &task))
		return 2;
	nr_ended = 0;
	for (i = 0; (nr == VICTIM || i < MESSAGES) && !nr_bad; i++) {
		doca_rdma_task_send_imm_set_immediate_data(task, nr << 16 | i);
		if (doca_task_submit(doca_rdma_task_send_imm_as_task(task)))
			return 3;
		while (nr_ended == i)
			doca_pe_progress(pe);
	}
	return nr_bad ? 4 : 0;
}

/* The others lose nothing, and the server hears of the end of each once. */
TEST_F_TIMEOUT(rdma_address, one_client_of_many_is_killed, 120)
{
	struct doca_rdma_task_receive *receives[NR];
	pid_t pids[NR];
	uint32_t i;

	clients.again = true;
	for (i = 0; i < NR; i++) {
		pids[i] = quiet_fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(be_client(i));
		}
		ASSERT_OK(doca_rdma_task_receive_allocate_init(self->b.rdma, NULL, none,
							       &receives[i]));
		ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receives[i])));
	}
	ASSERT_TRUE(REACHED(clients.next[VICTIM] >= MESSAGES / 4 || clients.wrong));
	ASSERT_EQ(0, kill(pids[VICTIM], SIGKILL));
	ASSERT_TRUE(REACHED(self->b.disconnects == NR || clients.wrong));
	EXPECT_FALSE(clients.wrong);
	EXPECT_EQ(0, nr_bad);
	EXPECT_EQ(NR, self->b.established);
	for (i = 0; i < NR; i++) {
		EXPECT_EQ(i == VICTIM ? 128 + SIGKILL : 0, bed_wait(pids[i]));
		if (i != VICTIM)
			EXPECT_EQ(MESSAGES, clients.next[i]);
	}
	clients.again = false;
	EXPECT_EQ(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(self->b.ctx));
	ASSERT_TRUE(REACHED(nr_bad == NR));
	for (i = 0; i < NR; i++)
		doca_task_free(doca_rdma_task_receive_as_task(receives[i]));
	ASSERT_TRUE(REACHED(bed_is_idle(self->b.ctx)));
	/* It can be started again. */
	ASSERT_OK(doca_ctx_start(self->b.ctx));
	ASSERT_OK(doca_rdma_start_listen_to_port(self->b.rdma, PORT));
	ASSERT_OK(doca_rdma_connect_to_addr(self->a.rdma, self->addr, none));
	nr_bad = 0;
	ASSERT_TRUE(REACHED(self->a.established == 1));
	message(_metadata, self, self->a.last);
}

TEST_HARNESS_MAIN
