/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Operations with a side that another process has: cut into pieces, which it executes. */
#ifndef INPROC_RELAY_H
#define INPROC_RELAY_H

#include "remote.h"
#include "remote_op.h"

/* What was imported. */
struct relay_memory {
	struct doca_remote remote;
	struct link_import import;
};

static inline struct relay_memory *relay_memory_of(struct doca_remote *remote)
{
	return container_of(remote, struct relay_memory, remote);
}

/* All in the run section of the queue, whose operation at work is @from. */
u32 relay_begin(struct relay_op *op, const struct doca_op *from);
/* DOCA_STATUS_AGAIN, or how it has ended. */
u32 relay_step(struct relay_op *op);
/* Let go of all that is under way. */
void relay_forget(struct relay_op *op);
/* Have the other side tell of the next answer. True if there is one already. */
bool relay_arm(struct relay_op *op);

#endif /* INPROC_RELAY_H */
