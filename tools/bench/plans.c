// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "plan.h"

static const struct plan *const plans[] = {
	&plan_throughput, &plan_latency, &plan_events,
	&plan_pinning,	  &plan_scaling,
};

const struct plan *plan_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(plans) / sizeof(*plans); i++)
		if (!strcmp(plans[i]->name, name))
			return plans[i];
	return NULL;
}
