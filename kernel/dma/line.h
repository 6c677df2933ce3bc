/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The order in which an engine is fed: a user at a time, and among a user's queues one at
 * a time. So a user does not get more for having many queues.
 */
#ifndef DOCA_DMA_LINE_H
#define DOCA_DMA_LINE_H

struct doca_channel;
struct doca_lane;
struct doca_user;

/* All under the channel's lock. */

/* The lane has something, for this user, who stays as long as it has. */
void doca_line_join(struct doca_channel *channel, struct doca_lane *lane,
		    struct doca_user *user);
/* It has nothing any more. */
void doca_line_leave(struct doca_channel *channel, struct doca_lane *lane);
/* Whose turn it is; NULL. */
struct doca_lane *doca_line_first(struct doca_channel *channel);
/* The first has had its turn: other users, then others of its user, come before it. */
void doca_line_turn(struct doca_channel *channel, struct doca_lane *lane);

#endif
