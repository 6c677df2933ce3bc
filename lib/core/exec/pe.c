// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The progress engine: visits the contexts that have something to do. Waits for them
 * are in pe_notify.c.
 *
 * Calling the program back is the last thing that a call of progress does, so
 * callbacks may do to contexts what they like.
 */
#include <stdlib.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "pe.h"
#include "plain.h"

LOG_SOURCE("COMMON::PE");

#define LOOK_TURNS 64 /* turns until an idle context is polled in any case */
#define IDLE_TURNS 16 /* short turns that find nothing, until one is polled */

doca_error_t doca_pe_create(struct doca_pe **pe)
{
	struct doca_pe *new;
	int err;

	if (!given(pe))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a progress engine");
	list_init(&new->ctxs);
	list_init(&new->events);
	new->generation = driver_generation();
	err = pe_open(new);
	if (err) {
		LOG_ERR("cannot create a progress engine: %s", errno_text(err));
		free(new);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	doca_priv_debug_add(new, &doca_priv_pe_object, sizeof(*new), 1);
	LOG_DBG("progress engine %p is created", (void *)new);
	*pe = new;
	return DOCA_SUCCESS;
}

static bool pe_is_used(const struct doca_pe *pe)
{
	const char *why;

	if (pe->in_callback)
		why = "it is calling this function";
	else if (!list_empty(&pe->ctxs))
		why = "contexts are connected to it; destroy them first";
	else if (pe->nr_graphs)
		why = "there are graphs of it; destroy them first";
	else
		return false;
	LOG_ERR("cannot destroy progress engine %p: %s", (const void *)pe, why);
	return true;
}

doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
	if (!valid(pe))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(pe, return DOCA_ERROR_IN_USE);
	if (pe_is_used(pe))
		return DOCA_ERROR_IN_USE;
	if (pe_alive(pe))
		pe_worker_destroy(pe);
	pe_close(pe);
	LOG_DBG("progress engine %p is destroyed", (void *)pe);
	doca_priv_debug_free(pe);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (!valid(pe) || !valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(pe, return DOCA_ERROR_IN_USE);
	if (ctx->pe) {
		LOG_ERR("cannot connect %s %p: it is connected already",
			ctx->type->name, (void *)ctx);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	ctx->pe = pe;
	list_add_tail(&pe->ctxs, &ctx->link);
	LOG_DBG("%s %p is connected to progress engine %p", ctx->type->name,
		(void *)ctx, (void *)pe);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
					    size_t *num_inflight_tasks)
{
	struct list *pos;
	size_t num = 0;

	if (!valid(pe) || !given(num_inflight_tasks))
		return DOCA_ERROR_INVALID_VALUE;
	list_for_each(pos, &pe->ctxs)
		num += list_entry(pos, struct doca_ctx, link)->inflight;
	*num_inflight_tasks = num;
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
				    enum doca_pe_event_mode event_mode)
{
	if (!valid(pe) ||
	    refused((unsigned int)event_mode > DOCA_PE_EVENT_MODE_PROGRESS_ALL))
		return DOCA_ERROR_INVALID_VALUE;
	pe->event_mode = event_mode;
	pe->selecting = false;
	return DOCA_SUCCESS;
}

/* Idle contexts, too, must learn of the removal of their device. */
static bool pe_look_at_one(struct doca_pe *pe)
{
	struct doca_ctx *ctx;

	if (list_empty(&pe->ctxs) || pe->selecting)
		return false;
	ctx = list_entry(pe->ctxs.next, struct doca_ctx, link);
	list_rotate(&pe->ctxs);
	return ctx_look(ctx);
}

static bool pe_visit_busy(struct doca_pe *pe)
{
	struct doca_ctx *ctx;
	uint32_t n;

	for (n = pe->nr_busy; n; n--) {
		ctx = pe_next(pe);
		if (doca_unlikely(pe->selecting) && !ctx->notified)
			continue;
		if (ctx_progress(ctx))
			return true;
		if (!ctx_wants_visits(ctx))
			pe_unvisit(pe, ctx);
	}
	return false;
}

static bool pe_deliver(struct doca_pe *pe)
{
	struct pe_event *event;

	if (doca_likely(list_empty(&pe->events)))
		return false;
	event = list_entry(pe->events.next, struct pe_event, link);
	list_del(&event->link);
	event->deliver(event);
	return true;
}

/*
 * Allow turns for completed tasks only, if there is a context to visit and nothing else
 * to do. The next full turn polls a context that is not visited.
 */
static void pe_allow_short_turns(struct doca_pe *pe)
{
	pe->short_turns = 0;
	if (!pe->next || !list_empty(&pe->events) || pe->selecting)
		return;
	pe->short_turns = LOOK_TURNS;
	pe->turn = 0;
}

/*
 * Completions, events and the removal of devices share the turns, so that none
 * of them waits for another to end.
 */
__attribute__((noinline)) static bool pe_take_turn(struct doca_pe *pe)
{
	uint32_t turn;

	if (doca_unlikely(!driver_current(pe->generation)))
		pe_alive(pe);
	if (pe->short_turns < 0)
		pe_allow_short_turns(pe);
	else
		pe->next = pe->next->prev; /* it may have other work */
	turn = pe->turn++;
	if (turn % LOOK_TURNS == 0 && pe_look_at_one(pe))
		return true;
	if (turn % 2 && pe_deliver(pe))
		return true;
	return pe_visit_busy(pe) || pe_deliver(pe) || pe_look_at_one(pe);
}

/* Contexts that are not visited have few turns then, and see that by ->rare. */
__attribute__((noinline)) static enum lane_turn
pe_take_rare_turn(struct doca_pe *pe)
{
	bool ran;

	pe->rare = true;
	ran = pe_take_turn(pe);
	pe->rare = false;
	return ran ? LANE_CALLED : LANE_IDLE;
}

/*
 * Look for completed tasks only, in turns that allow it: for a plain one, or what the lane
 * finds quickly. LANE_AGAIN: take a full turn, for there may be more to do.
 */
__attribute__((always_inline)) static inline enum lane_turn
pe_take_short_turn(struct doca_pe *pe)
{
	enum lane_turn turn;
	struct doca_ctx *ctx;

	if (doca_unlikely(--pe->short_turns < 0))
		return LANE_AGAIN;
	ctx = pe_next(pe);
	if (doca_likely(plain_progress(ctx)))
		return LANE_CALLED;
	if (!ctx->reap)
		return LANE_AGAIN;
	turn = ctx->reap(ctx);
	if (turn != LANE_IDLE)
		return turn;
	if (pe->nr_busy > 1)
		return LANE_AGAIN;
	return pe->short_turns % IDLE_TURNS ? LANE_IDLE : pe_take_rare_turn(pe);
}

__attribute__((always_inline)) static inline bool
pe_progress(struct doca_pe *pe)
{
	enum lane_turn turn;
	bool ran;

	if (doca_unlikely(pe->in_callback))
		return false;
	pe->in_callback = true;
	turn = pe_take_short_turn(pe);
	ran = turn == LANE_CALLED || (turn == LANE_AGAIN && pe_take_turn(pe));
	pe->in_callback = false;
	if (doca_unlikely(!ran))
		pe->selecting = false;
	return ran;
}

/* Programs poll in a loop, so log this once. */
static uint8_t progress_of_none(void)
{
	LOG_ERR_ONCE("doca_pe_progress(): invalid argument: pe is NULL or 0");
	return 0;
}

/* Check and progress in debug mode. Out of line, to keep the data path short. */
__attribute__((noinline)) static uint8_t pe_progress_checked(struct doca_pe *pe,
							     const char *func)
{
	uint8_t ran;

	if (!pe)
		return progress_of_none();
	if (!doca_priv_debug_valid(pe, &doca_priv_pe_object, true, func) ||
	    !doca_priv_debug_enter(pe, func))
		return 0;
	pe->progressed++;
	ran = pe_progress(pe);
	doca_priv_debug_leave(pe);
	return ran;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	if (doca_unlikely(!pe || doca_priv_debug))
		return pe_progress_checked(pe, __func__);
	return pe_progress(pe);
}
