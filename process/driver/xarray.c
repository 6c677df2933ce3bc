// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A tree of nodes of 64 slots, as the kernel's is. A node knows which of its slots are in
 * use, and which have no free index below them: so a free one is found without a search.
 */
#include "shim/kernel.h"

#define NODE_BITS 6
#define NODE_SLOTS (1UL << NODE_BITS)

static unsigned int slot_of(unsigned long index, unsigned int shift)
{
	return index >> shift & (NODE_SLOTS - 1);
}

/* Return the first index of the next slot, which is slot 0 if it is in another node. */
static unsigned long next_slot(unsigned long index, unsigned int shift)
{
	return ((index >> shift) + 1) << shift;
}

static void node_free(struct xa_node *node, unsigned int shift)
{
	unsigned int i;

	for (i = 0; shift && i < NODE_SLOTS; i++)
		if (node->slots[i])
			node_free(node->slots[i], shift - NODE_BITS);
	free(node);
}

void xa_destroy(struct xarray *xa)
{
	if (xa->root)
		node_free(xa->root, xa->shift);
	pthread_mutex_destroy(&xa->lock);
}

static bool xa_reaches(const struct xarray *xa, unsigned long index)
{
	return xa->root && index >> xa->shift < NODE_SLOTS;
}

/* Find the node with the slot of @index, if that is in use. */
static struct xa_node *xa_leaf(const struct xarray *xa, unsigned long index)
{
	struct xa_node *node = xa_reaches(xa, index) ? xa->root : NULL;
	unsigned int shift = xa->shift;

	for (; node && shift; shift -= NODE_BITS)
		node = node->slots[slot_of(index, shift)];
	return node && node->used >> slot_of(index, 0) & 1 ? node : NULL;
}

/* Add nodes on top until @index has a place. */
static int xa_grow(struct xarray *xa, unsigned long index)
{
	struct xa_node *top;

	while (xa->root && !xa_reaches(xa, index)) {
		top = calloc(1, sizeof(*top));
		if (!top)
			return -ENOMEM;
		top->slots[0] = xa->root;
		top->used = 1;
		top->full = !~xa->root->full;
		xa->root = top;
		xa->shift += NODE_BITS;
	}
	while (!xa->root && index >> xa->shift >= NODE_SLOTS)
		xa->shift += NODE_BITS;
	return 0;
}

/* A new node is freed again if it stays empty. */
static struct xa_node *node_add(struct xa_node *node, unsigned int shift,
				unsigned long index, void *entry)
{
	unsigned int i = slot_of(index, shift);
	struct xa_node *made = NULL, *child;
	bool full = true;

	if (!node)
		node = made = calloc(1, sizeof(*node));
	if (!node)
		return NULL;
	if (shift) {
		child = node_add(node->slots[i], shift - NODE_BITS, index,
				 entry);
		if (!child) {
			free(made);
			return NULL;
		}
		full = !~child->full;
		entry = child;
	}
	node->slots[i] = entry;
	node->used |= 1ULL << i;
	node->full |= (u64)full << i;
	return node;
}

/* @index must not be in use. */
static int xa_add(struct xarray *xa, unsigned long index, void *entry)
{
	int rc = xa_grow(xa, index);
	struct xa_node *root;

	if (rc)
		return rc;
	root = node_add(xa->root, xa->shift, index, entry);
	if (!root)
		return -ENOMEM;
	xa->root = root;
	return 0;
}

/* Remove the index, and return the node unless it is empty. */
static struct xa_node *node_remove(struct xa_node *node, unsigned int shift,
				   unsigned long index)
{
	unsigned int i = slot_of(index, shift);
	void *left = NULL;

	if (shift)
		left = node_remove(node->slots[i], shift - NODE_BITS, index);
	node->slots[i] = left;
	node->full &= ~(1ULL << i);
	if (left)
		return node;
	node->used &= ~(1ULL << i);
	if (node->used)
		return node;
	free(node);
	return NULL;
}

/*
 * @index must be in use.
 */
static void xa_remove(struct xarray *xa, unsigned long index)
{
	xa->root = node_remove(xa->root, xa->shift, index);
	if (!xa->root)
		xa->shift = 0;
}

void *__xa_load(struct xarray *xa, unsigned long index)
{
	struct xa_node *leaf = xa_leaf(xa, index);

	return leaf ? leaf->slots[slot_of(index, 0)] : NULL;
}

void *xa_load(struct xarray *xa, unsigned long index)
{
	void *entry;

	xa_lock(xa);
	entry = __xa_load(xa, index);
	xa_unlock(xa);
	return entry;
}

/* The driver stores only to what it has reserved. */
void *xa_store(struct xarray *xa, unsigned long index, void *entry, int gfp)
{
	struct xa_node *leaf;
	void **slot, *old;

	xa_lock(xa);
	leaf = xa_leaf(xa, index);
	BUG_ON(!leaf);
	slot = &leaf->slots[slot_of(index, 0)];
	old = *slot;
	*slot = entry;
	xa_unlock(xa);
	return old;
}

int xa_insert(struct xarray *xa, unsigned long index, void *entry, int gfp)
{
	int rc = -EBUSY;

	xa_lock(xa);
	if (!xa_leaf(xa, index))
		rc = xa_add(xa, index, entry);
	xa_unlock(xa);
	return rc;
}

void *xa_erase(struct xarray *xa, unsigned long index)
{
	void *old = NULL;

	xa_lock(xa);
	if (xa_leaf(xa, index)) {
		old = __xa_load(xa, index);
		xa_remove(xa, index);
	}
	xa_unlock(xa);
	return old;
}

/* Replace only by NULL; this frees the index. */
void *xa_cmpxchg(struct xarray *xa, unsigned long index, void *old, void *entry,
		 int gfp)
{
	void *found;

	BUG_ON(!old || entry);
	xa_lock(xa);
	found = xa_load(xa, index);
	if (found == old)
		xa_erase(xa, index);
	xa_unlock(xa);
	return found;
}

/* Move *index on to the next free one; false if that is behind the node. */
static bool node_find_free(const struct xa_node *node, unsigned int shift,
			   unsigned long *index)
{
	do {
		unsigned int i = slot_of(*index, shift);

		if (!(node->used >> i & 1))
			return true;
		if (node->full >> i & 1)
			*index = next_slot(*index, shift);
		else if (node_find_free(node->slots[i], shift - NODE_BITS,
					index))
			return true;
	} while (slot_of(*index, shift));
	return false;
}

/* Take the lowest free index from @from on. */
static int xa_alloc_from(struct xarray *xa, u32 *index, void *entry,
			 struct xa_limit limit, unsigned long from)
{
	/* All indices that the root does not reach are free. */
	if (xa_reaches(xa, from))
		node_find_free(xa->root, xa->shift, &from);
	if (from > limit.max)
		return -EBUSY;
	*index = from;
	return xa_add(xa, from, entry);
}

int xa_alloc(struct xarray *xa, u32 *index, void *entry, struct xa_limit limit,
	     int gfp)
{
	int rc;

	xa_lock(xa);
	rc = xa_alloc_from(xa, index, entry, limit, xa->first);
	xa_unlock(xa);
	return rc;
}

int xa_alloc_cyclic(struct xarray *xa, u32 *index, void *entry,
		    struct xa_limit limit, u32 *next, int gfp)
{
	int rc;

	xa_lock(xa);
	rc = xa_alloc_from(xa, index, entry, limit,
			   max_t(u32, *next, xa->first));
	if (rc == -EBUSY)
		rc = xa_alloc_from(xa, index, entry, limit, xa->first);
	if (!rc)
		*next = *index + 1;
	xa_unlock(xa);
	return rc;
}

/* Move *index on to the next entry; NULL if that is behind the node. */
static void *node_find(const struct xa_node *node, unsigned int shift,
		       unsigned long *index)
{
	do {
		unsigned int i = slot_of(*index, shift);
		void *entry = node->slots[i];

		if (shift && entry)
			entry = node_find(entry, shift - NODE_BITS, index);
		else if (!entry)
			*index = next_slot(*index, shift);
		if (entry)
			return entry;
	} while (slot_of(*index, shift));
	return NULL;
}

void *xa_find(struct xarray *xa, unsigned long *index, unsigned long max,
	      int filter)
{
	unsigned long at = *index;
	void *entry = NULL;

	xa_lock(xa);
	if (xa_reaches(xa, at))
		entry = node_find(xa->root, xa->shift, &at);
	xa_unlock(xa);
	if (!entry || at > max)
		return NULL;
	*index = at;
	return entry;
}
