/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that is elsewhere: an export of another process, whose driver is in that
 * process, or of another kernel. Its operations are carried out there, and are kept
 * beside the queue's ring until there is an answer.
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
 * struct doca_remote_ops - the provider that reaches it
 * @import: of a blob that was not made here: -EXDEV if no known exporter has made it,
 *	or another error of DOCA_MEM_IMPORT. It may wait, for a bounded time
 * @release: nothing names the memory any more, though operations may be in progress
 * @submit: begin the operation of the queue, for which doca_op_resolve() has returned
 *	DOCA_STATUS_REMOTE: a &enum doca_status if it has ended, DOCA_STATUS_PENDING if
 *	it is put aside. It checks all that the operation's own row does
 * @poll: continue those that were put aside, and end those of them that are done, or all
 *	if the queue no longer executes; returns how many ended
 * @drop: forget them: their answers are not needed any more
 *
 * All but the first two are called in the queue's run section, and do not block.
 */
struct doca_remote_ops {
	int (*import)(const struct doca_blob *blob,
		      struct doca_remote **remote);
	void (*release)(struct doca_remote *remote);
	u32 (*submit)(struct doca_queue *queue);
	unsigned int (*poll)(struct doca_queue *queue);
	void (*drop)(struct doca_queue *queue);
};

/* Set before the first call; NULL if there is no provider. */
extern const struct doca_remote_ops *doca_remote_ops;

/**
 * struct doca_asides - operations of a queue that are done elsewhere: by this provider,
 * or in flight (flight.h)
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
