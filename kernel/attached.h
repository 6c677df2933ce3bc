/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The common part of producers and consumers, which belong to an end of a connection. */
#ifndef DOCA_ATTACHED_H
#define DOCA_ATTACHED_H

#include <linux/list.h>
#include <linux/types.h>

#include "conn.h"

/**
 * struct doca_attached - the common part of producers and consumers
 * @endpoint: endpoint of its queue; constant
 * @end: end that it belongs to, with a reference to the connection; constant
 * @kind: &enum doca_conn_kind; constant
 * @id: number, unique at this end for its @kind; constant
 * @linked: it was in doca_conn_end.attached, and its inbox has promised it an event
 * @ended: set for good, when it leaves that list or can no longer join it
 * @node: in doca_conn_end.attached
 * @disconnect: called when the connection is closed: at most once, with its lock held,
 *	while it is in the list. Takes it off the list; constant
 *
 * Members that are not constant are under the lock of the connection.
 *
 * The connection's lock protects the members that are not constant.
 */
struct doca_attached {
	struct doca_endpoint *endpoint;
	struct doca_conn_end *end;
	u8 kind;
	u32 id;
	bool linked;
	bool ended;
	struct list_head node;
	void (*disconnect)(struct doca_attached *attached);
};

void doca_attached_init(struct doca_attached *attached,
			struct doca_endpoint *endpoint,
			struct doca_conn_end *end, enum doca_conn_kind kind);
/* End it. Return true for the first call. Call it with the lock of the connection held. */
bool doca_attached_end(struct doca_attached *attached);
/* Tell its queue if it @hears. Only the first caller of doca_attached_end() may call it. */
void doca_attached_tell(struct doca_attached *attached, bool hears, u16 status);

#endif
