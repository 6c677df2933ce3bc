/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Connections that librdmacm makes. It is the messenger alone: queue pairs are the context's, and
 * are led to their states here. Events are read when progress looks for news (news.h); what they mean
 * for the program is told by callbacks, one in a call.
 *
 * An identifier is destroyed as soon as its connection needs none: then it has no more events.
 */
#ifndef DOCA_RDMA_CM_H
#define DOCA_RDMA_CM_H

#include <stdbool.h>
#include <stdint.h>

#include <rdma/rdma_cma.h>

#include "core/exec/lane.h"
#include "connection.h"

struct rdma_listener {
	struct list link; /* in rdma.listeners */
	uint16_t port;
	uint32_t nr_ids;
	struct rdma_cm_id *ids[]; /* one for each address of the device */
};

void rdma_cm_reset(struct doca_rdma *rdma);

/* Make the channel of events, unless there is one. Return DRIVER, with a line in the log. */
doca_error_t rdma_cm_open(struct doca_rdma *rdma);

/* Tell nothing any more: end attempts, listeners and connections. */
void rdma_cm_cancel(struct doca_rdma *rdma);

/* Free all but the connections, which are gone. @forked: it is the parent's. */
void rdma_cm_close(struct doca_rdma *rdma, bool forked);

/* Call the program back, if it is to be told of something. */
enum lane_turn rdma_cm_tell_next(struct doca_rdma *rdma);
bool rdma_cm_is_due(const struct doca_rdma *rdma);

/* Take an event, if there is one. */
void rdma_cm_take_event(struct doca_rdma *rdma);

/* Fail the attempts that have taken too long. Return true if there were some. */
bool rdma_cm_give_up(struct doca_rdma *rdma);

/* Return true if progress has to look for events. */
bool rdma_cm_is_busy(const struct doca_rdma *rdma);

/* Let a callback come; RDMA_TELL_* */
void rdma_cm_tell(struct doca_rdma_connection *connection, unsigned int what);

/* Destroy its identifier, if it has one. */
void rdma_cm_release(struct doca_rdma_connection *connection);

/* It is not to work any more: its tasks end, and then the program is told. */
void rdma_cm_disconnect(struct doca_rdma_connection *connection);

/* Likewise, for one that did not come to work; @why is logged, and @err, 0 or an errno. */
void rdma_cm_fail(struct doca_rdma_connection *connection, const char *why,
		  int err);

/* End it without a callback, for the program knows. */
void rdma_cm_drop(struct doca_rdma_connection *connection);

/*
 * Take a request over. Return FULL, NO_MEMORY or DRIVER, for which @level is that of the line; then
 * it is still @id's owner's.
 */
doca_error_t rdma_cm_take(struct doca_rdma *rdma, struct rdma_cm_id *id,
			  const struct rdma_conn_param *param, uint32_t level,
			  struct doca_rdma_connection **connection);

/* Accept a request. Return INVALID_VALUE or CONNECTION_ABORTED; see doca_rdma_connection_accept(). */
doca_error_t rdma_cm_accept(struct doca_rdma_connection *connection,
			    const void *data, uint8_t len);

/* Let it fail if it does not come to work in the time for attempts. */
void rdma_cm_limit_time(struct doca_rdma_connection *connection);

/* The peer has answered; more than one sign tells of it. */
void rdma_cm_established(struct doca_rdma_connection *connection);

/* Take the next step of an attempt, after that event. */
void rdma_cm_step(struct doca_rdma_connection *connection,
		  const struct rdma_cm_event *event);

/* Take over how many reads and atomic operations the two sides allow each other. */
void rdma_cm_limit(struct doca_rdma_connection *connection,
		   const struct rdma_conn_param *param);

/* Return true if an identifier is of the context's device. */
bool rdma_cm_fits(const struct doca_rdma *rdma, const struct rdma_cm_id *id);
const char *rdma_cm_dev_name(const struct rdma_cm_id *id);

#endif /* DOCA_RDMA_CM_H */
