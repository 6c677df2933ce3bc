/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The environment of the measurement, without which figures say nothing. */
#ifndef BENCH_ENV_H
#define BENCH_ENV_H

#include "result.h"

void env_facts(struct results *results);

#endif /* BENCH_ENV_H */
