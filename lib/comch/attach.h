/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The part that consumers and producers share: the connection that they use. */
#ifndef DOCA_COMCH_ATTACH_H
#define DOCA_COMCH_ATTACH_H

#include "connection.h"
#include "core/driver/inbox.h"

struct attachment {
	struct doca_comch_connection *connection; /* holds a reference */
	uint32_t id; /* 0 if it is not started */

	/* Valid between start and stop: */
	struct inbox inbox;
	bool ended; /* the connection or its part has ended */
	bool stopping;
};

/* Return NOT_CONNECTED, with a line in the log, if the connection is closed. */
doca_error_t attach_check(struct doca_comch_connection *connection,
			  const struct log_site *site);

/* Turn the error of an attaching call into a code, and log it. */
doca_error_t attach_result(const struct doca_ctx *ctx, int err);

/* Stop the context: an event says that its connection, or its memory, has ended. */
void attach_ended(struct attachment *at, struct doca_ctx *ctx,
		  const struct doca_event *event);

/* Take the oldest event, like event_take(). */
bool attach_take(struct attachment *at, struct doca_ctx *ctx,
		 struct doca_event *event);

#endif /* DOCA_COMCH_ATTACH_H */
