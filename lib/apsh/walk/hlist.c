// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Hash tables of the network: many short lists. Each node holds the address of the
 * pointer to it, which must be the one that the walk followed.
 */
#include <stdlib.h>
#include <string.h>

#include "walk.h"

enum { PIECE = 4096 };

/* The place where a list goes on. */
struct link {
	u64 node;
	u64 from; /* address of the pointer to it */
};

struct links {
	struct link *list;
	u32 nr, max;
};

static bool is_end(u64 node)
{
	return !node || node & 1;
}

static void add_link(struct view *v, struct links *l, u64 node, u64 from)
{
	if (is_end(node))
		return;
	if (l->nr == l->max) {
		u32 max = l->max ? 2 * l->max : 256;
		struct link *list = reallocarray(l->list, max, sizeof(*list));

		if (!list) {
			v->error = VIEW_NO_MEMORY;
			return;
		}
		l->list = list;
		l->max = max;
	}
	l->list[l->nr++] = (struct link){ node, from };
}

static bool read_heads(struct view *v, const struct hlists *h,
		       struct links *out)
{
	u8 piece[PIECE];
	u32 per = PIECE / h->stride, n;
	u64 head, misses;

	view_want(v, NULL, h->heads, (u64)h->nr * h->stride);
	view_flush(v);
	for (u32 i = 0; i < h->nr && !v->error; i += n) {
		u64 at = h->heads + (u64)i * h->stride;

		n = h->nr - i < per ? h->nr - i : per;
		misses = v->misses;
		if (!view_read(v, NULL, at, piece, (size_t)n * h->stride)) {
			if (!v->error)
				view_broken(v, misses, "a hash table", at);
			continue;
		}
		for (u32 k = 0; k < n; k++) {
			memcpy(&head, piece + (size_t)k * h->stride, 8);
			add_link(v, out, head, at + (u64)k * h->stride);
		}
	}
	return !v->error;
}

static void step(struct view *v, const struct hlists *h, const struct link *l,
		 u32 limit, struct links *next, struct nodes *out)
{
	u64 node[2], misses = v->misses; /* next, and the pointer here */

	if (!view_read(v, NULL, l->node, node, sizeof(node)) ||
	    node[1] != l->from) {
		if (!v->error)
			view_broken(v, misses, "a list of a hash table",
				    l->node);
		return;
	}
	if (out->nr >= limit) {
		out->cut = true;
		return;
	}
	if (nodes_add(v, out, l->node - h->offset, 0))
		add_link(v, next, node[0], l->node);
	else if (!v->error)
		view_broken(v, misses, "a loop in a hash table", l->node);
}

bool walk_hlists(struct view *v, const struct hlists *h, u32 limit,
		 struct nodes *out)
{
	struct links now = { 0 }, next = { 0 };
	bool ok;

	if (h->stride < 8 || h->stride > PIECE)
		return false;
	ok = read_heads(v, h, &now);
	while (now.nr && !v->error && !out->cut) {
		struct links old = now;

		for (u32 i = 0; i < now.nr; i++)
			view_want(v, NULL, now.list[i].node, 16);
		view_flush(v);
		next.nr = 0;
		for (u32 i = 0; i < now.nr && !v->error; i++)
			step(v, h, &now.list[i], limit, &next, out);
		now = next;
		next = old;
	}
	free(now.list);
	free(next.list);
	return ok && !v->error;
}
