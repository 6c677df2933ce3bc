/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The protocol of rdma_peer and rdma_between, over TCP, and the memory of both. */
#ifndef SELFTESTS_API_RDMA_PEER_H
#define SELFTESTS_API_RDMA_PEER_H

#include <arpa/inet.h>
#include <sys/socket.h>

#include "rdma_tasks.h"

#define PEER_PORT 18560
#define PEER_DIE 0xdead /* immediate data at which the peer kills itself */

/* Memory of a side: for tasks of the other one, for messages that come, and for those that go. */
#define PEER_OPEN (2 << 20)
#define PEER_SLOT ((1 << 20) + 4096)
#define PEER_SLOTS 4
#define PEER_OUT (PEER_OPEN + PEER_SLOTS * PEER_SLOT)
#define PEER_MEMORY (PEER_OUT + PEER_SLOT)

/* Device and GID that the peer is to use. */
struct peer_hello {
	char device[16];
	int32_t gid;
};

struct peer_details {
	char connection[96], memory[64];
	uint64_t address; /* where the memory is */
};

static inline bool peer_give(int fd, const void *bytes, size_t len)
{
	return send(fd, bytes, len, MSG_NOSIGNAL) == len;
}

static inline bool peer_take(int fd, void *bytes, size_t len)
{
	return recv(fd, bytes, len, MSG_WAITALL) == len;
}

/* Make a connection of this side and the one at the other end, and a map of its memory. */
static inline bool peer_meet(struct rdma_side *side, int fd)
{
	struct peer_details ours, theirs;
	const void *connection, *memory;
	size_t len;

	if (doca_rdma_export(side->rdma, &connection, &len, &side->connection) ||
	    len != sizeof(ours.connection) ||
	    doca_mmap_export_rdma(side->mmap, side->dev, &memory, &len) ||
	    len != sizeof(ours.memory))
		return false;
	memcpy(ours.connection, connection, sizeof(ours.connection));
	memcpy(ours.memory, memory, sizeof(ours.memory));
	ours.address = (uintptr_t)side->mem;
	if (!peer_give(fd, &ours, sizeof(ours)) || !peer_take(fd, &theirs, sizeof(theirs)))
		return false;
	side->peer_mem = (char *)(uintptr_t)theirs.address;
	return !doca_rdma_connect(side->rdma, theirs.connection, sizeof(theirs.connection),
				  side->connection) &&
	       !doca_mmap_create_from_export(NULL, theirs.memory, sizeof(theirs.memory), side->dev,
					     &side->peers);
}

#endif /* SELFTESTS_API_RDMA_PEER_H */
