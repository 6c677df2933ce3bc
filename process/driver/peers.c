// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Watches of descriptors for the service thread, and other ways to end its sleep. */
#include "shim/kernel.h"

#include <sys/eventfd.h>

#include "peers.h"

/* After a yield that takes longer, another thread has run. */
#define YIELD_NS (3 * NSEC_PER_USEC / 2)

static struct {
	bool open;
	int epoll, epoll_place;
	struct peers_watch poke;
	int poke_place;
} peers;

void peers_poke(void)
{
	int cancel;

	if (!smp_load_acquire(&peers.open))
		return;
	cancel = inproc_hold_cancel();
	eventfd_write(peers.poke.fd, 1);
	inproc_let_cancel(cancel);
}

bool peers_yield(void)
{
	u64 before = local_clock();

	sched_yield();
	return local_clock() - before > YIELD_NS;
}

static void poked(struct peers_watch *watch)
{
	eventfd_t count;

	eventfd_read(watch->fd, &count);
}

int peers_watch(struct peers_watch *watch)
{
	struct epoll_event event = {
		.events = EPOLLIN,
		.data.ptr = watch,
	};

	if (epoll_ctl(peers.epoll, EPOLL_CTL_ADD, watch->fd, &event))
		return -errno;
	return 0;
}

static void watch_for(struct peers_watch *watch, u32 events)
{
	struct epoll_event event = {
		.events = events,
		.data.ptr = watch,
	};

	epoll_ctl(peers.epoll, EPOLL_CTL_MOD, watch->fd, &event);
}

void peers_watch_room(struct peers_watch *watch, bool room)
{
	watch_for(watch, room ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void peers_watch_pause(struct peers_watch *watch, bool pause)
{
	watch_for(watch, pause ? 0 : EPOLLIN);
}

void peers_unwatch(struct peers_watch *watch)
{
	epoll_ctl(peers.epoll, EPOLL_CTL_DEL, watch->fd, NULL);
}

void peers_wait(int timeout)
{
	struct epoll_event events[32];
	int i, nr;

	nr = epoll_wait(peers.epoll, events, 32, timeout);
	for (i = 0; i < nr; i++) {
		struct peers_watch *watch = events[i].data.ptr;

		watch->ready(watch);
	}
}

static int make_fd(int fd, int *place)
{
	if (fd < 0)
		return -errno;
	*place = peers_keep(fd);
	if (*place >= 0)
		return fd;
	close(fd);
	return -EMFILE;
}

int peers_open(void)
{
	int rc;

	rc = make_fd(epoll_create1(EPOLL_CLOEXEC), &peers.epoll_place);
	if (rc < 0)
		return rc;
	peers.epoll = rc;
	rc = make_fd(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), &peers.poke_place);
	if (rc < 0)
		goto err_epoll;
	peers.poke = (struct peers_watch){ .fd = rc, .ready = poked };
	rc = peers_watch(&peers.poke);
	if (rc)
		goto err_poke;
	smp_store_release(&peers.open, true);
	return 0;

err_poke:
	peers_close(peers.poke_place);
err_epoll:
	peers_close(peers.epoll_place);
	return rc;
}

void peers_shut(void)
{
	WRITE_ONCE(peers.open, false);
	peers_close(peers.poke_place);
	peers_close(peers.epoll_place);
}
