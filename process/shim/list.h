/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Doubly linked lists. */
#ifndef INPROC_LIST_H
#define INPROC_LIST_H

#include "compiler.h"

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name)     \
	{                        \
		&(name), &(name) \
	}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline bool list_is_last(const struct list_head *node,
				const struct list_head *head)
{
	return node->next == head;
}

static inline void list_add(struct list_head *node, struct list_head *after)
{
	node->next = after->next;
	node->prev = after;
	after->next->prev = node;
	after->next = node;
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	list_add(node, head->prev);
}

/* A removed entry has no neighbours, so that its misuse is found. */
static inline void list_del(struct list_head *node)
{
	node->next->prev = node->prev;
	node->prev->next = node->next;
	node->next = NULL;
	node->prev = NULL;
}

static inline void list_del_init(struct list_head *node)
{
	list_del(node);
	INIT_LIST_HEAD(node);
}

static inline void list_move(struct list_head *node, struct list_head *head)
{
	list_del(node);
	list_add(node, head);
}

static inline void list_move_tail(struct list_head *node,
				  struct list_head *head)
{
	list_del(node);
	list_add_tail(node, head);
}

/* Make @node the first entry. */
static inline void list_rotate_to_front(struct list_head *node,
					struct list_head *head)
{
	list_move_tail(head, node);
}

static inline void list_splice_init(struct list_head *from,
				    struct list_head *to)
{
	if (list_empty(from))
		return;
	from->next->prev = to;
	from->prev->next = to->next;
	to->next->prev = from->prev;
	to->next = from->next;
	INIT_LIST_HEAD(from);
}

/* Lists without a lock: entries are put in front, and taken by one thread at a time. */
struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

#define init_llist_head(list) ((void)((list)->first = NULL))
#define llist_empty(list) (!READ_ONCE((list)->first))
#define llist_entry(ptr, type, member) container_of(ptr, type, member)

static inline void llist_add(struct llist_node *node, struct llist_head *list)
{
	node->next = READ_ONCE(list->first);
	while (!__atomic_compare_exchange_n(&list->first, &node->next, node,
					    false, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
}

static inline struct llist_node *llist_del_first(struct llist_head *list)
{
	struct llist_node *first =
		__atomic_load_n(&list->first, __ATOMIC_ACQUIRE);

	while (first && !__atomic_compare_exchange_n(
				&list->first, &first, first->next, false,
				__ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
		;
	return first;
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) \
	list_entry((head)->next, type, member)
#define list_next_entry(pos, member) \
	list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))

/* Continue with the entry of @node, unless that is the head. */
#define inproc_list_goes_on(pos, node, head, member) \
	((node) != (head) && (pos = list_entry(node, __typeof__(*pos), member)))

#define list_for_each_entry(pos, head, member)              \
	for (struct list_head *node_ = (head)->next;        \
	     inproc_list_goes_on(pos, node_, head, member); \
	     node_ = pos->member.next)
#define list_for_each_entry_safe(pos, n, head, member)        \
	for (struct list_head *node_ = (head)->next;          \
	     inproc_list_goes_on(pos, node_, head, member) && \
	     (n = list_next_entry(pos, member), 1);           \
	     node_ = &n->member)

#endif
