/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* SLOW: an operation that takes as long as a test wants. No module has it. */
#ifndef DOCA_OPS_SLOW_H
#define DOCA_OPS_SLOW_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>

#include "flight.h"

/*
 * An entry has nanoseconds in op[0], at most these; 0: it ends before it is started. In
 * op[1], from the lowest bits on: the status that it ends with, and the flags below.
 */
#define DOCA_SLOW_MAX_NS (10 * NSEC_PER_SEC)
#define DOCA_SLOW_STATUS 0xffffU
/* It cannot be recalled, like hardware that cannot stop. */
#define DOCA_SLOW_DEAF BIT(16)
/* The provider does not take it. */
#define DOCA_SLOW_REFUSE BIT(17)

/**
 * struct doca_slow - the provider's data of an operation
 * @flight: the operation
 * @src: mapping of the source
 * @dst: mapping of the destination
 * @back: called when its time has come
 * @node: of process/driver/slow_clock.c
 */
struct doca_slow {
	struct doca_flight *flight;
	const struct doca_mapping *src;
	const struct doca_mapping *dst;
	void (*back)(struct doca_slow *slow);
	struct list_head node;
};

/* The provider: process/driver/slow_clock.c. */
void doca_slow_set(struct doca_slow *slow, u64 ns);
/* False if the time has come, so that @back was called, or is being. */
bool doca_slow_unset(struct doca_slow *slow);

#endif
