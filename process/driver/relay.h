/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Operations with a side in another process: they are cut into pieces, which it executes. */
#ifndef INPROC_RELAY_H
#define INPROC_RELAY_H

#include "remote.h"
#include "remote_op.h"

/* Memory that was imported. */
struct relay_memory {
	struct doca_remote remote;
	struct link_import import;
};

static inline struct relay_memory *relay_memory_of(struct doca_remote *remote)
{
	return container_of(remote, struct relay_memory, remote);
}

/* The functions of struct doca_op_type. A start takes one step. */
u32 relay_start(struct doca_queue *queue, struct doca_flight *flight);
bool relay_recall(struct doca_flight *flight);

#endif /* INPROC_RELAY_H */
