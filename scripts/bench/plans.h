/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_PLANS_H
#define BENCH_PLANS_H

#include "bench/plan.h"

extern const struct plan plan_peers;
extern const struct plan plan_peers_latency;
extern const struct plan plan_pinning;
extern const struct plan plan_scaling;
extern const struct plan plan_datagrams;

#endif /* BENCH_PLANS_H */
