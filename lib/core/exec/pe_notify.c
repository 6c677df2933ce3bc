// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Waits of a program for the contexts of a progress engine. */
#include <doca_error.h>

#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "pe.h"

LOG_SOURCE("COMMON::PE");

static doca_error_t pe_of_parent(const struct doca_pe *pe)
{
	return FAIL(BAD_STATE,
		    "progress engine %p belongs to the parent process: create "
		    "one here",
		    (const void *)pe);
}

doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle)
{
	if (!valid(pe) || !given(handle))
		return DOCA_ERROR_INVALID_VALUE;
	*handle = pe->epoll_fd;
	return DOCA_SUCCESS;
}

static bool pe_watch_all(struct doca_pe *pe, struct doca_ctx *ctx)
{
	bool all = true;
	int i;

	for (i = 0; i < CTX_WATCHES; i++)
		all &= pe_watch(pe, &ctx->watches[i]);
	return all;
}

/* Arm all started contexts: tasks may be submitted between this and the wait. */
doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	struct doca_ctx *ctx;
	struct list *pos;
	bool waits;

	if (!valid(pe))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(pe, return DOCA_ERROR_IN_USE);
	if (!pe_alive(pe))
		return pe_of_parent(pe);
	pe->armed = true;
	pe->selecting = false;
	pe->nr_notified = 0;
	list_for_each(pos, &pe->ctxs) {
		ctx = list_entry(pos, struct doca_ctx, link);
		ctx->notified = false;
		waits = pe_watch_all(pe, ctx);
		if (ctx_arm(ctx) || !waits)
			pe_mark_notified(pe, ctx);
	}
	if (!pe_arm_timer(pe) || pe->nr_notified || !list_empty(&pe->events))
		pe_kick(pe);
	return DOCA_SUCCESS;
}

/*
 * Return true if the wait may have ended for this context. Contexts that had something
 * when the engine was armed are marked. For the others their lanes tell, which is
 * cheaper than a call of epoll. Lanes do not know watched descriptors, so contexts that
 * watch any are visited.
 */
static bool pe_disarm(struct doca_pe *pe, struct doca_ctx *ctx)
{
	bool watched = false;
	int i;

	for (i = 0; i < CTX_WATCHES; i++) {
		watched |= ctx->watches[i].armed;
		pe_unwatch(pe, &ctx->watches[i]);
	}
	return ctx_woken(ctx) || watched;
}

/* There is only one handle, so its value is not checked. */
doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
					doca_notification_handle_t handle)
{
	struct doca_ctx *ctx;
	struct list *pos;

	(void)handle;
	if (!valid(pe))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(pe, return DOCA_ERROR_IN_USE);
	if (!pe_alive(pe))
		return pe_of_parent(pe);
	if (!pe->armed)
		return DOCA_SUCCESS;
	pe->armed = false;
	list_for_each(pos, &pe->ctxs) {
		ctx = list_entry(pos, struct doca_ctx, link);
		if (pe_disarm(pe, ctx))
			pe_mark_notified(pe, ctx);
	}
	if (pe->event_mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL)
		pe->selecting = pe->nr_notified;
	pe->short_turns = 0;
	pe_unkick(pe);
	pe_disarm_timer(pe);
	return DOCA_SUCCESS;
}
