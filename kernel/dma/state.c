// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The last states of a DMA engine, and their announcements. */
#include <linux/device.h>

#include "engine.h"
#include "netlink.h"

/* The removal of the engine's own device waits for this. */
static void doca_engine_tell(struct work_struct *work)
{
	struct doca_engine *engine =
		container_of(work, struct doca_engine, dead_work);

	dev_err(engine->provider, "doca: does not answer: the CPU copies from now on\n");
	doca_netlink_notify(engine->device, DOCA_GENL_CMD_ENGINE_DEAD);
}

void doca_engine_live(struct doca_engine *engine)
{
	INIT_WORK(&engine->dead_work, doca_engine_tell);
}

void doca_engine_dead(struct doca_engine *engine)
{
	unsigned long flags;

	spin_lock_irqsave(&engine->lock, flags);
	if (engine->state < DOCA_ENGINE_DYING)
		schedule_work(&engine->dead_work);
	WRITE_ONCE(engine->state, DOCA_ENGINE_DEAD);
	spin_unlock_irqrestore(&engine->lock, flags);
}

void doca_engine_dying(struct doca_engine *engine)
{
	spin_lock_irq(&engine->lock);
	if (engine->state < DOCA_ENGINE_DYING)
		WRITE_ONCE(engine->state, DOCA_ENGINE_DYING);
	spin_unlock_irq(&engine->lock);
	flush_work(&engine->dead_work);
}
