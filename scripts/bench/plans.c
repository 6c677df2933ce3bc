// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The plans of doca_bench, and those that are of use to developers alone. */
#include "plans.h"

const struct plan *const plans[] = {
	&plan_peers,	 &plan_peers_latency, &plan_pinning, &plan_scaling,
	&plan_datagrams, &plan_throughput,    &plan_latency, &plan_events,
	&plan_process,	 &plan_comch,	      &plan_engines, NULL,
};
