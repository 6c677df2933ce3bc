// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The sockets of one receiver: one on each receive queue of its interface, for the card
 * distributes the frames.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "internal.h"

static void close_queues(struct xsk *xsk)
{
	struct xsk_sys_queue *queue;

	while (xsk->nr_queues) {
		queue = &xsk->queues[--xsk->nr_queues];
		sys_queue_close(queue);
		if (xsk == xsk->host)
			sys_memory_del(queue->umem);
	}
}

static int add_memory(struct xsk *xsk, uint32_t nr, struct xsk_why *why)
{
	struct xsk_sys_queue *queue = &xsk->queues[nr];
	size_t length = (size_t)xsk->slice * xsk->sizes.chunk;
	int err;

	if (xsk != xsk->host) {
		queue->umem = xsk->host->queues[nr].umem;
		return 0;
	}
	err = sys_memory_add(queue, xsk->memory + nr * length, length,
			     &xsk->sizes);
	return err ? xsk_explain(why, XSK_STEP_MEMORY, err, xsk->ifname,
				 (size_t)xsk->nr_chunks * xsk->sizes.chunk) :
		     0;
}

/*
 * After a socket was closed the kernel keeps its queue for some time: for a grace period of
 * RCU, and until a work item has run. Retry, so that a queue that was stopped can be started
 * at once.
 */
#define BIND_TRIES 50
#define BIND_PAUSE_US 10000

static int bind_queue(struct xsk *xsk, uint32_t nr, enum xsk_mode *mode,
		      struct xsk_why *why)
{
	int err, tries = 0;

	do {
		if (tries)
			usleep(BIND_PAUSE_US);
		err = sys_queue_bind(&xsk->queues[nr], xsk->ifname, nr,
				     &xsk->sizes, mode);
	} while (err == -EBUSY && ++tries < BIND_TRIES);
	return err ? xsk_explain(why, XSK_STEP_BIND, err, xsk->ifname, 0) : 0;
}

static int bind_queues(struct xsk *xsk, uint32_t nr, struct xsk_why *why)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct xsk_sys_queue *queue;
	enum xsk_mode mode;
	int err;

	xsk->mode = XSK_ZEROCOPY;
	while (xsk->nr_queues < nr) {
		queue = &xsk->queues[xsk->nr_queues];
		err = add_memory(xsk, xsk->nr_queues, why);
		if (err)
			return err;
		err = bind_queue(xsk, xsk->nr_queues, &mode, why);
		if (err && xsk == xsk->host)
			sys_memory_del(queue->umem);
		if (err)
			return err;
		xsk->nr_queues++;
		if (mode < xsk->mode)
			xsk->mode = mode;
		if (epoll_ctl(xsk->epoll_fd, EPOLL_CTL_ADD, queue->fd, &event))
			return xsk_explain(why, XSK_STEP_BIND, -errno,
					   xsk->ifname, 0);
	}
	return 0;
}

int sockets_open(struct xsk *xsk, uint32_t nr, struct xsk_why *why)
{
	int err;

	xsk->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (xsk->epoll_fd < 0)
		return xsk_explain(why, XSK_STEP_BIND, -errno, xsk->ifname, 0);
	err = bind_queues(xsk, nr, why);
	if (err)
		sockets_close(xsk);
	return err;
}

void sockets_close(struct xsk *xsk)
{
	close_queues(xsk);
	if (xsk->epoll_fd >= 0)
		close(xsk->epoll_fd);
	xsk->epoll_fd = -1;
}
