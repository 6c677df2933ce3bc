// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Suspend and hibernation. Engines have nothing in flight before anything is frozen. So a
 * sleeping provider writes to none, none copies into an image, and none seems to hang.
 * Meanwhile, until programs are frozen, the CPU copies.
 *
 * Runtime power management is up to the provider, which knows when it is idle.
 */
#include <linux/jiffies.h>
#include <linux/notifier.h>
#include <linux/suspend.h>

#include "channel.h"
#include "claim.h"
#include "engine.h"
#include "suspend.h"

/* In units of engine_timeout_ms: a hanging engine has been given up by then. */
#define DOCA_SUSPEND_PATIENCE 3

/* Return false if something is still in flight. */
static bool doca_engine_rests(struct doca_engine *engine)
{
	struct doca_channel *channel = &engine->channel;
	unsigned int ms = READ_ONCE(doca_engine_timeout_ms);

	doca_channel_drain(channel);
	return wait_event_timeout(channel->idle, !READ_ONCE(channel->nr),
				  msecs_to_jiffies(ms) * DOCA_SUSPEND_PATIENCE);
}

static int doca_engines_rest(void)
{
	struct doca_engine *engine;
	bool rests = true;
	u32 id = 0;

	doca_engines_pause();
	while (rests && (engine = doca_engine_next(id))) {
		id = engine->id;
		rests = doca_engine_rests(engine);
		doca_engine_put(engine);
	}
	if (rests)
		return 0;
	doca_engines_go_on();
	return -EBUSY;
}

static int doca_suspend_event(struct notifier_block *nb, unsigned long event,
			      void *unused)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		return notifier_from_errno(doca_engines_rest());
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		doca_engines_go_on();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block doca_suspend_notifier = {
	.notifier_call = doca_suspend_event,
};

int doca_suspend_init(void)
{
	return register_pm_notifier(&doca_suspend_notifier);
}

void doca_suspend_exit(void)
{
	unregister_pm_notifier(&doca_suspend_notifier);
}
