/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Ways that vary how many of something there are. */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include <pthread.h>
#include <stdint.h>

#include <doca_pe.h>

#include "bench/domain.h"
#include "bench/ring_way.h"
#include "bench/way.h"

#define MAX_QUEUES 64

/* NOPs through several queues of one worker, with one depth for all together. */
struct queues_way {
	struct way way;
	const struct domain *domain;
	unsigned int nr;

	/* while it is open */
	struct load all; /* the load of all queues */
	struct queue queues[MAX_QUEUES];
	unsigned int next; /* the queue to look at next */
};

void queues_way_init(struct queues_way *qw, const char *name,
		     const struct domain *domain, unsigned int nr);

#define MAX_PAIRS 2

struct pair {
	struct cpus cpus;
	struct domain domain;
	struct ring_way ring;
	struct meter meter;
	pthread_t thread;
	int ret;
};

/* Submitting threads, each with a worker; their rates are added up. */
struct pairs_way {
	struct way way;
	const struct domain_conf *conf;
	unsigned int nr;
	struct pair pairs[MAX_PAIRS]; /* while it is open */
};

void pairs_way_init(struct pairs_way *pw, const char *name,
		    const struct domain_conf *conf, unsigned int nr);

/* DMA contexts that are created, started, stopped and destroyed. */
struct ctx_way {
	struct way way;
	const char *device;

	/* while it is open */
	struct doca_dev *dev;
	struct doca_pe *pe;
};

void ctx_way_init(struct ctx_way *cw, const char *device);

#endif /* BENCH_SCALE_H */
