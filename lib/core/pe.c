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
#include "log.h"
#include "pe.h"

LOG_SOURCE("COMMON::PE");

#define IDLE_US 20 /* a worker's wait for work, unless DOCA_IDLE_US says */

doca_error_t doca_pe_create(struct doca_pe **pe)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct doca_pe *new;

	if (!pe)
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	list_init(&new->ctxs);
	list_init(&new->busy);
	new->generation = driver_generation();

	new->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (new->epoll_fd < 0)
		goto err_free;
	new->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (new->event_fd < 0)
		goto err_epoll;
	if (epoll_ctl(new->epoll_fd, EPOLL_CTL_ADD, new->event_fd, &event))
		goto err_event;
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

doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
	if (!pe)
		return DOCA_ERROR_INVALID_VALUE;
	if (pe->in_callback || !list_empty(&pe->ctxs)) {
		LOG_ERR("cannot destroy progress engine %p: %s", (void *)pe,
			pe->in_callback ? "it is calling this function" :
					  "contexts are connected to it; "
					  "destroy them first");
		return DOCA_ERROR_IN_USE;
	}
	if (pe_alive(pe) && pe->worker_id) {
		driver_worker_destroy(pe->worker_id);
		driver_put();
	}
	close(pe->event_fd);
	close(pe->epoll_fd);
	free(pe);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (!pe || !ctx)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->pe) {
		LOG_ERR("cannot connect %s %p: it is connected already",
			ctx->ops->name, (void *)ctx);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	ctx->pe = pe;
	list_add_tail(&pe->ctxs, &ctx->link);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
					    size_t *num_inflight_tasks)
{
	struct list *pos;
	size_t num = 0;

	if (!pe || !num_inflight_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	list_for_each(pos, &pe->ctxs)
		num += list_entry(pos, struct doca_ctx, link)->inflight;
	*num_inflight_tasks = num;
	return DOCA_SUCCESS;
}

/*
 * Both modes come to the same here: to look whether a context has something
 * costs no more than to remember which were notified.
 */
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
				    enum doca_pe_event_mode event_mode)
{
	if (!pe || (unsigned int)event_mode > DOCA_PE_EVENT_MODE_PROGRESS_ALL)
		return DOCA_ERROR_INVALID_VALUE;
	pe->event_mode = event_mode;
	return DOCA_SUCCESS;
}

/* The removal of a device must be seen by contexts that do nothing, too. */
static bool pe_look_at_one(struct doca_pe *pe)
{
	struct doca_ctx *ctx;

	if (list_empty(&pe->ctxs))
		return false;
	ctx = list_entry(pe->ctxs.next, struct doca_ctx, link);
	list_rotate(&pe->ctxs);
	return !ctx->busy && ctx_is_failing(ctx) && ctx_progress(ctx);
}

/* Each iteration moves one context to the end or out of the list. */
static bool pe_visit_busy(struct doca_pe *pe)
{
	struct doca_ctx *ctx;
	uint32_t n;

	for (n = pe->nr_busy; n; n--) {
		ctx = list_entry(pe->busy.next, struct doca_ctx, busy_link);
		list_rotate(&pe->busy);
		if (ctx_progress(ctx))
			return true;
		if (!ctx_wants_visits(ctx))
			pe_unvisit(pe, ctx);
	}
	return false;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	bool ran;

	if (doca_unlikely(!pe || pe->in_callback))
		return 0;
	if (doca_unlikely(!driver_current(pe->generation)))
		pe_alive(pe);

	pe->in_callback = true;
	ran = pe_visit_busy(pe) || pe_look_at_one(pe);
	pe->in_callback = false;
	return ran;
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
	int err;

	if (pe->worker_id || pe->no_worker)
		return pe->worker_id;
	err = driver_get();
	if (err)
		return 0;
	err = driver_worker_create(idle_us(), &pe->worker_id);
	if (!err)
		return pe->worker_id;
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

void pe_kick(struct doca_pe *pe)
{
	if (pe->armed && driver_current(pe->generation))
		eventfd_write(pe->event_fd, 1);
}

doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle)
{
	if (!pe || !handle)
		return DOCA_ERROR_INVALID_VALUE;
	*handle = pe->epoll_fd;
	return DOCA_SUCCESS;
}

/* All that are started, for tasks may be submitted between this and the wait. */
doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	bool pending = false;
	struct list *pos;

	if (!pe)
		return DOCA_ERROR_INVALID_VALUE;
	if (!pe_alive(pe))
		return DOCA_ERROR_BAD_STATE;
	pe->armed = true;
	list_for_each(pos, &pe->ctxs)
		if (ctx_arm(list_entry(pos, struct doca_ctx, link)))
			pending = true;
	if (pending)
		pe_kick(pe);
	return DOCA_SUCCESS;
}

/* There is but one handle, and its value is not looked at. */
doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
					doca_notification_handle_t handle)
{
	eventfd_t count;

	(void)handle;
	if (!pe)
		return DOCA_ERROR_INVALID_VALUE;
	if (!pe_alive(pe))
		return DOCA_ERROR_BAD_STATE;
	pe->armed = false;
	eventfd_read(pe->event_fd, &count);
	return DOCA_SUCCESS;
}
