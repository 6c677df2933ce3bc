/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that is elsewhere: an export of another process whose driver is in that process,
 * or of another kernel. Operations on it are in flight until they are answered
 * (flight.h).
 */
#ifndef DOCA_REMOTE_H
#define DOCA_REMOTE_H

#include <linux/types.h>

struct doca_blob;
struct doca_op_type;
struct doca_queue;
struct doca_ucmd;

/**
 * struct doca_remote - a range of such memory; part of its provider's object
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
 * @import: import a blob that was not made here: -EXDEV if no known exporter has made it,
 *	or another error of DOCA_MEM_IMPORT. It may wait, for a bounded time
 * @release: no key names the memory any more, though operations may be in flight
 * @places: number of them that a queue with so many completion slots may have in flight,
 *	at least one. With as many as it has slots it never stalls for want of a place
 * @wake: a queue without a thread has work; called in any context
 * @type: carries out the operations, by their own rows' @remote: its @start is called
 *	when doca_op_resolve() has returned DOCA_STATUS_START, and checks all that the
 *	operation's own row does
 */
struct doca_remote_ops {
	int (*import)(const struct doca_blob *blob,
		      struct doca_remote **remote);
	void (*release)(struct doca_remote *remote);
	u32 (*places)(u32 nr);
	void (*wake)(struct doca_queue *queue);
	const struct doca_op_type *type;
};

/* Set before the first call; NULL if there is no provider. */
extern const struct doca_remote_ops *doca_remote_ops;

static inline u32 doca_remote_places(u32 nr)
{
	return doca_remote_ops ? doca_remote_ops->places(nr) : 0;
}

/* DOCA_MEM_IMPORT of memory that was not exported here. */
int doca_remote_import(struct doca_ucmd *ucmd, const struct doca_blob *blob);

#endif
