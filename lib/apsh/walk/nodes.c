// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Sets of addresses, found by a hash of a key that no guest knows: it could choose addresses that are
 * searched for one by one. Multiplied by an odd number, those that differ in high bits alone are still
 * close to each other, so it is SipHash-1-3.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "walk.h"

static u64 chosen[2];

/* Soon after the start of a machine there may be nothing random yet but what each program gets. */
void __attribute__((constructor)) nodes_draw_key(void)
{
	const void *given = (const void *)getauxval(AT_RANDOM);

	if (getrandom(chosen, sizeof(chosen), GRND_NONBLOCK) !=
		    sizeof(chosen) &&
	    given)
		memcpy(chosen, given, sizeof(chosen));
}

static u64 rotate(u64 x, u32 by)
{
	return x << by | x >> (64 - by);
}

static void mix(u64 v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[2] += v[1];
	v[0] = rotate(v[0], 32) + v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

/* A message of 8 bytes is a word, and one with its length. */
static u64 hash_of(u64 node)
{
	static const u64 end = 8ULL << 56;
	u64 v[] = { chosen[0] ^ 0x736f6d6570736575,
		    chosen[1] ^ 0x646f72616e646f6d,
		    chosen[0] ^ 0x6c7967656e657261,
		    chosen[1] ^ 0x7465646279746573 };

	v[3] ^= node;
	mix(v);
	v[0] ^= node;
	v[3] ^= end;
	mix(v);
	v[0] ^= end;
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

void nodes_free(struct nodes *n)
{
	free(n->list);
	free(n->keys);
	free(n->hash);
	memset(n, 0, sizeof(*n));
}

static u32 *slot_of(const struct nodes *n, u64 node)
{
	u32 i = (u32)hash_of(node) & (n->hash_size - 1);

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
