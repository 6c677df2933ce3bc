// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The descriptor that a program waits for: an epoll of the queues and of an event of our
 * own and, during a wait, of the descriptors that contexts watch and of a timer.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "pe.h"

#define NS_PER_SEC 1000000000ull

int pe_open(struct doca_pe *pe)
{
	struct epoll_event event = { .events = EPOLLIN };
	int err;

	pe->timer_fd = -1;
	pe->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (pe->epoll_fd < 0)
		return -errno;
	pe->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (pe->event_fd < 0)
		goto err_epoll;
	if (epoll_ctl(pe->epoll_fd, EPOLL_CTL_ADD, pe->event_fd, &event))
		goto err_event;
	return 0;

err_event:
	err = -errno;
	close(pe->event_fd);
	close(pe->epoll_fd);
	return err;
err_epoll:
	err = -errno;
	close(pe->epoll_fd);
	return err;
}

void pe_close(struct doca_pe *pe)
{
	if (pe->timer_fd >= 0)
		close(pe->timer_fd);
	close(pe->event_fd);
	close(pe->epoll_fd);
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

bool pe_watch(struct doca_pe *pe, struct ctx_watch *watch)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (watch->fd < 0 || watch->armed)
		return true;
	watch->armed =
		!epoll_ctl(pe->epoll_fd, EPOLL_CTL_ADD, watch->fd, &event);
	return watch->armed;
}

void pe_unwatch(struct doca_pe *pe, struct ctx_watch *watch)
{
	if (!watch->armed)
		return;
	watch->armed = false;
	if (driver_current(pe->generation))
		epoll_ctl(pe->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
}

static int pe_make_timer(struct doca_pe *pe)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd < 0)
		return fd;
	if (epoll_ctl(pe->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
		close(fd);
		return -1;
	}
	return fd;
}

static uint64_t first_deadline(const struct doca_pe *pe)
{
	uint64_t first = 0, ns;
	struct list *pos;

	list_for_each(pos, &pe->ctxs) {
		ns = list_entry(pos, struct doca_ctx, link)->deadline;
		if (ns && (!first || ns < first))
			first = ns;
	}
	return first;
}

static bool pe_set_timer(struct doca_pe *pe, uint64_t ns)
{
	const struct itimerspec at = {
		.it_value = { .tv_sec = ns / NS_PER_SEC,
			      .tv_nsec = ns % NS_PER_SEC },
	};

	pe->timed =
		!timerfd_settime(pe->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
	return pe->timed;
}

bool pe_arm_timer(struct doca_pe *pe)
{
	uint64_t first = first_deadline(pe);

	if (!first && !pe->timed)
		return true;
	if (pe->timer_fd < 0)
		pe->timer_fd = pe_make_timer(pe);
	return pe_set_timer(pe, first);
}

/* Clears an expiry as well. */
void pe_disarm_timer(struct doca_pe *pe)
{
	if (!pe->timed)
		return;
	pe_set_timer(pe, 0);
	pe->timed = false;
}

void pe_kick(struct doca_pe *pe)
{
	if (pe->armed && driver_current(pe->generation))
		pe->kicked = !eventfd_write(pe->event_fd, 1) || pe->kicked;
}

void pe_unkick(struct doca_pe *pe)
{
	eventfd_t count;

	if (!pe->kicked)
		return;
	eventfd_read(pe->event_fd, &count);
	pe->kicked = false;
}

void pe_post(struct doca_pe *pe, struct pe_event *event)
{
	list_add_tail(&pe->events, &event->link);
	pe->short_turns = 0;
	pe_kick(pe);
}
