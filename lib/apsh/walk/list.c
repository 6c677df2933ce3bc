// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "walk.h"

/* Not known to a guest, which could choose addresses that are searched for one by one. */
static u64 multiplier = 0x9e3779b97f4a7c15ULL;

static void __attribute__((constructor)) choose_multiplier(void)
{
	u64 chosen;

	if (getrandom(&chosen, sizeof(chosen), GRND_NONBLOCK) == sizeof(chosen))
		multiplier = chosen | 1;
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
	u64 h = node * multiplier >> 32;
	u32 i = (u32)h & (n->hash_size - 1);

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

struct list_head {
	u64 next, prev;
};

/* Walk in one direction; true if it came round to the head. */
static bool half(struct view *v, u64 head, u32 offset, u32 limit, bool back,
		 struct nodes *out)
{
	struct list_head h, next;
	u64 at = head, to, misses;

	if (!view_read(v, NULL, head, &h, sizeof(h)))
		return false;
	for (;;) {
		to = back ? h.prev : h.next;
		misses = v->misses;
		if (!view_read(v, NULL, to, &next, sizeof(next)) ||
		    (back ? next.next : next.prev) != at) {
			view_broken(v, misses, "a list", at);
			return false;
		}
		if (to == head)
			return true;
		if (out->nr >= limit) {
			out->cut = true;
			return true;
		}
		if (!nodes_add(v, out, to - offset, 0) && !back) {
			view_broken(v, misses, "a loop in a list", to);
			return false;
		}
		if (v->error)
			return false;
		/* going back, stop at the first node found going forward */
		if (back && nodes_find(out, to - offset) + 1 < out->nr)
			return false;
		at = to;
		h = next;
	}
}

bool walk_list(struct view *v, u64 head, u32 offset, u32 limit,
	       struct nodes *out)
{
	struct list_head h;

	if (!view_read(v, NULL, head, &h, sizeof(h)) || !h.next || !h.prev)
		return false;
	if (!half(v, head, offset, limit, false, out) && !v->error)
		half(v, head, offset, limit, true, out);
	return !v->error;
}
