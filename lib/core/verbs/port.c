// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stddef.h>

#include <infiniband/verbs.h>

#include "core/device/dev.h"
#include "table.h"

/* Return the speed of a bit, in the units of the InfiniBand standard. */
static uint64_t speed_of(uint8_t bit)
{
	static const uint16_t speed[] = {
		25, 50, 100, 100, 140, 250, 500, 1000
	};
	uint64_t unit = 100000000; /* 100 Mb/s */
	size_t i;

	for (i = 0; i < sizeof(speed) / sizeof(speed[0]); i++)
		if (bit == 1U << i)
			return speed[i] * unit;
	return 0;
}

static uint64_t lanes_of(uint8_t bit)
{
	static const uint8_t lanes[] = { 1, 4, 8, 12, 2 };
	size_t i;

	for (i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		if (bit == 1U << i)
			return lanes[i];
	return 0;
}

int verbs_table_query_port(const char *ibdev, struct verbs_port *port)
{
	struct ibv_port_attr attr;
	struct ibv_context *ctx;
	int err;

	ctx = verbs_table_open_device(ibdev);
	if (!ctx)
		return errno ? -errno : -EIO;
	err = ibv_query_port(ctx, DEV_PORT, &attr);
	ibv_close_device(ctx);
	if (err)
		return -err;
	port->infiniband = attr.link_layer == IBV_LINK_LAYER_INFINIBAND;
	port->lid = attr.lid;
	port->rate = speed_of(attr.active_speed) * lanes_of(attr.active_width);
	return 0;
}
