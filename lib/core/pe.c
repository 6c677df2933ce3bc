// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The progress engine: visits the contexts that have something to do, and is
 * what a program waits for when none has.
 *
 * A call of the program's callback is the last thing that a call of progress
 * does, so callbacks may do to contexts what they like.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <doca_error.h>

#include "ctx.h"
#include "debug.h"
#include "log.h"
#include "pe.h"
#include "plain.h"

LOG_SOURCE("COMMON::PE");

#define IDLE_US 20 /* a worker's wait for work, unless DOCA_IDLE_US says */
#define LOOK_TURNS 64 /* after so many, look at an idle context in any case */

doca_error_t doca_pe_create(struct doca_pe **pe)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct doca_pe *new;

	if (!given(pe))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a progress engine");
	list_init(&new->ctxs);
	list_init(&new->events);
	new->generation = driver_generation();

	new->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (new->epoll_fd < 0)
		goto err_free;
	new->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (new->event_fd < 0)
		goto err_epoll;
	if (epoll_ctl(new->epoll_fd, EPOLL_CTL_ADD, new->event_fd, &event))
		goto err_event;
	doca_priv_debug_add(new, DEBUG_PE, sizeof(*new), 1);
	LOG_DBG("progress engine %p is created", (void *)new);
	*pe = new;
	return DOCA_SUCCESS;

err_event:
	close(new->event_fd);
err_epoll:
	close(new->epoll_fd);
err_free:
	LOG_ERR("cannot create a progress engine: %s", strerror(errno));
	free(new);
	return DOCA_ERROR_OPERATING_SYSTEM;
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
	if (pe_alive(pe) && pe->worker_id) {
		driver_worker_destroy(pe->worker_id);
		driver_put();
	}
	close(pe->event_fd);
	close(pe->epoll_fd);
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

/* The removal of a device must be seen by contexts that do nothing, too. */
static bool pe_look_at_one(struct doca_pe *pe)
{
	struct doca_ctx *ctx;

	if (list_empty(&pe->ctxs) || pe->selecting)
		return false;
	ctx = list_entry(pe->ctxs.next, struct doca_ctx, link);
	list_rotate(&pe->ctxs);
	return !ctx->busy && ctx_is_failing(ctx) && ctx_progress(ctx);
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

void pe_post(struct doca_pe *pe, struct pe_event *event)
{
	list_add_tail(&pe->events, &event->link);
	pe->plain_turns = 0;
	pe_kick(pe);
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
 * If there is something to visit and nothing else to do. Then it is time for a look at
 * a context that is not visited.
 */
static void pe_allow_plain_turns(struct doca_pe *pe)
{
	pe->plain_turns = 0;
	if (!pe->next || !list_empty(&pe->events) || pe->selecting)
		return;
	pe->plain_turns = LOOK_TURNS;
	pe->turn = 0;
}

/*
 * Completions, events and the removal of devices share the turns so that none of
 * them has to wait for another to come to an end.
 */
__attribute__((noinline)) static bool pe_take_turn(struct doca_pe *pe)
{
	uint32_t turn;

	if (doca_unlikely(!driver_current(pe->generation)))
		pe_alive(pe);
	if (pe->plain_turns < 0)
		pe_allow_plain_turns(pe);
	turn = pe->turn++;
	if (turn % LOOK_TURNS == 0 && pe_look_at_one(pe))
		return true;
	if (turn % 2 && pe_deliver(pe))
		return true;
	return pe_visit_busy(pe) || pe_deliver(pe) || pe_look_at_one(pe);
}

/* Completions of plain tasks are looked for first, in those turns that allow for it. */
static inline bool pe_take_plain_turn(struct doca_pe *pe)
{
	return doca_likely(--pe->plain_turns >= 0) &&
	       plain_progress(pe_next(pe));
}

__attribute__((always_inline)) static inline bool
pe_progress(struct doca_pe *pe)
{
	bool ran;

	if (doca_unlikely(pe->in_callback))
		return false;
	pe->in_callback = true;
	ran = doca_likely(pe_take_plain_turn(pe)) || pe_take_turn(pe);
	pe->in_callback = false;
	if (doca_unlikely(!ran))
		pe->selecting = false;
	return ran;
}

/* It is polled, so once must do. */
static uint8_t progress_of_none(void)
{
	LOG_ERR_ONCE("doca_pe_progress(): invalid argument: pe is NULL or 0");
	return 0;
}

/* With what debug mode has to say about it. Apart, for the data path's sake. */
__attribute__((noinline)) static uint8_t pe_progress_checked(struct doca_pe *pe,
							     const char *func)
{
	uint8_t ran;

	if (!pe)
		return progress_of_none();
	if (!doca_priv_debug_valid(pe, DEBUG_PE, true, func) ||
	    !doca_priv_debug_enter(pe, func))
		return 0;
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

/*
 * The file descriptors are shared with the parent: to change or to signal them
 * would disturb it.
 */
bool pe_alive(struct doca_pe *pe)
{
	struct list *pos;

	if (driver_current(pe->generation))
		return true;
	if (pe->orphaned)
		return false;
	LOG_WARN("progress engine %p belongs to the parent process; its "
		 "contexts are dead here",
		 (void *)pe);
	pe->orphaned = true;
	pe->armed = false;
	list_for_each(pos, &pe->ctxs)
		ctx_orphan(list_entry(pos, struct doca_ctx, link));
	return false;
}

static doca_error_t pe_of_parent(const struct doca_pe *pe)
{
	return FAIL(BAD_STATE,
		    "progress engine %p belongs to the parent process: create "
		    "one here",
		    (const void *)pe);
}

static uint32_t idle_us(void)
{
	const char *s = secure_getenv("DOCA_IDLE_US");
	unsigned long value;
	char *end;

	if (!s || !*s)
		return IDLE_US;
	if (!strcmp(s, "never"))
		return DOCA_IDLE_NEVER;
	errno = 0;
	value = strtoul(s, &end, 10);
	if (errno || *end || *s == '-' || value >= DOCA_IDLE_NEVER) {
		LOG_WARN("DOCA_IDLE_US=%s is neither a number of microseconds "
			 "nor \"never\"; using %u",
			 s, IDLE_US);
		return IDLE_US;
	}
	return value;
}

uint32_t pe_worker(struct doca_pe *pe)
{
	uint32_t idle;
	int err;

	if (pe->worker_id || pe->no_worker)
		return pe->worker_id;
	err = driver_get();
	if (err)
		return 0;
	idle = idle_us();
	pe->patient = idle == DOCA_IDLE_NEVER;
	err = driver_worker_create(idle, &pe->worker_id);
	if (!err) {
		LOG_DBG("progress engine %p has worker %u", (void *)pe,
			pe->worker_id);
		return pe->worker_id;
	}
	driver_put();
	pe->worker_id = 0;
	pe->no_worker = true;
	if (err == -EOPNOTSUPP)
		LOG_INFO("workers are switched off by a parameter of the doca "
			 "module; tasks run in the thread that submits them");
	else
		LOG_WARN("no worker: %s; tasks run in the thread that submits "
			 "them",
			 strerror(-err));
	return 0;
}

int pe_poll_add(struct doca_pe *pe, struct doca_ctx *ctx)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll_ctl(pe->epoll_fd, EPOLL_CTL_ADD, ctx->queue.fd, &event))
		return -errno;
	ctx->polled = true;
	return 0;
}

void pe_poll_del(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (!ctx->polled)
		return;
	ctx->polled = false;
	epoll_ctl(pe->epoll_fd, EPOLL_CTL_DEL, ctx->queue.fd, NULL);
}

bool pe_watch(struct doca_pe *pe, struct doca_ctx *ctx)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (ctx->watched_fd < 0 || ctx->watching)
		return true;
	ctx->watching = !epoll_ctl(pe->epoll_fd, EPOLL_CTL_ADD, ctx->watched_fd,
				   &event);
	return ctx->watching;
}

void pe_unwatch(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (!ctx->watching)
		return;
	ctx->watching = false;
	if (driver_current(pe->generation))
		epoll_ctl(pe->epoll_fd, EPOLL_CTL_DEL, ctx->watched_fd, NULL);
}

void pe_kick(struct doca_pe *pe)
{
	if (pe->armed && driver_current(pe->generation))
		pe->kicked = !eventfd_write(pe->event_fd, 1) || pe->kicked;
}

doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle)
{
	if (!valid(pe) || !given(handle))
		return DOCA_ERROR_INVALID_VALUE;
	*handle = pe->epoll_fd;
	return DOCA_SUCCESS;
}

/* All that are started, for tasks may be submitted between this and the wait. */
doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	struct doca_ctx *ctx;
	struct list *pos;
	bool watched;

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
		watched = pe_watch(pe, ctx);
		if (ctx_arm(ctx) || !watched)
			pe_mark_notified(pe, ctx);
	}
	if (pe->nr_notified || !list_empty(&pe->events))
		pe_kick(pe);
	return DOCA_SUCCESS;
}

/*
 * Which contexts ended the wait? Those that had something when the engine was
 * armed are marked; the others' rings tell, which costs less than to ask epoll.
 * What is watched besides does not, so who watches is visited.
 */
static void pe_select(struct doca_pe *pe)
{
	struct doca_ctx *ctx;
	struct list *pos;

	list_for_each(pos, &pe->ctxs) {
		ctx = list_entry(pos, struct doca_ctx, link);
		if (ctx->watching || ctx_has_news(ctx))
			pe_mark_notified(pe, ctx);
	}
	pe->selecting = pe->nr_notified;
	pe->plain_turns = 0;
}

/* Take note of our own event, if there was one. */
static void pe_unkick(struct doca_pe *pe)
{
	eventfd_t count;

	if (!pe->kicked)
		return;
	eventfd_read(pe->event_fd, &count);
	pe->kicked = false;
}

static void pe_unwatch_all(struct doca_pe *pe)
{
	struct list *pos;

	if (!pe->nr_watches)
		return;
	list_for_each(pos, &pe->ctxs)
		pe_unwatch(pe, list_entry(pos, struct doca_ctx, link));
}

/* There is but one handle, and its value is not looked at. */
doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
					doca_notification_handle_t handle)
{
	(void)handle;
	if (!valid(pe))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(pe, return DOCA_ERROR_IN_USE);
	if (!pe_alive(pe))
		return pe_of_parent(pe);
	if (!pe->armed)
		return DOCA_SUCCESS;
	pe->armed = false;
	if (pe->event_mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL)
		pe_select(pe);
	pe_unkick(pe);
	pe_unwatch_all(pe);
	return DOCA_SUCCESS;
}
