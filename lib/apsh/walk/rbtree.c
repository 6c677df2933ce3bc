// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A red-black tree. All nodes of a level are read in one round; each must know the parent that
 * led to it, and its key must be between those of the nodes above it.
 */
#include <stdlib.h>

#include "walk.h"

enum { MAX_DEPTH = 64, COLORS = 3 };

struct step {
	u64 node, parent;
	u64 min, max; /* bounds of its key */
};

struct level {
	struct step *steps;
	u32 nr, max;
};

static void push(struct view *v, struct level *l, struct step step)
{
	if (!step.node)
		return;
	if (l->nr == l->max) {
		u32 max = l->max ? 2 * l->max : 64;
		struct step *steps =
			reallocarray(l->steps, max, sizeof(*steps));

		if (!steps) {
			v->error = VIEW_NO_MEMORY;
			return;
		}
		l->steps = steps;
		l->max = max;
	}
	l->steps[l->nr++] = step;
}

static void take(struct view *v, const struct step *s, u32 offset,
		 enum field key, struct level *next, struct nodes *out)
{
	u64 object = s->node - offset, misses = v->misses;
	u64 parent = view_field(v, s->node, F_RB_PARENT);
	u64 left = view_field(v, s->node, F_RB_LEFT);
	u64 right = view_field(v, s->node, F_RB_RIGHT);
	u64 at = view_field(v, object, key);

	if (v->error)
		return;
	if (v->misses != misses || (parent & ~(u64)COLORS) != s->parent ||
	    at < s->min || at > s->max || !nodes_add(v, out, object, at)) {
		if (!v->error)
			view_broken(v, misses, "a node of a red-black tree",
				    s->node);
		return;
	}
	/* no two keys are equal: nothing can be below the least one, or above the greatest */
	if (at > s->min)
		push(v, next, (struct step){ left, s->node, s->min, at - 1 });
	else if (left)
		view_broken(v, misses, "the left side of a red-black tree",
			    s->node);
	if (at < s->max)
		push(v, next, (struct step){ right, s->node, at + 1, s->max });
	else if (right)
		view_broken(v, misses, "the right side of a red-black tree",
			    s->node);
}

static void want(struct view *v, const struct level *l, u32 offset,
		 enum field key)
{
	for (u32 i = 0; i < l->nr; i++) {
		for (int f = F_RB_PARENT; f <= F_RB_LEFT; f++)
			view_want_field(v, l->steps[i].node, (enum field)f);
		view_want_field(v, l->steps[i].node - offset, key);
	}
	view_flush(v);
}

bool walk_rbtree(struct view *v, u64 root, u32 offset, enum field key,
		 u32 limit, struct nodes *out)
{
	struct level now = { 0 }, next = { 0 };

	out->keyed = true;
	push(v, &now, (struct step){ .node = root, .max = UINT64_MAX });
	for (int depth = 0; now.nr && !v->error && !out->cut; depth++) {
		struct level old = now;

		if (depth == MAX_DEPTH) {
			view_broken(v, v->misses, "a red-black tree", root);
			break;
		}
		want(v, &now, offset, key);
		next.nr = 0;
		for (u32 i = 0; i < now.nr && !v->error && !out->cut; i++) {
			if (out->nr >= limit)
				out->cut = true;
			else
				take(v, &now.steps[i], offset, key, &next, out);
		}
		now = next;
		next = old;
	}
	free(now.steps);
	free(next.steps);
	return !v->error;
}
