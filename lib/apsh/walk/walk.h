/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The shapes in which a kernel keeps things. Each walker is bounded by a limit, visits no
 * node twice, and does not recurse; what is broken ends that part of the walk and is
 * counted (view_broken()), and what was found so far is kept.
 */
#ifndef DOCA_APSH_WALK_H
#define DOCA_APSH_WALK_H

#include "../view/view.h"

/* Addresses, in the order in which they were found; each once. */
struct nodes {
	u64 *list;
	u64 *keys; /* index in the tree; NULL for lists */
	u32 nr, max;
	u32 *hash;
	u32 hash_size;
	bool keyed;
	bool cut; /* the limit was reached */
};

void nodes_free(struct nodes *n);
/* False if it was there before, or there is no memory (view->error). */
bool nodes_add(struct view *v, struct nodes *n, u64 node, u64 key);
/* Its place, or -1. */
int64_t nodes_find(const struct nodes *n, u64 node);

/*
 * The nodes of a list_head, which are @offset within their objects; the addresses are the
 * objects'. Where a link is broken the rest is found from behind. False if the head itself
 * is none.
 */
bool walk_list(struct view *v, u64 head, u32 offset, u32 limit,
	       struct nodes *out);

/* An array of heads of hlists, with nodes that know what points at them. */
struct hlists {
	u64 heads; /* address of the first */
	u32 nr;
	u32 stride; /* from a head to the next */
	u32 offset; /* of a node in its object */
};

/*
 * All of their objects, the first of each list in one round, then the second. They end by
 * NULL, or by an odd value (nulls).
 */
bool walk_hlists(struct view *v, const struct hlists *h, u32 limit,
		 struct nodes *out);

/* The entries of an xarray that are pointers, with their index, level by level. */
bool walk_xarray(struct view *v, u64 xarray, u32 limit, struct nodes *out);
/* One entry, as it is stored; 0 if there is none. */
u64 xarray_load(struct view *v, u64 xarray, u64 index);

/* The entries of a maple tree by their first index. */
bool walk_maple(struct view *v, u64 root, u32 limit, struct nodes *out);

#endif /* DOCA_APSH_WALK_H */
