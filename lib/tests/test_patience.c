// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* When calls execute in a worker's place, and when it is tried again. */
#include "core/driver/patience.h"
#include "ktap.h"

#define US 1000ull
#define MS 1000000ull
#define BEGIN MS
#define MIB (1 << 20)

TEST(a_worker_that_takes_entries_is_waited_for)
{
	struct patience p = {};
	uint32_t taken;

	for (taken = 0; taken < 1000; taken++) {
		EXPECT(!patience_ends(&p, taken, 0, BEGIN + taken * 40 * US));
		EXPECT(!patience_ends(&p, taken, 0,
				      BEGIN + taken * 40 * US + 39));
	}
}

TEST(one_that_takes_none_is_replaced_after_200_us)
{
	struct patience p = {};

	EXPECT(!patience_ends(&p, 7, 0, BEGIN));
	EXPECT(!patience_ends(&p, 7, 0, BEGIN + 200 * US - 1));
	EXPECT(patience_ends(&p, 7, 0, BEGIN + 200 * US));
	EXPECT(patience_executes(&p, 7, 0, BEGIN + 200 * US));
	/* What is left of the same entries is not waited for once more. */
	EXPECT(patience_ends(&p, 7, 0, BEGIN + 201 * US));
}

/* Calls that execute, each of them an entry, until the worker is called. */
static uint32_t calls(struct patience *p, uint32_t taken, uint64_t now)
{
	uint32_t n = 0;

	while (patience_executes(p, taken + n, 0, now))
		n++;
	return n;
}

/* Each wait takes 60 us. */
static bool waits_end(struct patience *p, uint32_t taken, uint64_t now)
{
	EXPECT(!patience_ends(p, taken, 0, now));
	return patience_ends(p, taken, 0, now + 60 * US);
}

TEST(one_that_is_slow_and_then_takes_many_is_waited_for)
{
	struct patience p = {};
	uint32_t i;

	for (i = 0; i < 100; i++)
		EXPECT(!waits_end(&p, i * 64, BEGIN + i * MS));
}

TEST(one_that_is_slow_for_each_few_entries_is_replaced)
{
	struct patience p = {};

	EXPECT(!waits_end(&p, 100, BEGIN));
	EXPECT(waits_end(&p, 101, BEGIN + MS));
	EXPECT_EQ(calls(&p, 101, BEGIN + MS), 64);
	/* It is tried as patiently as at first, and costs as little after that. */
	EXPECT(!waits_end(&p, 165, BEGIN + 2 * MS));
	EXPECT(waits_end(&p, 228, BEGIN + 3 * MS));
}

/* A nanosecond a byte, and as long as others. */
TEST(one_that_has_much_to_move_is_waited_for)
{
	struct patience p = {};

	EXPECT(!patience_ends(&p, 7, MIB, BEGIN));
	EXPECT(!patience_ends(&p, 7, MIB, BEGIN + MIB + 200 * US - 1));
	EXPECT(patience_ends(&p, 7, MIB, BEGIN + MIB + 200 * US));
}

/* It takes one entry after the other, for 100 us each. */
TEST(one_that_moves_much_all_the_time_is_not_slow)
{
	struct patience p = {};
	uint64_t now = BEGIN;
	uint32_t i;

	for (i = 0; i < 100; i++, now += 100 * US) {
		EXPECT(!patience_ends(&p, i, MIB, now));
		EXPECT(!patience_ends(&p, i, MIB, now + 99 * US));
	}
}

TEST(one_that_is_called_now_and_then_is_called)
{
	struct patience p = {};
	int i;

	for (i = 0; i < 1000; i++)
		EXPECT(!patience_executes(&p, i, 0, BEGIN + i * 51 * US));
}

TEST(one_that_sleeps_again_at_once_is_replaced)
{
	struct patience p = {};

	EXPECT(!patience_executes(&p, 7, 0, BEGIN));
	EXPECT(patience_executes(&p, 8, 0, BEGIN + 49 * US));
}

/* And has moved 1 MiB before that, faster than it wakes. */
TEST(one_that_is_to_move_much_is_called)
{
	struct patience p = {};

	EXPECT(!patience_executes(&p, 7, MIB, BEGIN));
	EXPECT(!patience_executes(&p, 8, MIB, BEGIN + 49 * US));
	EXPECT(!patience_executes(&p, 9, 256 * 1024 + 1, BEGIN + 98 * US));
	EXPECT(patience_executes(&p, 10, 256 * 1024, BEGIN + 147 * US));
}

/* The calls that execute take entries, too, which says nothing of the worker. */
TEST(one_that_was_replaced_is_called_before_it_fails_again)
{
	struct patience p = {};
	uint64_t now = BEGIN + 49 * US;
	uint32_t i;

	EXPECT(!patience_executes(&p, 7, 0, BEGIN));
	for (i = 0; i < 64; i++)
		EXPECT(patience_executes(&p, 8 + i, 0, now));
	EXPECT(!patience_executes(&p, 8 + i, 0, now));
}

/* A program that submits 32 at once makes as many calls until it has come. */
TEST(one_that_has_not_come_yet_is_not_replaced_for_it)
{
	struct patience p = {};
	int i;

	for (i = 0; i < 32; i++)
		EXPECT(!patience_executes(&p, 7, 0, BEGIN + i * US));
	EXPECT(patience_executes(&p, 39, 0, BEGIN + 49 * US));
}

static uint32_t calls_after_failure(struct patience *p, uint64_t now)
{
	EXPECT(!patience_ends(p, 0, 0, now));
	EXPECT(patience_ends(p, 0, 0, now + 200 * US));
	return calls(p, 0, now + 200 * US);
}

TEST(each_failure_soon_after_doubles_the_calls)
{
	struct patience p = {};
	uint64_t now = BEGIN;
	uint32_t n;

	for (n = 64; n < 65536; n *= 2, now += 250 * US)
		EXPECT_EQ(calls_after_failure(&p, now), n);
	for (n = 0; n < 3; n++, now += 250 * US)
		EXPECT_EQ(calls_after_failure(&p, now), 65536);
	/* It has been of use since, or nothing was asked of it. */
	EXPECT_EQ(calls_after_failure(&p, now + 2000 * MS), 64);
}

/* They take as long as many that move little: of 64, each of 1 MiB counts as 17. */
TEST(calls_that_move_much_are_few)
{
	struct patience p = {};
	uint32_t n = 0;

	EXPECT(!patience_ends(&p, 0, 0, BEGIN));
	EXPECT(patience_ends(&p, 0, 0, BEGIN + 200 * US));
	while (patience_executes(&p, n, MIB, BEGIN + 200 * US))
		n++;
	EXPECT_EQ(n, 4);
}
