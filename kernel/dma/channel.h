/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Transfers in flight in a DMA engine, and those that wait for them.
 *
 * A transfer is a copy that an engine does, in pieces of one descriptor each. Transfers of
 * a queue stand in its lane, in the order of their entries; lanes that have some stand in
 * the channel's line. The feeder gives the first lane a share of the window, and then
 * sends its user to the end of the line. So a small copy waits for transfers in flight,
 * for one share of each other user, and for its own user's other queues, however much they
 * have.
 *
 * Executors only put transfers in line; a work item feeds them. One thread at a time calls the
 * provider, without a spinlock, because it may sleep until it has a descriptor, and so no thread
 * of a user, which may lose its CPU: other users, and who removes the engine, wait for it. From
 * prep to submit the provider may hold a spinlock itself.
 *
 * Each piece has a callback, which comes in any context and finds a slot of the channel,
 * never something of a queue. So a callback may come late, or never: a slot without its
 * callback is not reused until the provider certainly makes no more calls.
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

/* Maximum of descriptors in flight; a queue of IDXD has no more. */
#define DOCA_CHANNEL_PIECES 64
/* Includes those whose callback is lost, or may come late. */
#define DOCA_CHANNEL_SLOTS 128
/* The longest piece, and the shortest that is tried if the provider takes no longer one. */
#define DOCA_PIECE_MAX SZ_256K
#define DOCA_PIECE_MIN SZ_4K
/* An engine is dead after this many failures in a row. */
#define DOCA_CHANNEL_FAILURES 8

/**
 * struct doca_slot - a piece in flight
 * @node: in @free, @away or @lost of the channel
 * @channel: constant
 * @transfer: transfer of the piece; NULL if it does not wait for the piece any more
 * @seq: place in the order of submission
 * @since: jiffies when it was submitted
 * @cookie: the provider's name of it; 0 before it has one
 * @dst: address that the engine writes to
 * @length: bytes
 *
 * The channel's lock protects all but @channel.
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
 * struct doca_lane - the transfers of a queue, in the space of its operation
 * @engine: reference
 * @user: user of the queue, as long as @transfers is not empty
 * @node: in doca_channel.line, or in @behind of another lane of the same user, as long as
 *	@transfers is not empty
 *	@transfers has some
 * @behind: other lanes of the same user, if this one is in line
 * @by_user: in doca_channel.users, if the lane is in line
 * @transfers: transfers with something left to feed
 * @credit: bytes that it may still feed before its turn ends
 * @bytes: bytes that the engine has copied for it
 *
 * The channel's lock protects all but @engine and @bytes.
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
 * struct doca_transfer - a copy that an engine does, in the private data of its flight
 * @flight: the flight; it has the mappings of all segments, sources first
 * @lane: lane of its queue
 * @node: in the lane, as long as something is left to feed
 * @left: number of pieces in flight
 * @busy: it is being fed; the feeder owns the cursors of the flight
 * @stop: it was recalled
 * @redo: the CPU must do it, from the beginning
 * @begun: the CPU has begun; used by the executor only
 * @ended: the thread that has set this completes the flight
 *
 * The channel's lock protects everything that is not constant. A transfer ends once, when
 * nothing of it is in flight, nobody feeds it, and nothing is left to feed.
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
 * struct doca_channel - pieces in flight in an engine
 * @feed: held to call the provider: prep, submit, issue, terminate. The number of pieces
 *	in flight grows under it alone. For works and administrators
 * @open: it may be fed; changed under @feed and @lock
 * @unissued: pieces were submitted since issue_pending; under @feed, and false without it
 * @submitted: jiffies when the first of those was submitted; under @feed
 * @mapping: held for reading while a map is made; see map.c
 * @lock: protects all below; interrupts off
 * @line: struct doca_lane, one for each user that has some; see line.h
 * @users: the lanes in @line, by user
 * @nr_lanes: number of all lanes
 * @blocked: the provider takes nothing before something comes back
 * @max: bytes that the provider was found to take in a piece; reset when nothing is in
 *	flight
 * @nr: number of pieces in flight
 * @bytes: bytes of these pieces
 * @failures: number of failures in a row
 * @seq: number of the next piece
 * @done_seq: number of the last submitted piece that has come back
 * @progress: jiffies when a piece came back, or the first was submitted
 * @suspected: jiffies when the engine became SUSPECT
 * @free: unused slots
 * @away: slots in flight, in the order of submission
 * @lost: slots whose pieces have come back without a callback
 * @idle: woken when @nr becomes 0
 * @feeder: feeds the line
 * @watch: looks for pieces that do not come back, as long as there are some in flight
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

/* Called by copy.c: put the transfer in line; doca_channel_begin() follows. */
void doca_channel_start(struct doca_transfer *transfer);
/* Have the line fed. */
void doca_channel_begin(struct doca_channel *channel);
/* Return true if nothing of it is in flight; it has ended then. Call it under the pool's lock. */
bool doca_channel_recall(struct doca_transfer *transfer);

/* Feed the line. */
void doca_channel_feed(struct work_struct *work);
/* Stop feeding. */
void doca_channel_close(struct doca_channel *channel);
/* Leave everything in line to the CPU. */
void doca_channel_drain(struct doca_channel *channel);
/* Let the CPU redo everything in flight, whatever the provider says of it. */
void doca_channel_distrust(struct doca_channel *channel);
/*
 * Leave everything in flight to the CPU, when the engine cannot reach its memory any
 * more. @reuse: no callback will come, so slots can be reused.
 */
void doca_channel_abandon(struct doca_channel *channel, bool reuse);
/* The piece of this number has come back, but not its callback. */
void doca_channel_lose(struct doca_channel *channel, u64 seq);

/* Return the interval of looks at the pieces in flight. */
unsigned long doca_channel_watch_interval(void);

/* hang.c */

/* Called before the engine is live. Returns 0 or -ENOMEM. */
int doca_channel_init(struct doca_engine *engine);
/*
 * Stop the channel of a DYING engine. When this returns nothing is in flight, or the
 * engine is DEAD. Waits for the hardware as long as that may take, and for no user.
 */
void doca_channel_exit(struct doca_engine *engine);
#else
struct doca_channel {
};
#endif

#endif
