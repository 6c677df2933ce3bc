// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <linux/doca_ring.h>

#include "notice.h"

/* The smallest queue that there is, of an operation that all devices have. */
int dev_notice_open(struct dev_notice *notice, const struct doca_dev *dev)
{
	const struct driver_queue_attr attr = {
		.device_id = doca_priv_dev_id(dev),
		.entries = 1,
		.opcodes = 1ULL << DOCA_OP_NOP,
		.patient = true,
	};

	return driver_queue_create(&notice->queue, &attr);
}

void dev_notice_close(struct dev_notice *notice)
{
	driver_queue_destroy(&notice->queue);
}
