// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * An xarray, which an IDR is as well: 64 slots a node. All nodes of a level are read in
 * one round. Before 4.20 it was a radix tree, of the same form, in which the marks of nodes
 * and of values are the other way round.
 */
#include <stdlib.h>
#include <string.h>

#include "walk.h"

enum { SLOTS = 64, BITS = 6, MAX_DEPTH = 11, NOT_INDEXED = 62 };

#define MAX_NODES (1U << 22)

struct level {
	u64 *nodes; /* addresses */
	u64 *bases; /* index of the first slot of each */
	u64 *parents;
	u32 nr, max;
	int shift; /* shift of its nodes; -1 for the head, which may have any */
};

/* The mark of a node, in the low two bits of its address. */
static u64 mark_of(const struct view *v)
{
	return has(v, F_RADIX_ROOT) ? 1 : 2;
}

static bool is_node(const struct view *v, u64 entry)
{
	return (entry & 3) == mark_of(v) && entry > 4096;
}

/* Return true for a pointer to an object: neither node, value, sibling nor retry. */
static bool is_pointer(u64 entry)
{
	return entry && !(entry & 3);
}

static void level_free(struct level *l)
{
	free(l->nodes);
	free(l->bases);
	free(l->parents);
	memset(l, 0, sizeof(*l));
}

static bool level_add(struct view *v, struct level *l, u64 node, u64 base,
		      u64 parent)
{
	if (l->nr == l->max) {
		u32 max = l->max ? 2 * l->max : 64;
		u64 *nodes = reallocarray(l->nodes, max, sizeof(u64));
		u64 *bases = NULL, *parents = NULL;

		if (nodes) {
			l->nodes = nodes;
			bases = reallocarray(l->bases, max, sizeof(u64));
		}
		if (bases) {
			l->bases = bases;
			parents = reallocarray(l->parents, max, sizeof(u64));
		}
		if (!parents) {
			v->error = VIEW_NO_MEMORY;
			return false;
		}
		l->parents = parents;
		l->max = max;
	}
	l->nodes[l->nr] = node;
	l->bases[l->nr] = base;
	l->parents[l->nr++] = parent;
	return true;
}

struct node {
	int shift;
	u64 slots[SLOTS];
};

/* Check a node's own fields against the way down to it. */
static bool read_node(struct view *v, const struct level *l, u32 i,
		      struct node *n)
{
	u64 at = l->nodes[i];
	u64 shift = view_field(v, at, F_XA_NODE_SHIFT);

	if (!view_read_field(v, at, F_XA_NODE_SLOTS, n->slots,
			     sizeof(n->slots)))
		return false;
	n->shift = (int)shift;
	if (shift > 60 || shift % BITS ||
	    (l->shift >= 0 && n->shift != l->shift) ||
	    view_field(v, at, F_XA_NODE_PARENT) != l->parents[i])
		return false;
	if (l->shift < 0)
		return true;
	return view_field(v, at, F_XA_NODE_OFFSET) ==
	       (l->bases[i] >> (shift + BITS) & (SLOTS - 1));
}

static void take(struct view *v, const struct level *l, u32 i,
		 const struct node *n, u32 limit, struct level *next,
		 struct nodes *out)
{
	for (u64 k = 0; k < SLOTS && !v->error && !out->cut; k++) {
		u64 entry = n->slots[k];
		u64 base = l->bases[i] + (k << n->shift);

		if (is_node(v, entry)) {
			if (!n->shift || next->nr >= MAX_NODES)
				view_broken(v, v->misses, "a node of a tree",
					    l->nodes[i]);
			else
				level_add(v, next, entry - mark_of(v), base,
					  l->nodes[i]);
		} else if (is_pointer(entry)) {
			if (out->nr >= limit)
				out->cut = true;
			else if (!nodes_add(v, out, entry, base) && !v->error)
				view_broken(v, v->misses, "an entry of a tree",
					    entry);
		}
	}
}

static void walk_level(struct view *v, const struct level *l, u32 limit,
		       struct level *next, struct nodes *out)
{
	struct node n;

	for (u32 i = 0; i < l->nr; i++)
		view_want(v, NULL, l->nodes[i],
			  size_of_field(v, F_XA_NODE_SIZE));
	view_flush(v);
	for (u32 i = 0; i < l->nr && !v->error && !out->cut; i++) {
		u64 misses = v->misses;

		if (!read_node(v, l, i, &n)) {
			if (!v->error)
				view_broken(v, misses, "a node of a tree",
					    l->nodes[i]);
			continue;
		}
		next->shift = n.shift - BITS;
		take(v, l, i, &n, limit, next, out);
	}
}

bool walk_xarray(struct view *v, u64 xarray, u32 limit, struct nodes *out)
{
	struct level now = { .shift = -1 }, next = { 0 };
	u64 head;

	out->keyed = true;
	if (!view_read_field(v, xarray, F_XARRAY_HEAD, &head, sizeof(head)))
		return false;
	if (is_pointer(head))
		nodes_add(v, out, head, 0);
	else if (is_node(v, head))
		level_add(v, &now, head - mark_of(v), 0, 0);
	for (int depth = 0; depth < MAX_DEPTH && now.nr && !v->error; depth++) {
		walk_level(v, &now, limit, &next, out);
		level_free(&now);
		now = next;
		memset(&next, 0, sizeof(next));
	}
	level_free(&now);
	return !v->error;
}

/*
 * A sibling names the slot that has the entry: by its number, or in a radix tree by its
 * address, which is that of a node otherwise. Return the address of the slot, 0 if it is none.
 */
static u64 slot_of_sibling(const struct view *v, u64 slots, u64 entry)
{
	if (has(v, F_RADIX_ROOT))
		return (entry & 3) == 1 && entry - 1 - slots < SLOTS * 8 ?
			       (entry - 1) & ~7ULL :
			       0;
	return (entry & 3) == 2 && entry >> 2 < NOT_INDEXED ?
		       slots + (entry >> 2) * 8 :
		       0;
}

static u64 not_sound(struct view *v, u64 misses, u64 node)
{
	if (!v->error)
		view_broken(v, misses, "a node of a tree", node);
	return 0;
}

u64 xarray_load(struct view *v, u64 xarray, u64 index)
{
	u64 entry = 0, parent = 0, slots, sibling, misses = v->misses;
	int last = 64;

	if (!view_read_field(v, xarray, F_XARRAY_HEAD, &entry, sizeof(entry)))
		return 0;
	if (!is_node(v, entry))
		return index ? 0 : entry;
	while (is_node(v, entry)) {
		u64 node = entry - mark_of(v), k;
		int shift = (int)view_field(v, node, F_XA_NODE_SHIFT);

		if (shift > 60 || shift % BITS ||
		    (last < 64 && shift != last - BITS) ||
		    view_field(v, node, F_XA_NODE_PARENT) != parent)
			return not_sound(v, misses, node);
		if (last == 64 && index >> shift >> BITS)
			return 0;
		k = index >> shift & (SLOTS - 1);
		slots = node + offset_of_field(v, F_XA_NODE_SLOTS);
		if (!view_read(v, NULL, slots + k * 8, &entry, sizeof(entry)))
			return not_sound(v, misses, node);
		sibling = slot_of_sibling(v, slots, entry);
		if (sibling &&
		    !view_read(v, NULL, sibling, &entry, sizeof(entry)))
			return not_sound(v, misses, node);
		parent = node;
		last = shift;
		if (!shift && is_node(v, entry))
			return not_sound(v, misses, node);
	}
	return entry;
}
