// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Queues that are woken when a value is written: each once, and some in each step. */
#include <stdlib.h>

#include <linux/list.h>

#include "ktap.h"
#include "watch.h"

#define WATCHERS (3 * DOCA_WATCHED_WAKES + 2)

struct one {
	struct doca_watcher watcher;
	struct doca_watch spare[2];
	unsigned int woken;
};

static struct one ones[WATCHERS];
static struct doca_watched watched;
static unsigned int woken;

static void wake(struct doca_watcher *watcher)
{
	container_of(watcher, struct one, watcher)->woken++;
	woken++;
}

static void one_init(struct one *one)
{
	*one = (struct one){};
	doca_watcher_init(&one->watcher, wake);
}

static void watch(struct one *one, u64 offset, unsigned int spare)
{
	EXPECT(doca_watch_add(&watched, offset, &one->watcher, &one->spare[spare]) ==
	       &one->spare[spare]);
}

/* All watch one value, and every second one the next value as well. */
static void watch_all(void)
{
	unsigned int i;

	doca_watched_init(&watched);
	for (i = 0; i < WATCHERS; i++)
		one_init(&ones[i]);
	for (i = 0; i < WATCHERS; i++) {
		watch(&ones[i * 7 % WATCHERS], 8, 0);
		if (i % 2)
			watch(&ones[i], 16, 1);
	}
	woken = 0;
}

TEST(each_once_and_some_in_a_step)
{
	unsigned int i, steps = 1;
	u64 below = U64_MAX;

	watch_all();
	while (doca_watched_wake(&watched, 8, &below)) {
		EXPECT_EQ(woken, steps * DOCA_WATCHED_WAKES);
		steps++;
	}
	EXPECT_EQ(steps, 4);
	for (i = 0; i < WATCHERS; i++)
		EXPECT_EQ(ones[i].woken, 1);

	/* They have not polled yet. */
	below = U64_MAX;
	while (doca_watched_wake(&watched, 8, &below))
		;
	EXPECT_EQ(woken, WATCHERS);
	ones[5].watcher.due = false;
	below = U64_MAX;
	while (doca_watched_wake(&watched, 16, &below))
		;
	EXPECT_EQ(ones[5].woken, 2);
	EXPECT_EQ(woken, WATCHERS + 1);
}

TEST(values_beside_it_wake_nobody)
{
	u64 offset, below;

	watch_all();
	for (offset = 0; offset <= 24; offset += 24) {
		below = U64_MAX;
		EXPECT(!doca_watched_wake(&watched, offset, &below));
	}
	EXPECT_EQ(woken, 0);
}

TEST(who_comes_between_two_steps_does_not_keep_it_going)
{
	struct one late[2 * DOCA_WATCHED_WAKES];
	u64 below = U64_MAX;
	unsigned int i = 0;

	watch_all();
	while (doca_watched_wake(&watched, 8, &below)) {
		one_init(&late[i]);
		watch(&late[i++], 8, 0);
	}
	EXPECT_EQ(woken, WATCHERS);
	EXPECT_EQ(i, 3);
}

TEST(who_goes_between_two_steps_is_not_woken)
{
	u64 below = U64_MAX;
	unsigned int i;

	watch_all();
	EXPECT(doca_watched_wake(&watched, 8, &below));
	for (i = 0; i < WATCHERS; i++)
		EXPECT(doca_watch_del(&ones[i].spare[0]));
	EXPECT(!doca_watched_wake(&watched, 8, &below));
	EXPECT_EQ(woken, DOCA_WATCHED_WAKES);
	EXPECT_EQ(watched.nr, WATCHERS / 2);
}

TEST(a_watch_is_shared_by_the_waits_for_one_value)
{
	struct doca_watch *first;
	struct one one;

	one_init(&one);
	doca_watched_init(&watched);
	EXPECT(!doca_watched_by_any(&watched));
	first = doca_watch_add(&watched, 8, &one.watcher, &one.spare[0]);
	EXPECT(first == &one.spare[0]);
	EXPECT(doca_watch_add(&watched, 8, &one.watcher, &one.spare[1]) == first);
	EXPECT_EQ(watched.nr, 1);
	EXPECT(!doca_watch_del(first));
	EXPECT(doca_watched_by_any(&watched));
	EXPECT(doca_watch_del(first));
	EXPECT(!doca_watched_by_any(&watched));
}

/* Add and remove in any order. */
TEST(at_random)
{
	bool there[WATCHERS] = {};
	unsigned int i, k, nr = 0;
	u64 below;

	srandom(1);
	doca_watched_init(&watched);
	for (i = 0; i < WATCHERS; i++)
		one_init(&ones[i]);
	for (k = 0; k < 20000; k++) {
		i = random() % WATCHERS;
		if (there[i])
			EXPECT(doca_watch_del(&ones[i].spare[0]));
		else
			watch(&ones[i], i % 4, 0);
		nr += there[i] ? -1 : 1;
		there[i] = !there[i];
		EXPECT_EQ(watched.nr, nr);
		if (k % 100)
			continue;
		for (i = 0; i < WATCHERS; i++)
			ones[i].watcher.due = false;
		below = U64_MAX;
		while (doca_watched_wake(&watched, 1, &below))
			;
		for (i = 0; i < WATCHERS; i++)
			EXPECT_EQ(ones[i].watcher.due, there[i] && i % 4 == 1);
	}
}
