/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Connections. One has a slot of its context and keeps it until the program has disconnected
 * it; then the slot may become another connection. Its memory lives until the context is
 * idle.
 */
#ifndef DOCA_RDMA_CONNECTION_H
#define DOCA_RDMA_CONNECTION_H

#include "addr.h"
#include "desc.h"
#include "rdma.h"

enum rdma_state {
	RDMA_FREE,

	/* It may come to work: */
	RDMA_EXPORTED, /* it waits for the peer's descriptor */
	RDMA_REQUESTED, /* a peer asks for it, which the program has to answer */
	RDMA_ACCEPTED, /* the program did; the peer has to answer */
	RDMA_RESOLVING, /* the way to an address is looked for */
	RDMA_CONNECTING, /* a peer was asked for it */

	RDMA_READY, /* it works */
	RDMA_REPEATING, /* it does again what the peer was not there for */
	RDMA_BROKEN, /* a task has failed: all others do */
	RDMA_CLOSED, /* it was disconnected; tasks may be left */
};

static inline bool rdma_is_coming(enum rdma_state state)
{
	return state >= RDMA_EXPORTED && state <= RDMA_CONNECTING;
}

/* Callbacks that are due, in their order, which are bits; and that the last has returned. */
enum {
	RDMA_TELL_REQUEST = 1,
	RDMA_TELL_ESTABLISHED = 2,
	RDMA_TELL_FAILURE = 4,
	RDMA_TELL_DISCONNECT = 8,
	RDMA_TOLD = 16,
};

struct doca_rdma_connection {
	/* The data path's: */
	uint32_t id;
	enum rdma_state state;
	struct doca_rdma *rdma;
	struct ibv_qp *qp;
	/* In flight, in order; the first @posted are the device's. */
	struct doca_task *first, *last;
	struct doca_task *unposted;
	uint32_t posted;
	uint32_t max_inline; /* bytes of data that a request may have in itself */
	int reported; /* enum ibv_event_type, set by others; 0: none */
	bool contacted; /* the peer has answered once */

	struct rdma_end here, there;
	uint32_t answered; /* number of requests that came back, to be posted again */
	uint64_t patient_until; /* 0: it never was without an answer */
	uint32_t last_taken; /* closed: nothing of it is behind that completion */
	uint8_t desc[RDMA_DESC_SIZE];
	enum ibv_mtu mtu; /* the path's */
	struct doca_rdma_connection *next; /* in the row of its number */
	bool fatal; /* the device has failed it, or failed altogether */
	struct list work; /* in rdma.work */
	union doca_data user_data;

	/* For connections that librdmacm makes: */
	bool by_address;
	bool bridged; /* the program reads the events of @cm_id */
	struct rdma_cm_id *cm_id; /* NULL: it has none yet, or not any more */
	struct doca_rdma_addr *addr; /* the peer's; it stays with the slot */
	uint64_t until; /* an attempt ends by then; 0: there is none */
	unsigned int due; /* RDMA_TELL_* */
	struct list due_link; /* in rdma.due */
};

/*
 * Take a slot, and make a queue pair in it. Return FULL, NO_MEMORY, DRIVER or, if the
 * context has been lost meanwhile, BAD_STATE, with a line in the log; @level is that of NO_MEMORY and DRIVER.
 */
doca_error_t rdma_connection_new(struct doca_rdma *rdma, enum rdma_state state,
				 uint32_t level,
				 struct doca_rdma_connection **connection);

/* Return true if it has room for another one. */
bool rdma_has_place(struct doca_rdma *rdma);

/* Return BAD_STATE, with a line in the log, in the child of a fork: queue pairs are the parent's. */
doca_error_t rdma_is_ours(const struct doca_rdma *rdma,
			  const struct log_site *site);

/* Likewise, also unless the context is running. */
doca_error_t rdma_is_running(const struct doca_rdma *rdma,
			     const struct log_site *site);

/* Free all. @forked: the queue pairs are the parent's. */
void rdma_connections_close(struct doca_rdma *rdma, bool forked);

/* Return the connection that a queue pair is of, or NULL. */
static inline struct doca_rdma_connection *
rdma_connection_of(const struct doca_rdma *rdma, uint32_t qp_num)
{
	struct doca_rdma_connection *connection =
		rdma->rows[qp_num & rdma->row_mask];

	while (connection && connection->here.qp_num != qp_num)
		connection = connection->next;
	return connection;
}

/* Let progress look at it. */
void rdma_connection_kick(struct doca_rdma_connection *connection);

/*
 * A task has failed for good: no other is to be executed. If nothing else is left that works,
 * the context stops; @why is logged.
 */
void rdma_connection_break(struct doca_rdma_connection *connection);

/* It is over: the device gives its tasks back. */
void rdma_connection_close(struct doca_rdma_connection *connection);

/* Free the slot of a connection. */
void rdma_connection_free(struct doca_rdma_connection *connection);

/* Free its slot if it is closed and drained, and the program has nothing to be told of it. */
void rdma_settle(struct doca_rdma_connection *connection);

/* Put all connections into the error state, so that the device ends all tasks. */
void rdma_connections_cancel(struct doca_rdma *rdma);

/* Destroy all queue pairs: from then on nobody writes to the memory of receives. */
void rdma_connections_cut(struct doca_rdma *rdma);

/* qp.c: functions return 0 or a negative errno. */
int rdma_qp_create(struct doca_rdma_connection *connection);
void rdma_qp_destroy(struct doca_rdma_connection *connection);
int rdma_qp_connect(struct doca_rdma_connection *connection);
/* Lead it through all states as its cm_id says. */
int rdma_qp_follow(struct doca_rdma_connection *connection);
void rdma_qp_fail(struct doca_rdma_connection *connection);
/* Begin again with the numbers at which both sides have stopped. */
int rdma_qp_repeat(struct doca_rdma_connection *connection);

#endif /* DOCA_RDMA_CONNECTION_H */
