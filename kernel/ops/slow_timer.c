// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The clock of SLOW: a kernel timer, which ends the operation in an interrupt. */
#include <linux/hrtimer.h>
#include <linux/ktime.h>

#include "slow.h"

static enum hrtimer_restart doca_slow_ring(struct hrtimer *timer)
{
	struct doca_slow *slow = container_of(timer, struct doca_slow, timer);

	slow->back(slow);
	return HRTIMER_NORESTART;
}

void doca_slow_set(struct doca_slow *slow, u64 ns)
{
	hrtimer_init(&slow->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	slow->timer.function = doca_slow_ring;
	hrtimer_start(&slow->timer, ns_to_ktime(ns), HRTIMER_MODE_REL);
}

bool doca_slow_unset(struct doca_slow *slow)
{
	return hrtimer_try_to_cancel(&slow->timer) > 0;
}
