/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory with an uncorrectable error. Reading it panics the machine, unless the CPU can
 * continue and the kernel knows that the instruction expects the error.
 */
#ifndef DOCA_POISON_H
#define DOCA_POISON_H

#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* The CPU can continue. If it cannot, the ordinary copy does, which may be faster. */
extern bool doca_poison_survivable;

void doca_poison_init(void);

/* Return how many bytes at the end could not be copied. */
static __always_inline u32 doca_poison_copy(void *to, const void *from,
					    u32 length)
{
	if (doca_poison_survivable)
		return copy_mc_to_kernel(to, from, length);
	memcpy(to, from, length);
	return 0;
}

#endif
