// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "plan.h"

const struct plan *const plans[NR_PLANS] = {
	&plan_throughput, &plan_latency, &plan_events,	  &plan_pinning,
	&plan_scaling,	  &plan_process, &plan_datagrams, &plan_engines,
};
