// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A task is done when what it sent is there, in the inbox or in the buffer of another process; and
 * it is done well, whatever happens to that process afterwards.
 */
#include "channel_flow.h"

#define QUEUE 16
#define LOOKS 100

/* The client is here. */
FIXTURE(delivered)
{
	struct shared *shared;
	struct side side;
	pid_t pid;
};

static void meet(struct __test_metadata *_metadata, FIXTURE_DATA(delivered) *self,
		 int (*run)(struct shared *shared))
{
	self->pid = victim(self->shared, run);
	ASSERT_EQ(0, client_make(&self->side, "b1:00.0", NAME));
	ASSERT_TRUE(client_connect(&self->side));
}

FIXTURE_SETUP(delivered)
{
	self->shared = map(sizeof(*self->shared));
}

FIXTURE_TEARDOWN(delivered)
{
	EXPECT_EQ(0, side_destroy(&self->side));
	bury(self->shared, self->pid);
}

/* Receive nothing until it is asked to. */
static int run_idler(struct shared *shared)
{
	struct side side = { .shared = shared };

	if (server_make(&side, "03:00.0", "b1:00.0", NAME) ||
	    doca_comch_server_set_recv_queue_size(side.server, QUEUE) || doca_ctx_start(side.ctx))
		return 1;
	store(&shared->ready, 1);
	while (!side.connects)
		doca_pe_progress(side.pe);
	load_other(&shared->left, 0);
	for (;;)
		doca_pe_progress(side.pe);
}

static void send_all(struct __test_metadata *_metadata, struct side *side, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		ASSERT_OK(side_send(side, i, 100));
}

static void look_around(struct side *side)
{
	int i;

	for (i = 0; i < LOOKS; i++)
		doca_pe_progress(side->pe);
}

TEST_F(delivered, messages_wait_for_room_in_the_inbox)
{
	struct side *side = &self->side;

	meet(_metadata, self, run_idler);
	send_all(_metadata, side, 10 * QUEUE);
	ASSERT_TRUE(SIDE_UNTIL(side, side->sent == QUEUE));
	look_around(side);
	EXPECT_EQ(QUEUE, side->sent);
	store(&self->shared->left, 1);
	EXPECT_TRUE(SIDE_UNTIL(side, side->sent == 10 * QUEUE));
	EXPECT_TRUE(AWAIT(load(&self->shared->steps) == 10 * QUEUE));
	EXPECT_EQ(0, side->failed);
}

TEST_F(delivered, a_process_that_is_stopped_has_got_no_message)
{
	struct side *side = &self->side;

	meet(_metadata, self, run_idler);
	stop(self->pid);
	send_all(_metadata, side, QUEUE);
	look_around(side);
	EXPECT_EQ(0, side->sent);
	kill(self->pid, SIGCONT);
	EXPECT_TRUE(SIDE_UNTIL(side, side->sent == QUEUE));
}

/* Those in the inbox have come through, though nobody will read them. */
TEST_F(delivered, messages_without_room_fail_with_their_receiver)
{
	struct side *side = &self->side;

	meet(_metadata, self, run_idler);
	send_all(_metadata, side, 2 * QUEUE);
	ASSERT_TRUE(SIDE_UNTIL(side, side->sent == QUEUE));
	kill(self->pid, SIGKILL);
	EXPECT_TRUE(SIDE_UNTIL(side, side->failed == QUEUE));
	EXPECT_EQ(QUEUE, side->sent);
	EXPECT_ERR(NOT_CONNECTED, side->status);
}

/* Receive one message, and close at once. */
static int run_listener(struct shared *shared)
{
	struct side side = { .shared = shared };
	unsigned int received = 0;

	if (server_open(&side, NAME))
		return 1;
	store(&shared->ready, 1);
	for (;;) {
		side.next = 0;
		while (side.received == received)
			doca_pe_progress(side.pe);
		received = side.received;
		doca_comch_server_disconnect(side.server, side.connection);
	}
}

/* The answer has come, and the end after it, before the sender looks. */
TEST_F(delivered, a_message_before_the_end)
{
	struct side *side = &self->side;
	int fds;

	meet(_metadata, self, run_listener);
	stop(self->pid);
	send_all(_metadata, side, 1);
	look_around(side);
	fds = nr_fds();
	kill(self->pid, SIGCONT);
	ASSERT_TRUE(AWAIT(nr_fds() < fds));
	EXPECT_TRUE(SIDE_UNTIL(side, side->sent == 1));
	EXPECT_EQ(0, side->failed);
}

TEST_F_TIMEOUT(delivered, each_message_before_the_end, 120)
{
	struct side *side = &self->side;
	unsigned int i;

	meet(_metadata, self, run_listener);
	for (i = 1; i <= rounds(100); i++) {
		ASSERT_OK(side_send(side, 0, MAX_MSG));
		ASSERT_TRUE(SIDE_UNTIL(side, side->sent + side->failed == i));
		EXPECT_EQ(0, side->failed);
		ASSERT_TRUE(side_stop(side));
		ASSERT_TRUE(client_connect(side));
	}
}

/* Consume one buffer of each client, and close at once. */
static int run_consumer(struct shared *shared)
{
	struct side side = { .shared = shared };
	unsigned int connects = 0;
	struct flow flow;

	if (server_open(&side, NAME))
		return 1;
	store(&shared->ready, 1);
	for (;; connects++) {
		while (side.connects == connects)
			doca_pe_progress(side.pe);
		if (flow_open(&flow, &side) || flow_post(&flow, 0, MIRROR_BUF))
			return 2;
		while (!flow.received && !flow.recv_failed)
			doca_pe_progress(side.pe);
		doca_comch_server_disconnect(side.server, side.connection);
		if (flow_close(&flow))
			return 3;
	}
}

TEST_F(delivered, a_buffer_before_the_end)
{
	struct side *side = &self->side;
	struct flow flow;
	int fds;

	meet(_metadata, self, run_consumer);
	ASSERT_EQ(0, flow_open(&flow, side));
	ASSERT_TRUE(SIDE_UNTIL(side, side->new_consumers == 1));
	stop(self->pid);
	ASSERT_OK(flow_put(&flow, 0, 100, NULL, 0));
	look_around(side);
	fds = nr_fds();
	kill(self->pid, SIGCONT);
	ASSERT_TRUE(AWAIT(nr_fds() < fds));
	EXPECT_TRUE(SIDE_UNTIL(side, flow.sent == 1));
	EXPECT_EQ(0, flow.send_failed);
	EXPECT_EQ(0, flow_close(&flow));
}

TEST_F_TIMEOUT(delivered, each_buffer_before_the_end, 120)
{
	struct side *side = &self->side;
	struct flow flow;
	unsigned int i;

	meet(_metadata, self, run_consumer);
	for (i = 1; i <= rounds(100); i++) {
		ASSERT_EQ(0, flow_open(&flow, side));
		ASSERT_TRUE(SIDE_UNTIL(side, side->new_consumers == i));
		ASSERT_OK(flow_put(&flow, 0, i % 2 ? 100 : MIRROR_BUF, NULL, 0));
		ASSERT_TRUE(SIDE_UNTIL(side, flow.sent + flow.send_failed == 1));
		EXPECT_EQ(0, flow.send_failed) TH_LOG("round %u", i);
		ASSERT_EQ(0, flow_close(&flow));
		ASSERT_TRUE(side_stop(side));
		ASSERT_TRUE(client_connect(side));
	}
}

TEST_HARNESS_MAIN
