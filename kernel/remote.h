/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that somebody else has: an export of another process, whose driver is in that
 * process, or of another kernel. What its operations take is done there, so they stand
 * aside of the queue's ring until there is an answer.
 */
#ifndef DOCA_REMOTE_H
#define DOCA_REMOTE_H

#include <linux/list.h>
#include <linux/types.h>

struct doca_blob;
struct doca_queue;
struct doca_ucmd;

/**
 * struct doca_remote - a range of such memory, part of what its provider knows of it
 * @access: &enum doca_access: DOCA_ACCESS_LOCAL_READ and DOCA_ACCESS_LOCAL_WRITE
 * @addr: first byte, an address of the process that registered it
 * @length: bytes
 */
struct doca_remote {
	u32 access;
	u64 addr;
	u64 length;
};

/**
 * struct doca_remote_ops - who reaches it
 * @import: of a blob that was not made here: -EXDEV if nobody who is known has made it,
 *	or what DOCA_MEM_IMPORT fails with. It may wait, for a bounded time
 * @release: the memory is named by nobody any more, though operations may be under way
 * @submit: begin the operation of the queue, of which doca_op_resolve() has said
 *	DOCA_STATUS_REMOTE: a &enum doca_status if it has ended, DOCA_STATUS_PENDING if
 *	it stands aside. It checks all that the operation's own row does
 * @poll: go on with those that stand aside, and end those of them that are done, or all
 *	if the queue is not to execute; how many ended
 * @drop: forget them: nobody waits for an answer
 *
 * All but the first two are called in the queue's run section, and wait for nobody.
 */
struct doca_remote_ops {
	int (*import)(const struct doca_blob *blob,
		      struct doca_remote **remote);
	void (*release)(struct doca_remote *remote);
	u32 (*submit)(struct doca_queue *queue);
	unsigned int (*poll)(struct doca_queue *queue);
	void (*drop)(struct doca_queue *queue);
};

/* Set before the first call; NULL if there are none. */
extern const struct doca_remote_ops *doca_remote_ops;

/**
 * struct doca_asides - operations of a queue that others do: those of this provider, and
 * those in flight (flight.h)
 * @nr: how many, each of which has a slot of the completion ring; read anywhere
 * @polled: those of this provider among them; read anywhere
 * @list: the provider's
 *
 * Protected by the run section.
 */
struct doca_asides {
	u32 nr;
	u32 polled;
	struct list_head list;
};

/* DOCA_MEM_IMPORT of what was not exported here. */
int doca_remote_import(struct doca_ucmd *ucmd, const struct doca_blob *blob);

#endif
