/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Operations through the bare rings: what the driver itself can do. */
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
	uint32_t nr_keys; /* of the domain's, taken in turn */

	/* while it is open */
	struct load load;
	unsigned int slots;
	unsigned int slot; /* of the next operation, as is key */
	uint32_t key;
	struct queue queue; /* while it runs */
};

/* With the area of the way, the members above that are no load's are to be set. */
extern const struct way ring_way_ops;

#endif /* BENCH_RING_WAY_H */
