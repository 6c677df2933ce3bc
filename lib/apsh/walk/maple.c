// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A maple tree: a pointer to a node has its type in bits 3 to 6, and its pivots are the
 * last indices of its slots. Nodes are pushed to a stack, the first one last, so that
 * entries come in the order of their indices.
 */
#include <stdlib.h>

#include "walk.h"

enum { MAX_PIVOTS = 31, MAX_DEPTH = 16, STACK = 16 * 32 };

enum maple_type { DENSE, LEAF_64, RANGE_64, ARANGE_64 };

struct step {
	u64 node;
	u64 min, max;
	int depth;
};

struct stack {
	struct step steps[STACK];
	u32 nr;
};

/* The root of a tree with nodes is marked; slots of inner nodes are nodes anyway. */
static bool is_root(u64 entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

static bool read_node(struct view *v, u64 node, u64 *pivots, u64 *slots,
		      u32 *nr)
{
	u64 at = node & ~0xffULL;
	bool ranges = (node >> 3 & 15) == ARANGE_64;
	enum field p = ranges ? F_MA64_PIVOTS : F_MR64_PIVOTS;
	enum field s = ranges ? F_MA64_SLOTS : F_MR64_SLOTS;
	u32 nr_pivots = size_of_field(v, p) / 8;

	*nr = size_of_field(v, s) / 8;
	if ((node >> 3 & 15) > ARANGE_64 || (node >> 3 & 15) == DENSE ||
	    *nr > MAX_PIVOTS || !*nr || nr_pivots + 1 != *nr)
		return false;
	pivots[nr_pivots] = 0;
	return view_read_field(v, at, p, pivots, nr_pivots * 8) &&
	       view_read_field(v, at, s, slots, *nr * 8);
}

/* Get its ranges: slots [0, *nr) with their last indices in pivots. */
static bool check_node(struct view *v, const struct step *s, u64 *pivots,
		       u64 *slots, u32 *nr)
{
	u64 last = s->min;

	if (!read_node(v, s->node, pivots, slots, nr))
		return false;
	for (u32 i = 0; i < *nr; i++) {
		/*
		 * 0 behind the first pivot is the end: the slot reaches up to
		 * the node's last index
		 */
		if (i + 1 == *nr || (i && !pivots[i]))
			pivots[i] = s->max;
		if (pivots[i] < last || pivots[i] > s->max)
			return false;
		if (pivots[i] == s->max) {
			*nr = i + 1;
			return true;
		}
		last = pivots[i] + 1;
	}
	return true;
}

static void take_leaf(struct view *v, const struct step *s, const u64 *pivots,
		      const u64 *slots, u32 nr, u32 limit, struct nodes *out)
{
	u64 first = s->min;

	for (u32 i = 0; i < nr && !v->error; i++) {
		if (slots[i] && !(slots[i] & 3)) {
			if (out->nr >= limit) {
				out->cut = true;
				return;
			}
			if (!nodes_add(v, out, slots[i], first) && !v->error)
				view_broken(v, v->misses,
					    "an entry of a maple tree",
					    slots[i]);
		}
		first = pivots[i] + 1;
	}
}

static void push_slots(struct view *v, struct stack *st, const struct step *s,
		       const u64 *pivots, const u64 *slots, u32 nr)
{
	for (u32 i = nr; i--;) {
		if (!slots[i])
			continue;
		if (slots[i] <= 4096 || s->depth + 1 >= MAX_DEPTH ||
		    st->nr == STACK) {
			view_broken(v, v->misses, "a slot of a maple tree",
				    s->node);
			continue;
		}
		view_want(v, NULL, slots[i] & ~0xffULL,
			  size_of_field(v, F_MAPLE_SIZE));
		st->steps[st->nr++] = (struct step){
			.node = slots[i],
			.min = i ? pivots[i - 1] + 1 : s->min,
			.max = pivots[i],
			.depth = s->depth + 1,
		};
	}
	view_flush(v);
}

bool walk_maple(struct view *v, u64 root, u32 limit, struct nodes *out)
{
	u64 pivots[MAX_PIVOTS + 1], slots[MAX_PIVOTS + 1];
	struct nodes seen = { 0 };
	struct stack *st;
	u32 nr;

	out->keyed = true;
	if (!is_root(root)) {
		if (root && !(root & 3))
			nodes_add(v, out, root, 0);
		return !v->error;
	}
	st = malloc(sizeof(*st));
	if (!st) {
		v->error = VIEW_NO_MEMORY;
		return false;
	}
	st->nr = 1;
	st->steps[0] = (struct step){ .node = root, .max = UINT64_MAX };
	while (st->nr && !v->error && !out->cut) {
		struct step s = st->steps[--st->nr];
		u64 misses = v->misses;

		if (!nodes_add(v, &seen, s.node & ~0xffULL, 0) ||
		    !check_node(v, &s, pivots, slots, &nr)) {
			if (!v->error)
				view_broken(v, misses, "a node of a maple tree",
					    s.node);
			continue;
		}
		if ((s.node >> 3 & 15) == LEAF_64)
			take_leaf(v, &s, pivots, slots, nr, limit, out);
		else
			push_slots(v, st, &s, pivots, slots, nr);
	}
	nodes_free(&seen);
	free(st);
	return !v->error;
}
