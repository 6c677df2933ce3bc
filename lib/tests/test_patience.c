// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* When calls execute in a worker's place, and when it is tried again. */
#include "core/base/patience.h"
#include "ktap.h"

#define US 1000ull
#define MS 1000000ull
#define BEGIN MS

TEST(a_worker_that_takes_entries_is_waited_for)
{
	struct patience p = {};
	uint32_t taken;

	for (taken = 0; taken < 1000; taken++) {
		EXPECT(!patience_ends(&p, taken, BEGIN + taken * 40 * US));
		EXPECT(!patience_ends(&p, taken, BEGIN + taken * 40 * US + 39));
	}
}

TEST(one_that_takes_none_is_replaced_after_50_us)
{
	struct patience p = {};

	EXPECT(!patience_ends(&p, 7, BEGIN));
	EXPECT(!patience_ends(&p, 7, BEGIN + 50 * US - 1));
	EXPECT(patience_ends(&p, 7, BEGIN + 50 * US));
	EXPECT(patience_executes(&p, BEGIN + 50 * US));
	/* What is left of the same entries is not waited for once more. */
	EXPECT(patience_ends(&p, 7, BEGIN + 51 * US));
}

TEST(one_that_is_called_now_and_then_is_called)
{
	struct patience p = {};
	int i;

	for (i = 0; i < 1000; i++)
		EXPECT(!patience_executes(&p, BEGIN + i * 51 * US));
}

TEST(one_that_sleeps_again_at_once_is_replaced)
{
	struct patience p = {};

	EXPECT(!patience_executes(&p, BEGIN));
	EXPECT(patience_executes(&p, BEGIN + 49 * US));
}

/* Calls that execute, until the worker is called. */
static uint32_t calls(struct patience *p, uint64_t now)
{
	uint32_t n = 0;

	while (patience_executes(p, now))
		n++;
	return n;
}

static uint32_t calls_after_failure(struct patience *p, uint64_t now)
{
	EXPECT(!patience_ends(p, 0, now));
	EXPECT(patience_ends(p, 0, now + 50 * US));
	return calls(p, now + 50 * US);
}

TEST(each_failure_soon_after_doubles_the_calls)
{
	struct patience p = {};
	uint64_t now = BEGIN;
	uint32_t n;

	for (n = 64; n < 65536; n *= 2, now += 100 * US)
		EXPECT_EQ(calls_after_failure(&p, now), n);
	for (n = 0; n < 3; n++, now += 100 * US)
		EXPECT_EQ(calls_after_failure(&p, now), 65536);
	/* It has been of use since, or nothing was asked of it. */
	EXPECT_EQ(calls_after_failure(&p, now + 2000 * MS), 64);
}
