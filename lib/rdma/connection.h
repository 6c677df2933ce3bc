/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Connections. One has a slot of its context and keeps it until the program has disconnected
 * it; then the slot may become another connection. Its memory lives until the context is
 * idle.
 */
#ifndef DOCA_RDMA_CONNECTION_H
#define DOCA_RDMA_CONNECTION_H

#include "desc.h"
#include "rdma.h"

enum rdma_state {
	RDMA_FREE,
	RDMA_EXPORTED, /* it waits for the peer's descriptor */
	RDMA_READY, /* it works */
	RDMA_REPEATING, /* it does again what the peer was not there for */
	RDMA_BROKEN, /* a task has failed: all others do */
	RDMA_CLOSED, /* the program has disconnected it; tasks may be left */
};

struct doca_rdma_connection {
	struct doca_rdma *rdma;
	struct doca_rdma_connection *next; /* in the row of its number */
	uint32_t id;
	enum rdma_state state;
	struct ibv_qp *qp;
	struct rdma_end here, there;
	uint8_t desc[RDMA_DESC_SIZE];
	enum ibv_mtu mtu; /* the path's */
	uint32_t max_inline; /* bytes of data that a request may have in itself */

	/* In flight, in order; the first @posted are the device's. */
	struct doca_task *first, *last;
	struct doca_task *unposted;
	uint32_t posted;
	uint32_t answered; /* number of these that came back, to be posted again */
	uint64_t patient_until; /* 0: it never was without an answer */
	bool contacted; /* the peer has answered once */
	uint32_t last_taken; /* closed: nothing of it is behind that completion */
	struct list work; /* in rdma.work */
	union doca_data user_data;
};

/*
 * Take a slot, and make a queue pair in it. Return FULL, NO_MEMORY or DRIVER, with a line in
 * the log.
 */
doca_error_t rdma_connection_new(struct doca_rdma *rdma,
				 struct doca_rdma_connection **connection);

/* Free all. @forked: the queue pairs are the parent's. */
void rdma_connections_close(struct doca_rdma *rdma, bool forked);

/* Return the connection that a queue pair is of, or NULL. */
struct doca_rdma_connection *rdma_connection_of(const struct doca_rdma *rdma,
						uint32_t qp_num);

/* Let progress look at it. */
void rdma_connection_kick(struct doca_rdma_connection *connection);

/*
 * A task has failed for good: no other is to be executed. If nothing else is left that works,
 * the context stops; @why is logged.
 */
void rdma_connection_break(struct doca_rdma_connection *connection);

/* Free the slot of a connection. */
void rdma_connection_free(struct doca_rdma_connection *connection);

/*
 * Free its slot if the program has disconnected it, nothing is in flight, and no completion
 * of its receives is left.
 */
void rdma_settle(struct doca_rdma_connection *connection);

/* Put all connections into the error state, so that the device ends all tasks. */
void rdma_connections_cancel(struct doca_rdma *rdma);

/* Destroy all queue pairs: from then on nobody writes to the memory of receives. */
void rdma_connections_cut(struct doca_rdma *rdma);

/* qp.c: functions return 0 or a negative errno. */
int rdma_qp_create(struct doca_rdma_connection *connection);
void rdma_qp_destroy(struct doca_rdma_connection *connection);
int rdma_qp_connect(struct doca_rdma_connection *connection);
void rdma_qp_fail(struct doca_rdma_connection *connection);
/* Begin again with the numbers at which both sides have stopped. */
int rdma_qp_repeat(struct doca_rdma_connection *connection);

#endif /* DOCA_RDMA_CONNECTION_H */
