// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Only one lane of each user stands in line. The user's other lanes are behind it, and the
 * next of them takes its place when its turn is over.
 */
#include <linux/list.h>
#include <linux/rbtree.h>

#include "channel.h"
#include "line.h"

static int doca_line_cmp(struct rb_node *new, const struct rb_node *old)
{
	const struct doca_user *a = rb_entry(new, struct doca_lane, by_user)->user;
	const struct doca_user *b = rb_entry(old, struct doca_lane, by_user)->user;

	return a < b ? -1 : a > b;
}

/* Do not walk the line: there may be many users, and interrupts are off. */
void doca_line_join(struct doca_channel *channel, struct doca_lane *lane,
		    struct doca_user *user)
{
	struct list_head *place = &channel->line;
	struct rb_node *first;

	lane->user = user;
	lane->credit = 0;
	first = rb_find_add(&lane->by_user, &channel->users, doca_line_cmp);
	if (first)
		place = &rb_entry(first, struct doca_lane, by_user)->behind;
	list_add_tail(&lane->node, place);
	channel->nr_lanes++;
}

/* Let the next lane behind it take its place, with the others behind. Return that lane, or NULL. */
static struct doca_lane *doca_line_replace(struct doca_channel *channel,
					   struct doca_lane *lane)
{
	struct doca_lane *next = list_first_entry_or_null(&lane->behind,
							  struct doca_lane, node);

	if (!next)
		return NULL;
	list_del(&next->node);
	list_replace_init(&lane->node, &next->node);
	list_splice_init(&lane->behind, &next->behind);
	rb_replace_node(&lane->by_user, &next->by_user, &channel->users);
	RB_CLEAR_NODE(&lane->by_user);
	return next;
}

void doca_line_leave(struct doca_channel *channel, struct doca_lane *lane)
{
	if (!doca_line_replace(channel, lane))
		list_del_init(&lane->node);
	if (!RB_EMPTY_NODE(&lane->by_user)) {
		rb_erase(&lane->by_user, &channel->users);
		RB_CLEAR_NODE(&lane->by_user);
	}
	channel->nr_lanes--;
}

struct doca_lane *doca_line_first(struct doca_channel *channel)
{
	return list_first_entry_or_null(&channel->line, struct doca_lane, node);
}

void doca_line_turn(struct doca_channel *channel, struct doca_lane *lane)
{
	struct doca_lane *next = doca_line_replace(channel, lane);

	if (next)
		list_add_tail(&lane->node, &next->behind);
	list_move_tail(next ? &next->node : &lane->node, &channel->line);
}
