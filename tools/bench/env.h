/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Where the measuring takes place, for figures say nothing without it. */
#ifndef BENCH_ENV_H
#define BENCH_ENV_H

#include "result.h"

void env_facts(struct results *results);

#endif /* BENCH_ENV_H */
