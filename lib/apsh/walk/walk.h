/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The kernel's data structures. Each walker is bounded by a limit, visits no node twice,
 * and does not recurse. A broken link ends that part of the walk and is counted
 * (view_broken()); nodes found so far are kept.
 */
#ifndef DOCA_APSH_WALK_H
#define DOCA_APSH_WALK_H

#include "../view/view.h"

/* Addresses in the order in which they were found; each once. */
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
/* Return false if it was there before, or if there is no memory (view->error). */
bool nodes_add(struct view *v, struct nodes *n, u64 node, u64 key);
/* Return its position, or -1. */
int64_t nodes_find(const struct nodes *n, u64 node);

/*
 * Collect the objects on a list_head, whose nodes are @offset within them. If a link is
 * broken, the rest is found backwards. False if the head itself is not sound.
 */
bool walk_list(struct view *v, u64 head, u32 offset, u32 limit,
	       struct nodes *out);

/* An array of heads of hlists; each node holds the address of the pointer to it. */
struct hlists {
	u64 heads; /* address of the first head */
	u32 nr;
	u32 stride; /* bytes from one head to the next */
	u32 offset; /* offset of the node in its object */
};

/*
 * Collect all their objects, the first of each list in one round, then the second. Lists
 * end with NULL, or with an odd value (nulls).
 */
bool walk_hlists(struct view *v, const struct hlists *h, u32 limit,
		 struct nodes *out);

/* Collect the entries of an xarray that are pointers, with their index, level by level. */
bool walk_xarray(struct view *v, u64 xarray, u32 limit, struct nodes *out);
/*
 * Load one entry, as it is stored; 0 if there is none, or if it cannot be told: then something was
 * missing, or is broken.
 */
u64 xarray_load(struct view *v, u64 xarray, u64 index);

/* Collect the entries of a maple tree by their first index. */
bool walk_maple(struct view *v, u64 root, u32 limit, struct nodes *out);

/*
 * Collect the objects of a red-black tree, whose nodes are @offset within them and whose
 * key is that field, level by level. They are not in the order of their keys.
 */
bool walk_rbtree(struct view *v, u64 root, u32 offset, enum field key,
		 u32 limit, struct nodes *out);

#endif /* DOCA_APSH_WALK_H */
