/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Pieces of input and output of any sizes, each in memory of just its size. */
#ifndef PROCESS_TESTS_PIECES_H
#define PROCESS_TESTS_PIECES_H

#include <stdlib.h>
#include <string.h>

#include "any.h"

#define MANY_PIECES 100 /* small ones; the rest comes in one */

/* Return the size of the next piece of @left bytes. */
static size_t piece_size(bool whole, size_t left, u32 *pieces)
{
	static const u32 most[] = { 2, 20, 100, 1000, 70000 };

	if (whole || ++*pieces > MANY_PIECES)
		return left;
	return min_t(size_t, left, any(most[any(ARRAY_SIZE(most))]));
}

static u8 *own_copy(const u8 *from, size_t size)
{
	u8 *copy = malloc(size ?: 1);

	if (!copy)
		abort();
	memcpy(copy, from, size);
	return size ? copy : copy + 1;
}

static void drop(const u8 *copy, size_t size)
{
	free((void *)(size ? copy : copy - 1));
}

#endif
