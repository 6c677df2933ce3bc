// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* When calls execute instead of a worker, and when the worker is tried again. */
#include "core/driver/patience.h"
#include "ktap.h"
#include "stalls.h"

#define US 1000ull
#define MS 1000000ull
#define BEGIN MS
#define MIB (1 << 20)
#define TASKS 1000000
#define POLL_NS 1000

/* Poll for @ns more, every 10 us. Return true if a call is due then. */
static bool polled(struct patience *p, uint32_t taken, uint64_t bytes, uint64_t *now, uint64_t ns)
{
	uint64_t end = *now + ns;

	for (; *now < end; *now += 10 * US)
		if (patience_ends(p, taken, bytes, *now))
			return true;
	return false;
}

TEST(one_that_takes_none_is_replaced_after_400_us)
{
	struct patience p = {};
	uint64_t now = BEGIN;

	EXPECT(!polled(&p, 7, 0, &now, 400 * US));
	EXPECT(polled(&p, 7, 0, &now, 20 * US));
	EXPECT(patience_executes(&p, 7));
	/* The rest of the same entries is not waited for again. */
	EXPECT(patience_ends(&p, 7, 0, now));
}

/* A nanosecond for each byte, and the usual time. */
TEST(one_that_has_much_to_move_is_waited_for)
{
	struct patience p = {};
	uint64_t now = BEGIN;

	EXPECT(!polled(&p, 7, MIB, &now, MIB + 400 * US));
	EXPECT(polled(&p, 7, MIB, &now, 20 * US));
}

/* A small entry takes calls as long: its memory is slow, or it does more than copy. */
TEST(one_that_is_as_slow_as_calls_is_not_late)
{
	struct patience p = { .cost = 1 * MS };
	uint64_t now = BEGIN;
	uint32_t i;

	for (i = 0; i < 1000; i++)
		ASSERT(!polled(&p, i, 4096, &now, 1 * MS));
	EXPECT(!polled(&p, i, 4096, &now, 12 * MS));
	EXPECT(polled(&p, i, 4096, &now, 1 * MS));
}

/* It takes one entry after the other, for 100 us each. */
TEST(one_that_moves_much_all_the_time_is_not_slow)
{
	struct patience p = {};
	uint64_t now = BEGIN;
	uint32_t i;

	for (i = 0; i < 100; i++)
		EXPECT(!polled(&p, i, MIB, &now, 100 * US));
}

/* Calling it costs less than executing, though it sleeps after each entry. */
TEST(one_that_is_called_cheaply_is_called)
{
	struct patience p = { .cost = 10 * US };
	uint32_t i;

	for (i = 0; i < 100000; i++) {
		ASSERT(!patience_executes(&p, i));
		patience_called(&p, i + 1, 4 * US);
	}
}

/* Until the loss exceeds half of the calls' cost by 400 us. */
TEST(one_whose_calls_cost_more_is_replaced)
{
	struct patience p = { .cost = 1 * US };
	uint32_t i;

	for (i = 0; !patience_executes(&p, i) && i < 1000; i++)
		patience_called(&p, i + 1, 4 * US);
	EXPECT_EQ(i, 115);
}

/* Return the time of calls, each for an entry in @ns, until it is the worker's turn. */
static uint64_t by_calls(struct patience *p, uint32_t *taken, uint64_t ns)
{
	uint64_t sum = 0;

	/* The first call had to wait for the worker. */
	EXPECT(patience_executes(p, *taken));
	patience_called(p, ++*taken, 100 * MS);
	for (; patience_executes(p, *taken); sum += ns)
		patience_called(p, ++*taken, ns);
	return sum;
}

TEST(a_single_stall_is_none)
{
	struct patience p = { .cost = 3 * US, .failed = 2 };
	uint64_t now = BEGIN;
	uint32_t taken = 100000;

	EXPECT(!polled(&p, taken, 0, &now, 10 * MS));
	/* Entries done in between earn the next time. */
	EXPECT(!polled(&p, taken + 10000, 0, &now, 4 * MS));
	EXPECT(polled(&p, taken + 10000, 0, &now, 9 * MS));
	/* It has earned 10 ms before, so this is no early failure. */
	EXPECT_EQ(p.failed, 1);
}

/* The program itself was absent. */
TEST(neither_is_a_long_call_or_a_long_gap)
{
	struct patience p = {};

	EXPECT(!patience_ends(&p, 7, 0, BEGIN));
	EXPECT(!patience_ends(&p, 7, 0, BEGIN + 100 * MS));
	EXPECT(!patience_executes(&p, 8));
	patience_called(&p, 8, 100 * MS);
	EXPECT(patience_executes(&p, 8));
}

/* A worker that is slow to wake is given time; others cost ever less of it. */
TEST(each_failure_doubles_what_it_may_lose)
{
	struct patience p = {};
	uint64_t now = BEGIN, lost;
	uint32_t taken = 0, times;
	int i;

	for (i = 0; i < 6; i++) {
		times = 1 << (i < 3 ? i : 3);
		lost = 400 * times * US;
		EXPECT(!polled(&p, taken, 0, &now, lost));
		EXPECT(polled(&p, taken, 0, &now, 20 * US));
		/* The first time it learns the calls' cost, and then looks again. */
		EXPECT_EQ(by_calls(&p, &taken, US), (i ? 8 : 16) * times * lost);
		EXPECT_EQ(p.cost, 1 * US);
	}
}

TEST(a_span_that_is_interrupted_does_not_make_calls_dear)
{
	struct patience first = { .span = 1 * MS };
	struct patience p = { .span = 1 * MS, .cost = 1 * US };
	uint32_t i;

	patience_called(&p, 10, 100 * MS);
	EXPECT_EQ(p.cost, 2 * US);
	/* The first cost has nothing to compare with: another span follows. */
	patience_called(&first, 10, 100 * MS);
	for (i = 10; patience_executes(&first, i); i++)
		patience_called(&first, i + 1, 2 * US);
	EXPECT_EQ(i, 510);
	EXPECT_EQ(first.cost, 2 * US);
}

/*
 * A program with one task in flight, at a place where the worker's stalls were recorded,
 * under the rule, or under one of the ways alone.
 */
enum policy { WORKER, CALLS, RULE };

struct run {
	const struct place *place;
	enum policy policy;
	struct patience p;
	uint64_t now;
	uint64_t back; /* the worker takes nothing before */
	uint32_t taken;
	uint32_t left; /* entries until it stalls */
	uint32_t stall; /* index of the next one */
	uint32_t executed; /* number of entries executed by calls */
	bool aside; /* the worker sleeps, because calls have executed */
};

static void call(struct run *r, uint64_t ns)
{
	r->now += ns;
	patience_called(&r->p, r->taken, ns);
}

/* Begin a stall. Return the time of the call to the worker, if it is asleep. */
static uint64_t begin_stall(struct run *r)
{
	const struct stall *s = &r->place->stalls[r->stall];
	uint64_t ns = s->call * US;

	if (!r->place->nr || r->left--)
		return 0;
	r->stall = (r->stall + 1) % r->place->nr;
	r->left = r->place->stalls[r->stall].after;
	r->back = r->now + ns + (uint64_t)(s->wait * US);
	return ns;
}

/* Return true if the worker takes the entry. */
static bool worker_takes(struct run *r)
{
	uint64_t ns = begin_stall(r);

	if (r->aside || ns) {
		if (r->policy == RULE && patience_executes(&r->p, r->taken))
			return false;
		call(r, ns ?: r->place->wake_ns);
		r->aside = false;
	}
	if (r->policy == WORKER && r->now < r->back)
		r->now = r->back;
	for (; r->now < r->back; r->now += POLL_NS)
		if (patience_ends(&r->p, r->taken, 0, r->now))
			return false;
	return true;
}

static void one_task(struct run *r)
{
	bool calls = r->policy == CALLS || r->p.span;

	if (!calls && worker_takes(r)) {
		r->now += r->place->worker_ns;
		r->taken++;
		return;
	}
	EXPECT(r->policy == CALLS || patience_executes(&r->p, r->taken));
	r->taken++;
	r->executed++;
	r->aside = true;
	call(r, r->place->call_ns);
}

static struct run simulate(const struct place *place, enum policy policy)
{
	struct run r = {
		.place = place,
		.policy = policy,
		.now = BEGIN,
		.left = place->stalls[0].after,
	};

	while (r.taken < TASKS)
		one_task(&r);
	r.now -= BEGIN;
	printf("# %-14s %-6s %7.0f k/s, %u of %u tasks by calls\n", place->name,
	       (const char *[]){ "worker", "calls", "rule" }[policy], r.taken * 1e6 / r.now,
	       r.executed, r.taken);
	return r;
}

TEST(the_cheaper_way_is_followed_where_stalls_were_recorded)
{
	unsigned int i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct run worker = simulate(&places[i], WORKER);
		struct run calls = simulate(&places[i], CALLS);
		struct run rule = simulate(&places[i], RULE);

		if (places[i].quiet) {
			EXPECT(worker.now < calls.now);
			EXPECT(rule.executed < TASKS / 25);
			EXPECT(rule.now < worker.now * 11 / 10);
		} else {
			EXPECT(calls.now < worker.now);
			EXPECT(rule.now < calls.now * 4 / 3);
		}
	}
}
