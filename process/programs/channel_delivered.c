// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A task is done when what it sent is there, in the buffer of another process; and it is done well,
 * whatever happens to that process afterwards.
 */
#include "channel_flow.h"

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

static void look_around(struct side *side)
{
	int i;

	for (i = 0; i < LOOKS; i++)
		doca_pe_progress(side->pe);
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
