/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The windows of a scan: bytes of an area, each window one step after the one before.
 * They are slices of one buffer, so bytes that windows share are read once. The last
 * window reaches the end of its area. A window without any page is skipped.
 */
#ifndef DOCA_APSH_WINDOW_H
#define DOCA_APSH_WINDOW_H

#include "../yara.h"
#include "group.h"

struct windows {
	struct call *c;
	const struct area *area; /* NULL: no area was begun */
	u64 size, step;
	u64 start, end; /* addresses of the window */
	u64 part; /* beginning of its next block */
	u64 base; /* address of the buffer; below, its pages */
	u32 nr, max;
	u64 hole; /* end of a hole: no page from the buffer's end up to here */
	u8 *bytes;
	bool *there; /* for each page of the buffer */
	size_t used; /* bytes of the buffer that were ever written */
};

/* Return false if there is no memory. */
bool windows_begin(struct windows *w, struct call *c, u64 size, u64 step);
void windows_end(struct windows *w);

/* Take the first window of an area, or the next one; false if there is none, or on error. */
bool windows_first(struct windows *w, const struct area *a);
bool windows_next(struct windows *w);

/* Return the pages of the window, block by block; false at its end. */
bool windows_block(struct windows *w, struct yara_block *block);

#endif /* DOCA_APSH_WINDOW_H */
