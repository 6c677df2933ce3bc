// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Replaces the timers of SLOW, in tests alone. */
#include "shim/kernel.h"

#include "ops/slow.h"
#include "slow_clock.h"

static DEFINE_SPINLOCK(lock);
static LIST_HEAD(started);
static unsigned int nr_started;

void doca_slow_set(struct doca_slow *slow, u64 ns)
{
	spin_lock(&lock);
	list_add_tail(&slow->node, &started);
	nr_started++;
	spin_unlock(&lock);
}

/* Call it with the lock held. */
static void take_off(struct doca_slow *slow)
{
	list_del_init(&slow->node);
	nr_started--;
}

bool doca_slow_unset(struct doca_slow *slow)
{
	bool there;

	spin_lock(&lock);
	there = !list_empty(&slow->node);
	if (there)
		take_off(slow);
	spin_unlock(&lock);
	return there;
}

static bool ring_one(bool last)
{
	struct doca_slow *slow = NULL;

	spin_lock(&lock);
	if (!list_empty(&started)) {
		slow = list_entry(last ? started.prev : started.next,
				  struct doca_slow, node);
		take_off(slow);
	}
	spin_unlock(&lock);
	if (slow)
		slow->back(slow);
	return slow;
}

bool slow_clock_ring(void)
{
	return ring_one(false);
}

bool slow_clock_ring_last(void)
{
	return ring_one(true);
}

unsigned int slow_clock_nr(void)
{
	unsigned int nr;

	spin_lock(&lock);
	nr = nr_started;
	spin_unlock(&lock);
	return nr;
}
