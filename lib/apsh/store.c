// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "address_hash.h"
#include "secret.h"
#include "store.h"
#include "view/view.h"

enum { PER_BLOCK = SECRET_BLOCK / GRANULE, FIRST = 256 };

struct view_store {
	struct granule *list;
	u32 nr, max, settled;
	u32 last; /* index of the last one found */
	u32 *hash; /* index + 1; a power of two, at least twice as many */
	u32 hash_size;
	u8 **blocks;
	u32 nr_blocks;
};

struct view_store *store_new(void)
{
	struct view_store *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->hash_size = 2 * FIRST;
	s->max = FIRST;
	s->hash = calloc(s->hash_size, sizeof(*s->hash));
	s->list = malloc(s->max * sizeof(*s->list));
	if (s->hash && s->list)
		return s;
	store_free(s);
	return NULL;
}

void store_free(struct view_store *s)
{
	if (!s)
		return;
	for (u32 i = 0; i < s->nr_blocks; i++) {
		u32 nr = s->nr - i * PER_BLOCK;

		secret_free(s->blocks[i], SECRET_BLOCK,
			    (nr < PER_BLOCK ? nr : PER_BLOCK) * GRANULE);
	}
	free(s->blocks);
	free(s->hash);
	free(s->list);
	free(s);
}

static u32 *slot_of(const struct view_store *s, u64 pa)
{
	u32 i = address_hash(pa) & (s->hash_size - 1);

	while (s->hash[i] && s->list[s->hash[i] - 1].pa != pa)
		i = (i + 1) & (s->hash_size - 1);
	return &s->hash[i];
}

struct granule *store_find(struct view_store *s, u64 pa)
{
	u32 *slot;

	/* mostly the same object is read again */
	if (s->nr && s->list[s->last].pa == pa)
		return &s->list[s->last];
	slot = slot_of(s, pa);
	if (!*slot)
		return NULL;
	s->last = *slot - 1;
	return &s->list[s->last];
}

static bool grow(struct view_store *s)
{
	struct granule *list;
	u32 *hash;

	list = reallocarray(s->list, 2 * (size_t)s->max, sizeof(*list));
	if (!list)
		return false;
	s->list = list;
	hash = calloc(2 * (size_t)s->hash_size, sizeof(*hash));
	if (!hash)
		return false;
	free(s->hash);
	s->hash = hash;
	s->hash_size *= 2;
	s->max *= 2;
	for (u32 i = 0; i < s->nr; i++)
		*slot_of(s, s->list[i].pa) = i + 1;
	return true;
}

static u8 *data_of(struct view_store *s, u32 i)
{
	if (i / PER_BLOCK == s->nr_blocks) {
		u8 **blocks = reallocarray(s->blocks, s->nr_blocks + 1,
					   sizeof(*blocks));

		if (!blocks)
			return NULL;
		s->blocks = blocks;
		blocks[s->nr_blocks] = secret_alloc(SECRET_BLOCK);
		if (!blocks[s->nr_blocks])
			return NULL;
		s->nr_blocks++;
	}
	return s->blocks[i / PER_BLOCK] + i % PER_BLOCK * GRANULE;
}

struct granule *store_add(struct view_store *s, u64 pa)
{
	struct granule *g;
	u8 *data;

	if (s->nr == s->max && !grow(s))
		return NULL;
	data = data_of(s, s->nr);
	if (!data)
		return NULL;
	g = &s->list[s->nr++];
	*g = (struct granule){ .pa = pa, .data = data, .pending = true };
	*slot_of(s, pa) = s->nr;
	return g;
}

u32 store_count(const struct view_store *s)
{
	return s->nr;
}

struct granule *store_pending(struct view_store *s, u32 *nr)
{
	*nr = s->nr - s->settled;
	return s->list + s->settled;
}

void store_settle(struct view_store *s)
{
	s->settled = s->nr;
}
