// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The key table: two levels that grow on demand. Neither is moved or freed before the
 * file dies, because executors walk them without a lock.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "keys.h"

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

size_t doca_keys_bytes(const struct doca_keys *keys)
{
	size_t bytes = 0;
	unsigned int i;

	for (i = 0; i < DOCA_KEY_LEAVES; i++)
		if (keys->leaves[i])
			bytes += DOCA_KEY_LEAF_BYTES;
	return bytes;
}

struct doca_key_slot *doca_keys_alloc_leaf(void)
{
	return kvcalloc(DOCA_KEY_LEAF_SIZE, sizeof(struct doca_key_slot),
			GFP_KERNEL_ACCOUNT);
}

void doca_keys_free_leaf(struct doca_key_slot *leaf)
{
	kvfree(leaf);
}

/* Make sure that there is a leaf for index keys->nr. */
static int doca_keys_grow(struct doca_keys *keys, struct doca_key_slot **leaf)
{
	if (keys->nr > DOCA_KEY_INDEX_MASK)
		return -ENOSPC;
	if (doca_keys_slot(keys, keys->nr))
		return 0;
	if (!*leaf)
		return -EAGAIN;
	/* K: executors must not see a leaf before it is zeroed. */
	smp_store_release(&keys->leaves[keys->nr >> DOCA_KEY_LEAF_BITS], *leaf);
	*leaf = NULL;
	return 0;
}

int doca_keys_reserve(struct doca_keys *keys, u32 *key,
		      struct doca_key_slot **leaf)
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
		rc = doca_keys_grow(keys, leaf);
		if (rc)
			return rc;
		index = keys->nr;
		WRITE_ONCE(keys->nr, index + 1);
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

	/* M: executors must see a complete mapping. */
	smp_store_release(&slot->mapping, mapping);
	WRITE_ONCE(keys->nr_published, keys->nr_published + 1);
}

void doca_keys_release(struct doca_keys *keys, u32 key)
{
	u32 index = key & DOCA_KEY_INDEX_MASK;
	struct doca_key_slot *slot = doca_keys_slot(keys, index);

	if (slot->mapping)
		WRITE_ONCE(keys->nr_published, keys->nr_published - 1);
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

bool doca_keys_next(const struct doca_keys *keys, u32 *index)
{
	while (++*index < READ_ONCE(keys->nr))
		if (doca_keys_find(keys, *index))
			return true;
	return false;
}
