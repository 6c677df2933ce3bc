/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Numbers that are the same in each run. */
#ifndef PROCESS_TESTS_ANY_H
#define PROCESS_TESTS_ANY_H

#include <linux/types.h>

static u32 seed = 1;

static inline u32 any(u32 below)
{
	seed = seed * 1664525 + 1013904223;
	return (u64)seed * below >> 32;
}

#endif
