/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The windows of a scan: bytes of an area, each a step behind the one before it. They are
 * slices of a buffer, so what windows share is read once. The last one of an area is that
 * which comes to its end; where no page is there, there is none.
 */
#ifndef DOCA_APSH_WINDOW_H
#define DOCA_APSH_WINDOW_H

#include "../yara.h"
#include "group.h"

struct windows {
	struct call *c;
	const struct area *area; /* NULL: none was begun */
	u64 size, step;
	u64 start, end; /* addresses of the window */
	u64 part; /* where the next block of it begins */
	u64 base; /* address of the buffer, and how many pages it has */
	u32 nr, max;
	u64 hole; /* behind the buffer no page is there before this address */
	u8 *bytes;
	bool *there; /* by page */
	size_t used; /* bytes of the buffer that were written */
};

/* False if there is no memory. */
bool windows_begin(struct windows *w, struct call *c, u64 size, u64 step);
void windows_end(struct windows *w);

/* The first window of an area, or the next one; false if there is none, or on error. */
bool windows_first(struct windows *w, const struct area *a);
bool windows_next(struct windows *w);

/* What is there of the window, block by block; false at its end. */
bool windows_block(struct windows *w, struct yara_block *block);

#endif /* DOCA_APSH_WINDOW_H */
