// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "walk.h"

struct list_head {
	u64 next, prev;
};

/* Walk in one direction; true if it came round to the head. */
static bool half(struct view *v, u64 head, u32 offset, u32 limit, bool back,
		 struct nodes *out)
{
	struct list_head h, next;
	u64 at = head, to, misses;

	if (!view_read(v, NULL, head, &h, sizeof(h)))
		return false;
	for (;;) {
		to = back ? h.prev : h.next;
		misses = v->misses;
		if (!view_read(v, NULL, to, &next, sizeof(next)) ||
		    (back ? next.next : next.prev) != at) {
			view_broken(v, misses, "a list", at);
			return false;
		}
		if (to == head)
			return true;
		if (out->nr >= limit) {
			out->cut = true;
			return true;
		}
		if (!nodes_add(v, out, to - offset, 0) && !back) {
			view_broken(v, misses, "a loop in a list", to);
			return false;
		}
		if (v->error)
			return false;
		/* going back, stop at the first node found going forward */
		if (back && nodes_find(out, to - offset) + 1 < out->nr)
			return false;
		at = to;
		h = next;
	}
}

bool walk_list(struct view *v, u64 head, u32 offset, u32 limit,
	       struct nodes *out)
{
	struct list_head h;

	if (!view_read(v, NULL, head, &h, sizeof(h)) || !h.next || !h.prev)
		return false;
	if (!half(v, head, offset, limit, false, out) && !v->error)
		half(v, head, offset, limit, true, out);
	return !v->error;
}
