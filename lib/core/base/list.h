/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Circular doubly linked list; the links are inside the objects. */
#ifndef DOCA_CORE_LIST_H
#define DOCA_CORE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *next, *prev;
};

#define list_entry(ptr, type, member) \
	((type *)((char *)(ptr)-offsetof(type, member)))

#define list_for_each(pos, head) \
	for (pos = (head)->next; pos != (head); pos = pos->next)

/* Like list_for_each(), but @pos may be removed: @next_ is its successor. */
#define list_for_each_safe(pos, next_, head)                       \
	for (pos = (head)->next, next_ = pos->next; pos != (head); \
	     pos = next_, next_ = pos->next)

static inline void list_init(struct list *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list *head)
{
	return head->next == head;
}

static inline void list_add_tail(struct list *head, struct list *link)
{
	link->prev = head->prev;
	link->next = head;
	head->prev->next = link;
	head->prev = link;
}

/* A removed link is a list of its own, so that removing it again is harmless. */
static inline void list_del(struct list *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
	list_init(link);
}

/* Make the second entry the first, and the first the last. */
static inline void list_rotate(struct list *head)
{
	struct list *first = head->next;

	if (first == head->prev)
		return;
	list_del(first);
	list_add_tail(head, first);
}

#endif /* DOCA_CORE_LIST_H */
