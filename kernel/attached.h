/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* What producers and consumers have in common: they belong to an end of a connection. */
#ifndef DOCA_ATTACHED_H
#define DOCA_ATTACHED_H

#include <linux/list.h>
#include <linux/types.h>

#include "conn.h"

/**
 * struct doca_attached - what producers and consumers have in common
 * @endpoint: its own; constant
 * @end: to which it belongs, with a reference to the connection; constant
 * @kind: &enum doca_conn_kind; constant
 * @id: among those of its kind at this end; constant
 * @linked: it was in doca_conn_end.attached, and its inbox has promised it an event
 * @ended: it is there no longer, nor will be
 * @node: in doca_conn_end.attached
 * @disconnect: the connection is closed; called once at most, with its lock, while it is in
 *	the list, and takes it out of there; constant
 *
 * What is not constant is under the lock of the connection.
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
/* With the lock of the connection: true for the first who calls it. */
bool doca_attached_end(struct doca_attached *attached);
/* By that one: tell its queue, if it is to hear of it. */
void doca_attached_tell(struct doca_attached *attached, bool hears, u16 status);

#endif
