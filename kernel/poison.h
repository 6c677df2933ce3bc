/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that has an error which cannot be corrected. Reading it ends the machine,
 * but where the CPU can go on and the instruction has said that it expects it.
 */
#ifndef DOCA_POISON_H
#define DOCA_POISON_H

#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* Whether the CPU can. The kernel's own copy is the faster one on some. */
extern bool doca_poison_survivable;

void doca_poison_init(void);

/* How many bytes could not be copied, of those at the end. */
static __always_inline u32 doca_poison_copy(void *to, const void *from,
					    u32 length)
{
	if (doca_poison_survivable)
		return copy_mc_to_kernel(to, from, length);
	memcpy(to, from, length);
	return 0;
}

#endif
