/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The devices of a pair. */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include <doca_dev.h>

struct pair {
	struct doca_dev *dpu;
	struct doca_dev *host;
	struct doca_dev_rep *rep; /* the host's, seen from the DPU */
};

/* Open those of the first pair. */
int pair_open(struct pair *pair);
void pair_close(struct pair *pair);

#endif /* BENCH_PAIR_H */
