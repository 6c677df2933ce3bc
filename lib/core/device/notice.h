/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Notice of a device's removal. The driver gives it to the queues on the device; a lane
 * that has none asks for one here, on which nothing is ever executed.
 */
#ifndef DOCA_CORE_NOTICE_H
#define DOCA_CORE_NOTICE_H

#include <stdbool.h>

#include "core/base/symver.h"
#include "core/driver/driver.h"
#include "dev.h"

struct dev_notice {
	struct driver_queue queue; /* ->fd tells of the removal */
};

/* Return 0 or a negative errno; -ENODEV: the device is gone already. Needs an open device. */
DOCA_STABLE int dev_notice_open(struct dev_notice *notice,
				const struct doca_dev *dev)
	DOCA_PRIVATE(dev_notice_open);

/* In the child of a fork there is nothing left to close. */
DOCA_STABLE void dev_notice_close(struct dev_notice *notice)
	DOCA_PRIVATE(dev_notice_close);

/* Let dev_gone() tell, if it is. */
static inline void dev_notice_look(const struct dev_notice *notice,
				   struct doca_dev *dev)
{
	if (ring_dead(&notice->queue.ring))
		dev_set_gone(dev);
}

#endif /* DOCA_CORE_NOTICE_H */
