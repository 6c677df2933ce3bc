/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A software module, as storage frameworks have it behind their interface to DMA
 * engines: submit copies and queues, and a poll calls back.
 */
#ifndef BENCH_MODULE_WAY_H
#define BENCH_MODULE_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "area.h"
#include "way.h"

struct module_task;

struct module_way {
	struct way way;

	/* while it is open */
	struct load load;
	struct module_task *tasks;
	struct module_task *first; /* the first of those done */
	struct module_task **last;
	uint64_t done; /* operations done in this run */
	unsigned int inflight;
	bool again; /* submit tasks again */
};

void module_way_init(struct module_way *mw, const struct area *area);

#endif /* BENCH_MODULE_WAY_H */
