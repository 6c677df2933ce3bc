/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * What is in flight in a DMA engine, and what waits for that.
 *
 * A transfer is a copy that an engine does, in pieces of one descriptor each. Transfers of
 * a queue stand in its lane, in the order of their entries; lanes that have some stand in
 * the channel's line. The feeder gives the first lane a share of the window, and then
 * sends its user to the end of the line: so a small copy waits for what is in flight,
 * for one share of each other user, and of its own user's other queues, however much they
 * have.
 *
 * Feeding is of the executor that starts a transfer, if nobody stands before it, and else
 * of a work item. The provider is called by one at a time, without a lock that spins, for
 * it may sleep until it has a descriptor; from prep to submit it may hold one itself.
 *
 * Each piece has its callback, which comes in any context and finds a slot of the channel,
 * never something of a queue. So a callback may come late, or never: a slot without it is
 * not used again until the provider is known to call no more.
 *
 * Locks, in this order: @feed, which sleeps; the pool's lock; @lock.
 */
#ifndef DOCA_DMA_CHANNEL_H
#define DOCA_DMA_CHANNEL_H

#include <linux/kconfig.h>
#include <linux/types.h>

struct doca_engine;

#if IS_ENABLED(CONFIG_DMA_ENGINE)
#include <linux/dmaengine.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rwsem.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct doca_channel;
struct doca_flight;
struct doca_transfer;
struct doca_user;

/* Descriptors in flight; a queue of IDXD has no more than that. */
#define DOCA_CHANNEL_PIECES 64
/* With those whose callback is lost, or may come late. */
#define DOCA_CHANNEL_SLOTS 128
/* The longest piece, and the shortest that is tried where the provider takes none. */
#define DOCA_PIECE_MAX SZ_256K
#define DOCA_PIECE_MIN SZ_4K
/* After so many failures in a row an engine is dead. */
#define DOCA_CHANNEL_FAILURES 8

/**
 * struct doca_slot - a piece in flight
 * @node: in @free, @away or @lost of the channel
 * @channel: constant
 * @transfer: which it is of; NULL if that does not wait for it any more
 * @seq: place in the order of submission
 * @since: jiffies when it was submitted
 * @cookie: by which the provider knows it; 0 before it has one
 * @dst: where it writes
 * @length: bytes
 *
 * All but @channel under the channel's lock.
 */
struct doca_slot {
	struct list_head node;
	struct doca_channel *channel;
	struct doca_transfer *transfer;
	u64 seq;
	unsigned long since;
	dma_cookie_t cookie;
	dma_addr_t dst;
	u32 length;
};

/**
 * struct doca_lane - the transfers of a queue: the space of its operation
 * @engine: reference
 * @user: whose it is, as long as @transfers has some
 * @node: in doca_channel.line, or in @behind of another of the same user, as long as
 *	@transfers has some
 * @behind: others of the same user, if it is in line
 * @by_user: in doca_channel.users, if it is in line
 * @transfers: of which something is to be fed
 * @credit: bytes that it may still feed before its turn is over
 * @bytes: that the engine has copied for it
 *
 * All but @engine and @bytes under the channel's lock.
 */
struct doca_lane {
	struct doca_engine *engine;
	struct doca_user *user;
	struct list_head node;
	struct list_head behind;
	struct rb_node by_user;
	struct list_head transfers;
	s64 credit;
	atomic64_t bytes;
};

/**
 * struct doca_transfer - a copy that an engine does: what its flight has for us
 * @flight: which has the mappings of all segments, sources first
 * @lane: of its queue
 * @node: in the lane, until nothing of it is to be fed any more
 * @left: pieces in flight
 * @busy: it is being fed; the cursors of the flight are the feeder's
 * @stop: it was recalled
 * @redo: the CPU is to do it, from the beginning
 * @begun: the CPU has begun; the executor's
 * @ended: the flight is completed, or about to be, by the thread that set this
 *
 * What is not constant is under the channel's lock. It ends once, when nothing of it is
 * in flight, nobody feeds it, and nothing of it is to be fed any more.
 */
struct doca_transfer {
	struct doca_flight *flight;
	struct doca_lane *lane;
	struct list_head node;
	u32 left;
	bool busy;
	bool stop;
	bool redo;
	bool begun;
	bool ended;
};

/**
 * struct doca_channel - what is in flight in an engine
 * @feed: held to call the provider: prep, submit, issue, terminate. What is in
 *	flight grows under it alone
 * @open: it may be fed; changed under @feed and @lock
 * @unissued: something was submitted since issue_pending; under @feed, read anywhere
 * @submitted: jiffies when the first of that was; under @feed
 * @mapping: held for reading while a map is made; map.c
 * @lock: protects all below; interrupts off
 * @line: struct doca_lane, one of each user that has some; line.h
 * @users: those in line, to be found by their users
 * @nr_lanes: how many there are in all
 * @blocked: the provider takes nothing before something comes back
 * @max: bytes that it takes in a piece, as was found out; until nothing is in flight
 * @nr: pieces in flight
 * @bytes: of them
 * @failures: in a row
 * @seq: of the next piece
 * @done_seq: of the last of those that have come back
 * @progress: jiffies when something has come back, or the first was submitted
 * @suspected: jiffies when the engine became SUSPECT
 * @free: slots
 * @away: those in flight, in the order of submission
 * @lost: those whose callback has not come although they have
 * @idle: woken when @nr has become 0
 * @feeder: feeds what stands in line
 * @watch: looks for what does not come back, as long as something is in flight
 * @slots: all of them
 */
struct doca_channel {
	struct mutex feed; /* see above */
	bool open;
	bool unissued;
	unsigned long submitted;
	struct rw_semaphore mapping;
	spinlock_t lock; /* see above */
	struct list_head line;
	struct rb_root users;
	unsigned int nr_lanes;
	bool blocked;
	u32 max;
	u32 nr;
	u64 bytes;
	unsigned int failures;
	u64 seq;
	u64 done_seq;
	unsigned long progress;
	unsigned long suspected;
	struct list_head free;
	struct list_head away;
	struct list_head lost;
	wait_queue_head_t idle;
	struct work_struct feeder;
	struct delayed_work watch;
	struct doca_slot slots[DOCA_CHANNEL_SLOTS];
};

/* channel.c */

/* By copy.c: the transfer stands in line, and is fed now if it is the first. */
void doca_channel_start(struct doca_transfer *transfer);
/* The provider is to begin with what it was given. */
void doca_channel_issue(struct doca_engine *engine);
/* True if nothing of it is in flight, and it is ended; under the pool's lock. */
bool doca_channel_recall(struct doca_transfer *transfer);

/* Feed what stands in line. */
void doca_channel_feed(struct work_struct *work);
/* Nothing is fed any more. */
void doca_channel_close(struct doca_channel *channel);
/* What stands in line is left to the CPU. */
void doca_channel_drain(struct doca_channel *channel);
/* What is in flight is done anew by the CPU, whatever the provider says of it. */
void doca_channel_distrust(struct doca_channel *channel);
/*
 * What is in flight is left to the CPU, when the engine does not reach its memory any
 * more. With @reuse no callback comes any more, either.
 */
void doca_channel_abandon(struct doca_channel *channel, bool reuse);
/* The piece of this number has come back, though its callback has not. */
void doca_channel_lose(struct doca_channel *channel, u64 seq);

/* How often what is in flight is looked at. */
unsigned long doca_channel_watch_interval(void);

/* hang.c */

/* Before the engine is live: 0 or -ENOMEM. */
int doca_channel_init(struct doca_engine *engine);
/*
 * The engine is DYING: when this returns nothing is in flight, or it is DEAD. Waits for
 * the hardware as long as it may take, and for no user.
 */
void doca_channel_exit(struct doca_engine *engine);
#else
struct doca_channel {
};
#endif

#endif
