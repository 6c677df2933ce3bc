/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The key table of a file: mappings by key. A key is generation:12 | index:20; index 0 is
 * never used, so no key is 0. The generation of an index grows when a key is released,
 * and an index is not reused if its generation would wrap. So a stale key never names
 * another mapping.
 *
 * Free indices are used first in, first out. All calls but doca_keys_find() and
 * doca_keys_next() are made under the file's lock of keys.
 *
 * Barriers between the owner of a key and executors:
 *
 *  K  owner: zero a leaf, store-release the pointer to it
 *     executor: load-acquire the pointer, read the slot
 *  M  owner: make a mapping, store-release the pointer to it
 *     executor: load-acquire the pointer, read the mapping
 */
#ifndef DOCA_KEYS_H
#define DOCA_KEYS_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>
#include <asm/barrier.h>

struct doca_mapping;

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
	u32 nr; /* above all indices ever used */
	u32 nr_published; /* keys that name a mapping */
	u32 free_first;
	u32 free_last;
	struct doca_key_slot *leaves[DOCA_KEY_LEAVES];
};

#define DOCA_KEY_LEAF_BYTES (DOCA_KEY_LEAF_SIZE * sizeof(struct doca_key_slot))

struct doca_keys *doca_keys_alloc(void);
void doca_keys_free(struct doca_keys *keys);
/* Return the bytes of all leaves. */
size_t doca_keys_bytes(const struct doca_keys *keys);

/*
 * Reserve a key that names nothing yet. -ENOSPC: no index is left. -EAGAIN: call again
 * with a new leaf in *leaf, which is taken over.
 */
int doca_keys_reserve(struct doca_keys *keys, u32 *key,
		      struct doca_key_slot **leaf);
struct doca_key_slot *doca_keys_alloc_leaf(void);
void doca_keys_free_leaf(struct doca_key_slot *leaf);
void doca_keys_publish(struct doca_keys *keys, u32 key,
		       struct doca_mapping *mapping);
/* Release a key, whether it names a mapping or not. */
void doca_keys_release(struct doca_keys *keys, u32 key);
/* Advance *index to the next index in use, or recently in use. False if there is none. */
bool doca_keys_next(const struct doca_keys *keys, u32 *index);

/* The index is masked, so it cannot lead out of the table, not even speculatively. */
static inline struct doca_key_slot *
doca_keys_slot(const struct doca_keys *keys, u32 index)
{
	u32 nr = (index & DOCA_KEY_INDEX_MASK) >> DOCA_KEY_LEAF_BITS;
	struct doca_key_slot *leaf = smp_load_acquire(&keys->leaves[nr]); /* K */

	return leaf ? &leaf[index & (DOCA_KEY_LEAF_SIZE - 1)] : NULL;
}

/*
 * Return the mapping at the index of a key, or NULL; the caller compares the whole key.
 * Use the mapping only in the run section of a queue of the file, or under the file's
 * lock of keys, where it was found.
 */
static inline struct doca_mapping *
doca_keys_find(const struct doca_keys *keys, u32 key)
{
	const struct doca_key_slot *slot = doca_keys_slot(keys, key);

	return slot ? smp_load_acquire(&slot->mapping) : NULL; /* M */
}

#endif
