/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* SLOW: an operation that takes as long as a test wants. No module has it. */
#ifndef DOCA_OPS_SLOW_H
#define DOCA_OPS_SLOW_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>

#include "flight.h"

/*
 * op[0] of an entry holds nanoseconds, at most these; with 0 it ends before it is
 * started. op[1] holds, from the lowest bits on, the status it ends with, and the flags
 * below.
 */
#define DOCA_SLOW_MAX_NS (10 * NSEC_PER_SEC)
#define DOCA_SLOW_STATUS 0xffffU
/* It cannot be recalled, like hardware that cannot stop. */
#define DOCA_SLOW_DEAF BIT(16)
/* The provider refuses it. */
#define DOCA_SLOW_REFUSE BIT(17)

/**
 * struct doca_slow - the provider's data of an operation
 * @flight: the operation
 * @src: mapping of the source
 * @dst: mapping of the destination
 * @back: callback for when its time has come
 * @node: for process/driver/slow_clock.c
 */
struct doca_slow {
	struct doca_flight *flight;
	const struct doca_mapping *src;
	const struct doca_mapping *dst;
	void (*back)(struct doca_slow *slow);
	struct list_head node;
};

/* The provider of these is process/driver/slow_clock.c. */
void doca_slow_set(struct doca_slow *slow, u64 ns);
/* Return false if the time has come: @back was called, or is being called. */
bool doca_slow_unset(struct doca_slow *slow);

#endif
