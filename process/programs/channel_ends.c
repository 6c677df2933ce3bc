// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One of two processes that are connected ends, at any moment of its work: it is killed, is stopped,
 * exits, or is killed and leaves a living child. The other one is told, and keeps nothing
 * of it; a third and a fourth do not notice.
 */
#include "channel_flow.h"

/* The work of the process that ends. */
enum step { CONNECT, TALK, ATTACH, PUT, GET, STEPS };

static const char *const step_names[] = { "connect", "talk", "attach", "put", "get" };
static const char *const end_names[] = { "killed", "stopped", "exited", "forked" };

/* Moments, each later in the work of the process that ends. */
static unsigned int moment(int round)
{
	return round % 4 * (round % 4) * 20;
}

static int start(struct side *side, bool serves)
{
	if (serves)
		return server_open(side, NAME);
	return client_make(side, "b1:00.0", NAME);
}

/* Begin and end connections for ever. */
static int work_connect(struct side *side)
{
	for (;;) {
		if (side->server) {
			if (!side_stop(side) || doca_ctx_start(side->ctx))
				return 2;
			doca_pe_progress(side->pe);
		} else if (!client_connect(side) || !side_stop(side)) {
			return 3;
		}
	}
}

static int work_talk(struct side *side)
{
	unsigned int number = 0;

	for (;;) {
		if (number - side->sent < 100 && side_send(side, number++, MAX_MSG))
			return 4;
		doca_pe_progress(side->pe);
	}
}

static int work_attach(struct side *side)
{
	struct flow flow;

	for (;;)
		if (flow_open(&flow, side) || flow_close(&flow))
			return 5;
}

static int work_flow(struct side *side, bool puts)
{
	unsigned int begun = 0;
	struct flow flow;

	if (flow_open(&flow, side) || !SIDE_UNTIL(side, side->new_consumers))
		return 6;
	for (;;) {
		if (puts && begun - flow.sent - flow.send_failed < 16) {
			if (flow_put(&flow, 0, begun++ % 2 ? MIRROR_BUF : 64, NULL, 0))
				return 7;
		} else if (!puts && begun - flow.received - flow.recv_failed < 16) {
			if (flow_post(&flow, begun++ % 8 * MIRROR_BUF, MIRROR_BUF))
				return 8;
		}
		doca_pe_progress(side->pe);
	}
}

static int work(struct shared *shared, bool serves, enum step step)
{
	struct side side = {};

	if (start(&side, serves))
		return 1;
	store(&shared->ready, 1);
	if (step != CONNECT && !(serves ? SIDE_UNTIL(&side, side.connects) :
					  client_connect(&side)))
		return 9;
	switch (step) {
	case CONNECT:
		return work_connect(&side);
	case TALK:
		return work_talk(&side);
	case ATTACH:
		return work_attach(&side);
	default:
		return work_flow(&side, step == PUT);
	}
}

static bool works_as_server;
static enum step works_at;

static int run_work(struct shared *shared)
{
	return work(shared, works_as_server, works_at);
}

/* This process meanwhile: it has a flow where the other has one. */
struct witness {
	struct side side;
	struct flow flow;
	bool flows;
	unsigned int begun;
};

/* Do one thing more, if it can be done. */
static void witness_go_on(struct witness *witness)
{
	struct side *side = &witness->side;
	struct flow *flow = &witness->flow;

	if (side->client && state_of(side->ctx) == DOCA_CTX_STATE_IDLE)
		doca_ctx_start(side->ctx);
	if (witness->flows && witness->begun - flow->received - flow->recv_failed < 16 &&
	    state_of(flow->in) == DOCA_CTX_STATE_RUNNING &&
	    !flow_post(flow, witness->begun % 8 * MIRROR_BUF, MIRROR_BUF))
		witness->begun++;
	if (witness->flows && side->new_consumers && flow->sent + flow->send_failed < 1000000 &&
	    state_of(flow->out) == DOCA_CTX_STATE_RUNNING) {
		size_t nr;

		doca_ctx_get_num_inflight_tasks(flow->out, &nr);
		if (nr < 8)
			flow_put(flow, 0, nr % 2 ? MIRROR_BUF : 64, NULL, 0);
	}
	doca_pe_progress(side->pe);
}

static bool witness_meets(struct witness *witness, enum step step)
{
	struct side *side = &witness->side;

	if (step == CONNECT)
		return true;
	if (!(side->server ? SIDE_UNTIL(side, side->connects) : client_connect(side)))
		return false;
	witness->flows = step == PUT || step == GET;
	return !witness->flows || !flow_open(&witness->flow, side);
}

/* The other side has ended: all that belongs to the connection ends here, too. */
static bool witness_hears(struct witness *witness, enum end how)
{
	struct side *side = &witness->side;
	struct flow *flow = &witness->flow;

	if (how == STOP)
		return true;
	/* A client may be looking for the server once more. */
	if (!(side->server ? SIDE_UNTIL(side, side->disconnects == side->connects) :
			     SIDE_UNTIL(side, state_of(side->ctx) == DOCA_CTX_STATE_IDLE ||
						      state_of(side->ctx) ==
							      DOCA_CTX_STATE_STARTING)))
		return false;
	return !witness->flows ||
	       SIDE_UNTIL(side, state_of(flow->in) == DOCA_CTX_STATE_IDLE &&
					state_of(flow->out) == DOCA_CTX_STATE_IDLE);
}

static bool witness_ends(struct witness *witness)
{
	return !(witness->flows && flow_close(&witness->flow)) && !side_destroy(&witness->side);
}

static bool one_round(struct shared *shared, bool victim_serves, enum step step, enum end how,
		      int round)
{
	struct witness witness = {};
	unsigned int i;
	pid_t pid;
	bool met;

	works_as_server = victim_serves;
	works_at = step;
	/* A server is there first. */
	if (!victim_serves && start(&witness.side, true))
		return false;
	pid = victim(shared, run_work);
	if (victim_serves && start(&witness.side, false))
		return false;
	met = witness_meets(&witness, step);
	for (i = 0; met && i < moment(round); i++)
		witness_go_on(&witness);
	end(shared, pid, how);
	met = met && witness_hears(&witness, how) && witness_ends(&witness);
	bury(shared, pid);
	return met;
}

/* Two more processes, which talk all the time. */
#define BYSTANDERS own_name("bystanders")

static int run_bystander_server(struct shared *shared)
{
	return run_server_named(shared, BYSTANDERS);
}

static int run_bystander_client(struct shared *shared)
{
	struct side side = {};
	unsigned int number = 0;

	if (client_make(&side, "b1:00.0", BYSTANDERS) || !client_connect(&side))
		return 1;
	store(&shared->ready, 1);
	for (;;) {
		if (side_send(&side, number++, MAX_MSG) ||
		    !SIDE_UNTIL(&side, side.received == number) || side.wrong)
			return 2;
		store(&shared->steps, number);
	}
}

FIXTURE(channel_ends)
{
	struct shared *shared, *server, *client;
	pid_t server_pid, client_pid;
};

FIXTURE_VARIANT(channel_ends)
{
	bool serves; /* the process that ends is the server */
	enum step step;
};

FIXTURE_SETUP(channel_ends)
{
	self->shared = map(sizeof(*self->shared));
	self->server = map(sizeof(*self->server));
	self->client = map(sizeof(*self->client));
	setenv("DOCA_COMCH_CONNECT_MS", "60000", 1);
	self->server_pid = victim(self->server, run_bystander_server);
	self->client_pid = victim(self->client, run_bystander_client);
}

FIXTURE_TEARDOWN(channel_ends)
{
	int steps = load(&self->client->steps);

	EXPECT_TRUE(AWAIT(load(&self->client->steps) > steps));
	bury(self->client, self->client_pid);
	bury(self->server, self->server_pid);
}

static void all_rounds(struct __test_metadata *_metadata, struct shared *shared,
		       bool victim_serves, enum step step)
{
	struct doca_dev *dev = open_at("03:00.0");
	struct side first = {};
	int how, round, fds;

	ASSERT_NE(NULL, dev);
	/* It starts what stays. */
	ASSERT_EQ(0, server_open(&first, own_name("first")));
	ASSERT_EQ(0, side_destroy(&first));
	fds = nr_fds();
	for (how = KILL; how < ENDS; how++) {
		for (round = 0; round < rounds(4); round++) {
			EXPECT_TRUE(one_round(shared, victim_serves, step, how, round))
			TH_LOG("%s while %s, round %d", end_names[how], step_names[step], round);
			EXPECT_EQ(fds, SETTLES(fds, nr_fds()));
		}
	}
	EXPECT_OK(doca_dev_close(dev));
}

FIXTURE_VARIANT_ADD(channel_ends, a_client_that_connects)
{
	.serves = false,
	.step = CONNECT,
};

FIXTURE_VARIANT_ADD(channel_ends, a_client_that_talks)
{
	.serves = false,
	.step = TALK,
};

FIXTURE_VARIANT_ADD(channel_ends, a_client_that_attaches)
{
	.serves = false,
	.step = ATTACH,
};

FIXTURE_VARIANT_ADD(channel_ends, a_client_that_puts)
{
	.serves = false,
	.step = PUT,
};

FIXTURE_VARIANT_ADD(channel_ends, a_client_that_gets)
{
	.serves = false,
	.step = GET,
};

FIXTURE_VARIANT_ADD(channel_ends, a_server_that_connects)
{
	.serves = true,
	.step = CONNECT,
};

FIXTURE_VARIANT_ADD(channel_ends, a_server_that_talks)
{
	.serves = true,
	.step = TALK,
};

FIXTURE_VARIANT_ADD(channel_ends, a_server_that_attaches)
{
	.serves = true,
	.step = ATTACH,
};

FIXTURE_VARIANT_ADD(channel_ends, a_server_that_puts)
{
	.serves = true,
	.step = PUT,
};

FIXTURE_VARIANT_ADD(channel_ends, a_server_that_gets)
{
	.serves = true,
	.step = GET,
};

TEST_F_TIMEOUT(channel_ends, each_is_heard_of, 120)
{
	all_rounds(_metadata, self->shared, variant->serves, variant->step);
}

TEST_HARNESS_MAIN
