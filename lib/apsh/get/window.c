// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../secret.h"
#include "window.h"

enum { LEAST = 1 << 20 };

static u64 page_of(u64 va)
{
	return va & ~(PAGE - 1);
}

/* Leave room for a window that begins and ends within a page. */
bool windows_begin(struct windows *w, struct call *c, u64 size, u64 step)
{
	u64 bytes = page_of(size + 2 * PAGE - 1);

	if (bytes < LEAST)
		bytes = LEAST;
	*w = (struct windows){
		.c = c, .size = size, .step = step, .max = (u32)(bytes / PAGE)
	};
	w->bytes = secret_alloc(bytes);
	w->there = calloc(w->max, sizeof(*w->there));
	if (w->bytes && w->there)
		return true;
	windows_end(w);
	return false;
}

void windows_end(struct windows *w)
{
	secret_free(w->bytes, w->max * PAGE, w->used);
	free(w->there);
	w->bytes = NULL;
	w->there = NULL;
}

/* Drop the pages before the window. */
static void slide(struct windows *w)
{
	u64 gone = (page_of(w->start) - w->base) / PAGE;

	if (gone > w->nr)
		gone = w->nr;
	w->nr -= (u32)gone;
	memmove(w->bytes, w->bytes + gone * PAGE, w->nr * PAGE);
	memmove(w->there, w->there + gone, w->nr * sizeof(*w->there));
	w->base = w->nr ? w->base + gone * PAGE : page_of(w->start);
}

/*
 * Skip a hole of the tables at once. In a large page skip only 4 KiB, for the rest of it
 * may be there.
 */
static bool read_page(struct windows *w, u64 va, u8 *to)
{
	struct view *v = &w->c->view;
	u64 pa, missing;

	if (va < w->hole)
		return false;
	if (view_translate(v, &w->c->space, va, &pa, &missing))
		return view_page(v, pa, to);
	w->hole = missing < -va ? va + missing : UINT64_MAX;
	return false;
}

/* Read all pages of the window into the buffer; false if none of them is there. */
static bool fill(struct windows *w)
{
	struct view *v = &w->c->view;
	bool any = false;

	if (w->start >= w->base + w->nr * PAGE)
		slide(w);
	while (w->base + w->nr * PAGE < w->end && view_on_time(v)) {
		u8 *to;

		if (w->nr == w->max)
			slide(w);
		to = w->bytes + w->nr * PAGE;
		w->there[w->nr] = read_page(w, w->base + w->nr * PAGE, to);
		w->nr++;
		if (w->used < w->nr * PAGE)
			w->used = w->nr * PAGE;
	}
	for (u64 va = page_of(w->start); va < w->end; va += PAGE)
		any |= !v->error && w->there[(va - w->base) / PAGE];
	return any;
}

/* Move on from a window's start to the first window with a page. */
static bool settle(struct windows *w, u64 start)
{
	const struct area *a = w->area;

	for (; start < a->end; start += w->step) {
		w->start = w->part = start;
		w->end = a->end - start < w->size ? a->end : start + w->size;
		if (fill(w))
			return true;
		if (w->c->view.error || w->end == a->end || w->hole >= a->end)
			return false;
		if (w->hole > w->end)
			start += (w->hole - w->end) / w->step * w->step;
	}
	return false;
}

bool windows_first(struct windows *w, const struct area *a)
{
	w->area = a;
	w->base = page_of(a->start);
	w->nr = 0;
	w->hole = 0;
	return settle(w, a->start);
}

bool windows_next(struct windows *w)
{
	return w->end < w->area->end && settle(w, w->start + w->step);
}

static bool is_there(const struct windows *w, u64 va)
{
	return w->there[(va - w->base) / PAGE];
}

bool windows_block(struct windows *w, struct yara_block *block)
{
	u64 at = w->part, end;

	while (at < w->end && !is_there(w, at))
		at = page_of(at) + PAGE;
	if (at >= w->end)
		return false;
	for (end = at; end < w->end && is_there(w, end);)
		end = page_of(end) + PAGE;
	if (end > w->end)
		end = w->end;
	w->part = end;
	*block = (struct yara_block){ .bytes = w->bytes + (at - w->base),
				      .len = end - at,
				      .address = at };
	return true;
}
