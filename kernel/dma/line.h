/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The order in which an engine is fed: one user after the other, and one queue after the
 * other of a user. So a user does not get more by having many queues.
 */
#ifndef DOCA_DMA_LINE_H
#define DOCA_DMA_LINE_H

struct doca_channel;
struct doca_lane;
struct doca_user;

/* Call all of these under the channel's lock. */

/* The lane has transfers now, of this user, who stays as long as it has some. */
void doca_line_join(struct doca_channel *channel, struct doca_lane *lane,
		    struct doca_user *user);
/* The lane has no transfers any more. */
void doca_line_leave(struct doca_channel *channel, struct doca_lane *lane);
/* Return the lane whose turn it is, or NULL. */
struct doca_lane *doca_line_first(struct doca_channel *channel);
/* The first lane has had its turn: other users, then other lanes of its user, precede it. */
void doca_line_turn(struct doca_channel *channel, struct doca_lane *lane);

#endif
