/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Ways that are about how many of something there are. */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include <stdint.h>

#include <doca_pe.h>

#include "domain.h"
#include "way.h"

#define MAX_QUEUES 64

/* NOPs through several queues of one worker; the depth is of all together. */
struct queues_way {
	struct way way;
	const struct domain *domain;
	unsigned int nr;

	/* while it is open */
	struct load all; /* of them together */
	struct queue queues[MAX_QUEUES];
	unsigned int next; /* the one to look at */
};

void queues_way_init(struct queues_way *qw, const char *name,
		     const struct domain *domain, unsigned int nr);

/* DMA contexts that are created, started, stopped and destroyed again. */
struct ctx_way {
	struct way way;
	const char *device;

	/* while it is open */
	struct doca_dev *dev;
	struct doca_pe *pe;
};

void ctx_way_init(struct ctx_way *cw, const char *device);

#endif /* BENCH_SCALE_H */
