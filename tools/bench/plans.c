// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "plan.h"

const struct plan *const plans[] = {
	&plan_throughput, &plan_latency, &plan_events,
	&plan_process,	  &plan_comch,	 &plan_rdma,
	&plan_compute,	  &plan_engines, NULL,
};
