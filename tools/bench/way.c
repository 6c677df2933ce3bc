// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "area.h"
#include "msg.h"
#include "way.h"

int way_run(struct way *way, const struct load *load, struct meter *meter)
{
	if (way->area)
		area_spoil(way->area, load);
	if (way->run(way, meter))
		return fail("%s cannot be measured at %zu bytes, depth %u",
			    way->name, load->size, load->depth);
	return way->area ? area_check(way->area, load) : 0;
}

void way_close(struct way *way)
{
	if (way->close)
		way->close(way);
}
