// SPDX-License-Identifier: GPL-2.0
/*
 * The key table: two levels, grown on demand, and neither moved nor freed before
 * the file dies, because executors walk it without a lock.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>

#include "keys.h"

#define DOCA_KEY_INDEX_BITS 20
#define DOCA_KEY_INDEX_MASK ((1U << DOCA_KEY_INDEX_BITS) - 1)
#define DOCA_KEY_GENERATIONS (1U << (32 - DOCA_KEY_INDEX_BITS))

#define DOCA_KEY_LEAF_BITS 10
#define DOCA_KEY_LEAF_SIZE BIT(DOCA_KEY_LEAF_BITS)
#define DOCA_KEY_LEAVES (1U << (DOCA_KEY_INDEX_BITS - DOCA_KEY_LEAF_BITS))

struct doca_key_slot {
	struct doca_mapping *mapping;
	u32 generation;
	u32 next; /* index of the next free slot, 0 at the end */
};

struct doca_keys {
	u32 nr; /* indices that were ever used are below */
	u32 free_first;
	u32 free_last;
	struct doca_key_slot *leaves[DOCA_KEY_LEAVES];
};

struct doca_keys *doca_keys_alloc(void)
{
	struct doca_keys *keys = kvzalloc(sizeof(*keys), GFP_KERNEL_ACCOUNT);

	if (keys)
		keys->nr = 1;
	return keys;
}

void doca_keys_free(struct doca_keys *keys)
{
	unsigned int i;

	if (!keys)
		return;
	for (i = 0; i < DOCA_KEY_LEAVES; i++)
		kvfree(keys->leaves[i]);
	kvfree(keys);
}

static struct doca_key_slot *doca_keys_slot(const struct doca_keys *keys,
					    u32 index)
{
	u32 nr = array_index_nospec(index >> DOCA_KEY_LEAF_BITS,
				    DOCA_KEY_LEAVES);
	/* Pairs with the release in doca_keys_grow(). */
	struct doca_key_slot *leaf = smp_load_acquire(&keys->leaves[nr]);

	return leaf ? &leaf[index & (DOCA_KEY_LEAF_SIZE - 1)] : NULL;
}

/* Make sure that there is a leaf for index keys->nr. */
static int doca_keys_grow(struct doca_keys *keys)
{
	struct doca_key_slot *leaf;

	if (keys->nr > DOCA_KEY_INDEX_MASK)
		return -ENOSPC;
	if (doca_keys_slot(keys, keys->nr))
		return 0;
	leaf = kvcalloc(DOCA_KEY_LEAF_SIZE, sizeof(*leaf), GFP_KERNEL_ACCOUNT);
	if (!leaf)
		return -ENOMEM;
	/* Executors must not see a leaf before it is zeroed. */
	smp_store_release(&keys->leaves[keys->nr >> DOCA_KEY_LEAF_BITS], leaf);
	return 0;
}

int doca_keys_reserve(struct doca_keys *keys, u32 *key)
{
	u32 index = keys->free_first;
	struct doca_key_slot *slot;
	int rc;

	if (index) {
		slot = doca_keys_slot(keys, index);
		keys->free_first = slot->next;
		if (!slot->next)
			keys->free_last = 0;
	} else {
		rc = doca_keys_grow(keys);
		if (rc)
			return rc;
		index = keys->nr++;
		slot = doca_keys_slot(keys, index);
	}
	*key = slot->generation << DOCA_KEY_INDEX_BITS | index;
	return 0;
}

void doca_keys_publish(struct doca_keys *keys, u32 key,
		       struct doca_mapping *mapping)
{
	struct doca_key_slot *slot =
		doca_keys_slot(keys, key & DOCA_KEY_INDEX_MASK);

	/* Executors must see the mapping whole; pairs with the acquire there. */
	smp_store_release(&slot->mapping, mapping);
}

void doca_keys_release(struct doca_keys *keys, u32 key)
{
	u32 index = key & DOCA_KEY_INDEX_MASK;
	struct doca_key_slot *slot = doca_keys_slot(keys, index);

	WRITE_ONCE(slot->mapping, NULL);
	if (++slot->generation == DOCA_KEY_GENERATIONS)
		return;
	slot->next = 0;
	if (keys->free_last)
		doca_keys_slot(keys, keys->free_last)->next = index;
	else
		keys->free_first = index;
	keys->free_last = index;
}

struct doca_mapping *doca_keys_next(struct doca_keys *keys, u32 *index)
{
	while (++*index < keys->nr) {
		struct doca_mapping *mapping =
			doca_keys_slot(keys, *index)->mapping;

		if (mapping)
			return mapping;
	}
	return NULL;
}

struct doca_mapping *doca_keys_find(const struct doca_keys *keys, u32 key)
{
	const struct doca_key_slot *slot =
		doca_keys_slot(keys, key & DOCA_KEY_INDEX_MASK);

	/* Pairs with the release in doca_keys_publish(). */
	return slot ? smp_load_acquire(&slot->mapping) : NULL;
}
