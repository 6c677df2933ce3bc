/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Search trees, not balanced, because they are small here. */
#ifndef INPROC_RBTREE_H
#define INPROC_RBTREE_H

#include "compiler.h"

struct rb_node {
	struct rb_node *rb_left, *rb_right, *parent;
};

struct rb_root {
	struct rb_node *rb_node;
};

#define RB_ROOT ((struct rb_root){ NULL })
#define rb_entry(ptr, type, member) container_of(ptr, type, member)

/* Add a node, or return an equal one. */
static inline struct rb_node *
rb_find_add(struct rb_node *node, struct rb_root *root,
	    int (*cmp)(struct rb_node *node, const struct rb_node *there))
{
	struct rb_node **link = &root->rb_node, *parent = NULL;
	int order;

	while (*link) {
		parent = *link;
		order = cmp(node, parent);
		if (!order)
			return parent;
		link = order < 0 ? &parent->rb_left : &parent->rb_right;
	}
	*node = (struct rb_node){ .parent = parent };
	*link = node;
	return NULL;
}

/* Replace a node by another one, or by nothing. */
static inline void inproc_rb_replace(struct rb_root *root, struct rb_node *node,
				     struct rb_node *other)
{
	struct rb_node *parent = node->parent;

	if (!parent)
		root->rb_node = other;
	else if (parent->rb_left == node)
		parent->rb_left = other;
	else
		parent->rb_right = other;
	if (other)
		other->parent = parent;
}

static inline void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *next = node->rb_right;

	if (!node->rb_left || !next) {
		inproc_rb_replace(root, node, next ? next : node->rb_left);
		return;
	}
	/* Move the next node, which has no left child, to this place. */
	while (next->rb_left)
		next = next->rb_left;
	inproc_rb_replace(root, next, next->rb_right);
	inproc_rb_replace(root, node, next);
	next->rb_left = node->rb_left;
	next->rb_right = node->rb_right;
	next->rb_left->parent = next;
	if (next->rb_right)
		next->rb_right->parent = next;
}

#endif
