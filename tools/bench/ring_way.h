/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Operations through the bare rings: the speed of the driver itself. */
#ifndef BENCH_RING_WAY_H
#define BENCH_RING_WAY_H

#include <stdint.h>

#include "area.h"
#include "domain.h"
#include "way.h"

struct ring_way {
	struct way way;
	const struct domain *domain;
	uint32_t worker_id; /* 0: execute by ENTER */
	uint32_t nr_keys; /* number of the domain's keys to use, in turn */

	/* while it is open */
	struct load load;
	unsigned int slots;
	unsigned int slot; /* the slot of the next operation; key likewise */
	uint32_t key;
	struct queue queue; /* while it runs */
};

/* The caller sets the area, and the members above that are not of the load. */
extern const struct way ring_way_ops;

#endif /* BENCH_RING_WAY_H */
