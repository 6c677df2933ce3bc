/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Work requests, made of tasks. */
#ifndef DOCA_RDMA_REQUEST_H
#define DOCA_RDMA_REQUEST_H

#include "connection.h"

/* Moves that may be plain; see plain.h. */
enum rdma_plain {
	RDMA_PLAIN_NONE,
	RDMA_PLAIN_SEND,
	RDMA_PLAIN_WRITE,
	RDMA_PLAIN_READ,
	RDMA_PLAIN_RECEIVE,
};

/* A kind of task: what core knows of it, and what its requests are. */
struct rdma_kind {
	struct task_type type;
	enum ibv_wr_opcode opcode;
	enum rdma_plain plain;
	bool receives; /* there is no connection before it ends */
	bool fetches; /* the source is the peer's, the destination local */
	bool event; /* it names a sync event of the peer, and no buffer */
	bool word; /* it moves RDMA_WORD bytes */
	uint32_t access; /* permission for the peer's memory; 0: it names none */
};

extern const struct rdma_kind rdma_receive, rdma_send, rdma_send_imm, rdma_read,
	rdma_write, rdma_write_imm, rdma_cmp_swp, rdma_fetch_add,
	rdma_event_get, rdma_event_set, rdma_event_add;

static inline const struct rdma_kind *kind_of(const struct doca_task *task)
{
	return list_entry(task->type, const struct rdma_kind, type);
}

/*
 * Check a task, and fill in its request. Return the error with which it is to fail, with a
 * line in the log.
 */
doca_error_t rdma_request_make(struct doca_task *task);

/* Fill in what stays the same for all requests of the task. */
void rdma_request_init(struct doca_task *task);

/* For struct task_type: */
doca_error_t rdma_validate(const struct doca_task *task);
void rdma_finish(struct doca_task *task, uint32_t length,
		 const uint64_t *result);

/*
 * Check the connection that a task is given: it must be of that context, and open. Return
 * INVALID_VALUE, with a line in the log, if it is not.
 */
doca_error_t rdma_connection_fits(const struct doca_rdma *rdma,
				  const struct doca_rdma_connection *connection,
				  const struct log_site *site);

#endif /* DOCA_RDMA_REQUEST_H */
