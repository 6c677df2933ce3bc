// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include <doca_error.h>

#include "attach.h"
#include "core/base/errno_text.h"

LOG_SOURCE("COMCH");

doca_error_t attach_check(struct doca_comch_connection *connection,
			  const struct log_site *site)
{
	bool closed = connection_hold_fd(connection) < 0;

	connection_release_fd(connection);
	if (!closed)
		return DOCA_SUCCESS;
	return FAIL_AT(site, NOT_CONNECTED, "%s(): connection %p is closed",
		       site->func, (void *)connection);
}

doca_error_t attach_result(const struct doca_ctx *ctx, int err)
{
	const char *name = ctx->type->name;

	switch (err) {
	case 0:
		return DOCA_SUCCESS;
	case -ENOTCONN:
		return FAIL(NOT_CONNECTED,
			    "cannot start %s %p: its connection is closed",
			    name, (const void *)ctx);
	case -ENOSPC:
		return FAIL(INITIALIZATION,
			    "cannot start %s %p: its connection has as many as "
			    "it may have, %u",
			    name, (const void *)ctx, COMCH_MAX_ATTACHED);
	case -ENOENT:
	case -EACCES:
		return FAIL(INITIALIZATION,
			    "cannot start %s %p: its mmap was stopped, or "
			    "cannot be written; create it anew",
			    name, (const void *)ctx);
	case -EDQUOT:
		return FAIL(INITIALIZATION,
			    "cannot start %s %p: the user has too many "
			    "objects; raise max_object_bytes, a parameter of "
			    "the doca module",
			    name, (const void *)ctx);
	default:
		return FAIL(INITIALIZATION, "cannot start %s %p: %s", name,
			    (const void *)ctx, errno_text(err));
	}
}

void attach_ended(struct attachment *at, struct doca_ctx *ctx,
		  const struct doca_event *event)
{
	at->ended = true;
	if (at->stopping)
		return;
	if (event->status == DOCA_STATUS_BAD_KEY)
		LOG_WARN("%s %p: its mmap was stopped; the context stops, too",
			 ctx->type->name, (void *)ctx);
	else
		LOG_INFO("%s %p: its connection was closed; the context stops",
			 ctx->type->name, (void *)ctx);
	ctx_failed(ctx, NULL);
}

bool attach_take(struct attachment *at, struct doca_ctx *ctx,
		 struct doca_event *event)
{
	const struct doca_event *next = inbox_peek(&at->inbox);

	if (!next)
		return false;
	*event = *next;
	if (inbox_release(&at->inbox))
		driver_queue_enter(&ctx->queue);
	return true;
}
