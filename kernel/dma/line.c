// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * One lane of each user stands in line, and has behind it the others of its user, of which
 * the next takes the place when its turn is over.
 */
#include <linux/list.h>

#include "channel.h"
#include "line.h"

static struct doca_lane *doca_line_of(struct doca_channel *channel,
				      const struct doca_user *user)
{
	struct doca_lane *lane;

	list_for_each_entry(lane, &channel->line, node)
		if (lane->user == user)
			return lane;
	return NULL;
}

void doca_line_join(struct doca_channel *channel, struct doca_lane *lane,
		    struct doca_user *user)
{
	struct doca_lane *first = doca_line_of(channel, user);

	lane->user = user;
	lane->credit = 0;
	list_add_tail(&lane->node, first ? &first->behind : &channel->line);
	channel->nr_lanes++;
}

/* Out of line, and so is the next behind it, which has the others behind it now; NULL. */
static struct doca_lane *doca_line_take(struct doca_lane *lane)
{
	struct doca_lane *next = list_first_entry_or_null(&lane->behind,
							  struct doca_lane, node);

	list_del_init(&lane->node);
	if (!next)
		return NULL;
	list_del_init(&next->node);
	list_splice_init(&lane->behind, &next->behind);
	return next;
}

void doca_line_leave(struct doca_channel *channel, struct doca_lane *lane)
{
	struct list_head *place = lane->node.prev;
	struct doca_lane *next = doca_line_take(lane);

	if (next)
		list_add(&next->node, place);
	channel->nr_lanes--;
}

struct doca_lane *doca_line_first(struct doca_channel *channel)
{
	return list_first_entry_or_null(&channel->line, struct doca_lane, node);
}

void doca_line_turn(struct doca_channel *channel, struct doca_lane *lane)
{
	struct doca_lane *next = doca_line_take(lane);

	if (next)
		list_add_tail(&lane->node, &next->behind);
	list_add_tail(next ? &next->node : &lane->node, &channel->line);
}
