/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Copies and NOPs of all sizes. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include "plan.h"

/* References, before those that the plan adds */
enum { REF_LOOP, REF_MEMCPY, REF_LIMIT, REF_RINGS, NR_SIZES_REFS };

#define SIZES_REFS "yardstick", "memcpy", "limit", "rings"

#define SIZES_NOTES                                                                       \
	"trips         the time in round trips of a cache line between the two CPUs\n"    \
	"other columns the speed as a part of that of\n"                                  \
	"  yardstick   a plain loop of the submitting thread\n"                           \
	"  memcpy      memcpy() of the submitting thread\n"                               \
	"  limit       rings between two threads, with nothing behind them but a copy\n"  \
	"  rings       the driver's bare rings, executed by a worker if there are any;\n" \
	"              ENTER executes in the submitting thread\n"

void sizes_check(const struct options *opts);
int sizes_run(struct bench *bench);

#endif /* BENCH_SIZES_H */
