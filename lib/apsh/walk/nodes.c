// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sets of addresses. */
#include <stdlib.h>
#include <string.h>

#include "../address_hash.h"
#include "walk.h"

void nodes_free(struct nodes *n)
{
	free(n->list);
	free(n->keys);
	free(n->hash);
	memset(n, 0, sizeof(*n));
}

static u32 *slot_of(const struct nodes *n, u64 node)
{
	u32 i = address_hash(node) & (n->hash_size - 1);

	while (n->hash[i] && n->list[n->hash[i] - 1] != node)
		i = (i + 1) & (n->hash_size - 1);
	return &n->hash[i];
}

static bool grow(struct nodes *n)
{
	u32 max = n->max ? 2 * n->max : 64;
	u64 *list, *keys;
	u32 *hash;

	list = reallocarray(n->list, max, sizeof(*list));
	if (!list)
		return false;
	n->list = list;
	if (n->keyed) {
		keys = reallocarray(n->keys, max, sizeof(*keys));
		if (!keys)
			return false;
		n->keys = keys;
	}
	hash = calloc(2 * (size_t)max, sizeof(*hash));
	if (!hash)
		return false;
	free(n->hash);
	n->hash = hash;
	n->hash_size = 2 * max;
	n->max = max;
	for (u32 i = 0; i < n->nr; i++)
		*slot_of(n, n->list[i]) = i + 1;
	return true;
}

bool nodes_add(struct view *v, struct nodes *n, u64 node, u64 key)
{
	u32 *slot;

	if (n->nr == n->max && !grow(n)) {
		v->error = VIEW_NO_MEMORY;
		return false;
	}
	slot = slot_of(n, node);
	if (*slot)
		return false;
	n->list[n->nr] = node;
	if (n->keyed)
		n->keys[n->nr] = key;
	*slot = ++n->nr;
	return true;
}

int64_t nodes_find(const struct nodes *n, u64 node)
{
	return n->nr ? (int64_t)*slot_of(n, node) - 1 : -1;
}
