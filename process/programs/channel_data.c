// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Producers and consumers in two processes. */
#include "channel_flow.h"

FIXTURE(data)
{
	struct shared *shared;
	struct side side;
	struct flow flow;
	pid_t pid;
};

/* The client is here. */
FIXTURE_SETUP(data)
{
	self->shared = map(sizeof(*self->shared));
	self->pid = victim(self->shared, run_mirror_server);
	ASSERT_EQ(0, client_make(&self->side, "b1:00.0", NAME));
	ASSERT_TRUE(client_connect(&self->side));
	ASSERT_EQ(0, flow_open(&self->flow, &self->side));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, self->side.new_consumers == 1));
}

FIXTURE_TEARDOWN(data)
{
	EXPECT_EQ(0, flow_close(&self->flow));
	EXPECT_EQ(0, side_destroy(&self->side));
	bury(self->shared, self->pid);
}

/* Bytes and immediate data go there and come back, to the byte, and nothing beyond. */
static void reflect(struct __test_metadata *_metadata, struct flow *flow, size_t length)
{
	static const char imm[] = "0123456789abcdef0123456789abcdef";
	uint32_t imm_length = length % 33;
	unsigned int n = flow->received;
	struct side *side = flow->side;

	bed_fill(flow->mem, length, length);
	memset(flow->mem + HALF, 0x55, length + 1);
	ASSERT_OK(flow_post(flow, 0, MIRROR_BUF));
	ASSERT_OK(flow_put(flow, 0, length, imm, imm_length));
	ASSERT_TRUE(SIDE_UNTIL(side, flow->received == n + 1 && flow->sent == n + 1));
	EXPECT_EQ(length, flow->length);
	EXPECT_EQ(0, memcmp(flow->mem, flow->mem + HALF, length));
	EXPECT_EQ(0x55, flow->mem[HALF + length]);
	EXPECT_EQ(imm_length, flow->imm_length);
	EXPECT_EQ(0, memcmp(imm, flow->imm, imm_length));
}

static void reflect_all(struct __test_metadata *_metadata, struct flow *flow)
{
	static const size_t lengths[] = { 1,	 32,	64,    4095,  4096,  4097,
					  32768, 32769, 65536, 99999, MIRROR_BUF - 1 };
	unsigned int i;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		reflect(_metadata, flow, lengths[i]);
	EXPECT_EQ(0, flow->send_failed);
	EXPECT_EQ(0, flow->recv_failed);
}

TEST_F(data, every_size_comes_back)
{
	reflect_all(_metadata, &self->flow);
	EXPECT_LT(0, self->flow.from);
}

TEST_F(data, immediate_data_alone)
{
	struct flow *flow = &self->flow;

	ASSERT_OK(flow_post(flow, 0, 64));
	ASSERT_OK(flow_put(flow, 0, 0, "alone", 5));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->received == 1 && flow->sent == 1));
	EXPECT_EQ(0, flow->length);
	EXPECT_EQ(5, flow->imm_length);
	EXPECT_EQ(0, memcmp("alone", flow->imm, 5));
}

/* More than the other side has buffers for: in order, and none is lost. */
TEST_F(data, tasks_wait_for_buffers_in_order)
{
	struct flow *flow = &self->flow;
	unsigned int i;

	for (i = 0; i < BUFS; i++)
		ASSERT_OK(flow_put(flow, i * 1000, 1000, &i, sizeof(i)));
	for (i = 0; i < BUFS; i++)
		ASSERT_OK(flow_post(flow, i * 1000, 1000));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->received == BUFS && flow->sent == BUFS));
	EXPECT_EQ(0, memcmp(flow->mem, flow->mem + HALF, BUFS * 1000));
}

/* Only the task fails, and the buffer is there for the next one. */
TEST_F(data, soft_errors)
{
	struct flow *flow = &self->flow;

	ASSERT_OK(flow_put_at(flow, flow->mem, 8, NULL, 0, 4711));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->send_failed == 1));
	EXPECT_ERR(NOT_CONNECTED, flow->status);
	ASSERT_OK(flow_put(flow, 0, MIRROR_BUF + 1, NULL, 0));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->send_failed == 2));
	EXPECT_ERR(INVALID_VALUE, flow->status);
	flow->send_failed = 0;
	reflect(_metadata, flow, 5000);
}

/* Tasks in flight are canceled, whatever the other side does. */
TEST_F(data, a_stopped_consumer_keeps_no_producer_from_stopping)
{
	struct flow *flow = &self->flow;
	int i;

	stop(self->pid);
	for (i = 0; i < 4; i++)
		ASSERT_OK(flow_put(flow, 0, i % 2 ? 100000 : 100, NULL, 0));
	for (i = 0; i < 100; i++)
		doca_pe_progress(self->side.pe);
	EXPECT_EQ(0, flow->sent);
	doca_ctx_stop(flow->out);
	EXPECT_TRUE(SIDE_UNTIL(&self->side, state_of(flow->out) == DOCA_CTX_STATE_IDLE));
	EXPECT_EQ(4, flow->send_failed);
	kill(self->pid, SIGCONT);
	ASSERT_OK(doca_ctx_start(flow->out));
	/* One message that was canceled may have come through. */
	ASSERT_OK(flow_post(flow, 0, MIRROR_BUF));
	ASSERT_OK(flow_put(flow, 0, 100000, NULL, 0));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->sent == 1));
	ASSERT_OK(flow_post(flow, 0, MIRROR_BUF));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->length == 100000));
	EXPECT_EQ(0, memcmp(flow->mem, flow->data, 100000));
}

/* The consumer's process dies: tasks fail, and the connection is at its end. */
TEST_F(data, a_killed_consumer_fails_the_tasks)
{
	struct flow *flow = &self->flow;

	ASSERT_OK(flow_put(flow, 0, 100, NULL, 0));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->sent == 1));
	stop(self->pid);
	ASSERT_OK(flow_put(flow, 0, MIRROR_BUF, NULL, 0));
	kill(self->pid, SIGKILL);
	ASSERT_TRUE(SIDE_UNTIL(&self->side, flow->send_failed == 1));
	EXPECT_TRUE(SIDE_UNTIL(&self->side, state_of(flow->in) == DOCA_CTX_STATE_IDLE &&
						    state_of(flow->out) == DOCA_CTX_STATE_IDLE &&
						    state_of(self->side.ctx) ==
							    DOCA_CTX_STATE_IDLE));
}

/* A buffer that is posted, and those of others, are given back with the connection. */
TEST_F(data, a_killed_producer_leaves_no_buffer)
{
	struct flow *flow = &self->flow;
	int i;

	for (i = 0; i < 8; i++)
		ASSERT_OK(flow_post(flow, 0, 64));
	kill(self->pid, SIGKILL);
	EXPECT_TRUE(SIDE_UNTIL(&self->side, flow->recv_failed == 8));
}

/* The other process has the server's side here. */
FIXTURE(data_of_server)
{
	struct shared *shared;
	struct side side;
	struct flow flow;
	pid_t pid;
};

FIXTURE_SETUP(data_of_server)
{
	self->shared = map(sizeof(*self->shared));
	ASSERT_EQ(0, server_open(&self->side, NAME));
	self->pid = victim(self->shared, run_mirror_client);
	ASSERT_TRUE(SIDE_UNTIL(&self->side, self->side.connects == 1));
	ASSERT_EQ(0, flow_open(&self->flow, &self->side));
	ASSERT_TRUE(SIDE_UNTIL(&self->side, self->side.new_consumers == 1));
}

FIXTURE_TEARDOWN(data_of_server)
{
	EXPECT_EQ(0, flow_close(&self->flow));
	EXPECT_EQ(0, side_destroy(&self->side));
	bury(self->shared, self->pid);
}

TEST_F(data_of_server, every_size_comes_back)
{
	reflect_all(_metadata, &self->flow);
}

/* A consumer that ends is told to the other side, and its id is not used again. */
TEST_F(data_of_server, a_consumer_goes_and_another_comes)
{
	struct flow *flow = &self->flow;
	uint32_t id = flow->id;

	reflect(_metadata, flow, 10);
	doca_ctx_stop(flow->in);
	ASSERT_TRUE(SIDE_UNTIL(&self->side, state_of(flow->in) == DOCA_CTX_STATE_IDLE));
	ASSERT_OK(doca_comch_consumer_destroy(flow->consumer));
	ASSERT_EQ(0, flow_open_consumer(flow));
	EXPECT_EQ(id + 1, flow->id);
	ASSERT_TRUE(AWAIT(load(&self->shared->right) == 2));
	reflect(_metadata, flow, 10000);
}

/* Killed while it sends, again and again: each time the other side hears of it. */
static int run_sender(struct shared *shared)
{
	struct side side = {};
	struct flow flow;
	unsigned int i;

	if (client_make(&side, "b1:00.0", NAME) || !client_connect(&side) ||
	    !SIDE_UNTIL(&side, side.new_consumers) || flow_open(&flow, &side))
		return 1;
	store(&shared->ready, 1);
	for (i = 0; i < BUFS; i++)
		if (flow_put(&flow, 0, MIRROR_BUF, NULL, 0))
			return 2;
	for (;;)
		doca_pe_progress(side.pe);
}

TEST(a_producer_killed_half_way_gives_its_buffer_back)
{
	struct shared *shared = map(sizeof(*shared));
	struct side side = {};
	struct flow flow;
	unsigned int i, n;
	int round;
	pid_t pid;

	ASSERT_EQ(0, server_open(&side, NAME));
	for (round = 0; round < rounds(12); round++) {
		unsigned int gone = side.disconnects;

		store(&shared->ready, 0);
		pid = quiet_fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(run_sender(shared));
		}
		ASSERT_TRUE(SIDE_UNTIL(&side, side.connects == gone + 1));
		ASSERT_EQ(0, flow_open(&flow, &side));
		for (i = 0; i < 16; i++)
			ASSERT_OK(flow_post(&flow, i % 8 * MIRROR_BUF, MIRROR_BUF));
		n = round % 5;
		ASSERT_TRUE(SIDE_UNTIL(&side, flow.received >= n));
		kill(pid, SIGKILL);
		ASSERT_TRUE(SIDE_UNTIL(&side, side.disconnects == gone + 1));
		EXPECT_TRUE(SIDE_UNTIL(&side, flow.received + flow.recv_failed == 16));
		waitpid(pid, NULL, 0);
		EXPECT_EQ(0, flow_close(&flow));
	}
	EXPECT_EQ(0, side_destroy(&side));
}

TEST_HARNESS_MAIN
