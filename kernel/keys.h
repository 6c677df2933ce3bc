/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key table of a file: mappings by key. A key is generation:12 | index:20;
 * index 0 is never used, so no key is 0. The generation of an index grows when a
 * key is given back, and an index whose generation would wrap is used no more:
 * so a stale key never names another mapping.
 *
 * Free indices are used first in, first out. All calls but doca_keys_find() are
 * under the file's lock.
 */
#ifndef DOCA_KEYS_H
#define DOCA_KEYS_H

#include <linux/types.h>

struct doca_keys;
struct doca_mapping;

struct doca_keys *doca_keys_alloc(void);
void doca_keys_free(struct doca_keys *keys);

/* A key that names nothing yet. -ENOSPC: no index is left; -ENOMEM. */
int doca_keys_reserve(struct doca_keys *keys, u32 *key);
void doca_keys_publish(struct doca_keys *keys, u32 key,
		       struct doca_mapping *mapping);
/* Give a key back, whether it names something or not. */
void doca_keys_release(struct doca_keys *keys, u32 key);
/* The mapping of the first used key behind @key, which is 0 to begin with. */
struct doca_mapping *doca_keys_next(struct doca_keys *keys, u32 *index);

/*
 * What the index of a key names, or NULL; the caller compares the whole key. To
 * be called in the run section of a queue of the file, or under the file's lock,
 * and used in there only.
 */
struct doca_mapping *doca_keys_find(const struct doca_keys *keys, u32 key);

#endif
