// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The service thread of exports and imports between processes. */
#include "shim/kernel.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "conns.h"
#include "inproc.h"
#include "link.h"

/* Sockets of peers of both kinds, one side's files, the listener, and the thread's own. */
#define NR_PLACES (LINKS_MAX + 3 * INPROC_IMPORTERS_MAX + 8)
/* After a yield that takes longer, another thread has run. */
#define YIELD_NS (3 * NSEC_PER_USEC / 2)

static struct {
	pthread_mutex_t lock;
	bool running;
	bool stop;
	pthread_t thread;
	int epoll_place, poke_place;
	struct peers_watch poke;
	pthread_mutex_t forks;
	int places[NR_PLACES]; /* descriptors plus 1; 0: free */
} peers = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.forks = PTHREAD_MUTEX_INITIALIZER,
};

struct timespec peers_time(u64 until)
{
	return (struct timespec){ until / NSEC_PER_SEC, until % NSEC_PER_SEC };
}

static int fd_of(int place)
{
	return READ_ONCE(peers.places[place]) - 1;
}

void peers_hold_forks(void)
{
	pthread_mutex_lock(&peers.forks);
}

void peers_let_fork(void)
{
	pthread_mutex_unlock(&peers.forks);
}

int peers_keep(int fd)
{
	int i, none;

	for (i = 0; i < NR_PLACES; i++) {
		none = 0;
		if (__atomic_compare_exchange_n(&peers.places[i], &none, fd + 1,
						false, __ATOMIC_SEQ_CST,
						__ATOMIC_RELAXED))
			return i;
	}
	return -1;
}

int peers_socket(int *place)
{
	int fd, rc;

	peers_hold_forks();
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	rc = fd < 0 ? -errno : fd;
	*place = fd < 0 ? -1 : peers_keep(fd);
	if (fd >= 0 && *place < 0) {
		close(fd);
		rc = -EMFILE;
	}
	peers_let_fork();
	return rc;
}

void peers_close(int place)
{
	int fd = fd_of(place);

	peers_hold_forks();
	peers_forget(place);
	close(fd);
	peers_let_fork();
}

void peers_forget(int place)
{
	WRITE_ONCE(peers.places[place], 0);
}

/* Called before the driver begins anew in a child, which has no other threads. */
void peers_child(void)
{
	int i;

	for (i = 0; i < NR_PLACES; i++)
		if (peers.places[i])
			close(fd_of(i));
}

void peers_poke(void)
{
	int cancel;

	if (!smp_load_acquire(&peers.running))
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

	if (epoll_ctl(fd_of(peers.epoll_place), EPOLL_CTL_ADD, watch->fd,
		      &event))
		return -errno;
	return 0;
}

static void watch_for(struct peers_watch *watch, u32 events)
{
	struct epoll_event event = {
		.events = events,
		.data.ptr = watch,
	};

	epoll_ctl(fd_of(peers.epoll_place), EPOLL_CTL_MOD, watch->fd, &event);
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
	epoll_ctl(fd_of(peers.epoll_place), EPOLL_CTL_DEL, watch->fd, NULL);
}

static void wait_for_events(int timeout)
{
	struct epoll_event events[32];
	int i, nr;

	nr = epoll_wait(fd_of(peers.epoll_place), events, 32, timeout);
	for (i = 0; i < nr; i++) {
		struct peers_watch *watch = events[i].data.ptr;

		watch->ready(watch);
	}
}

/* Free closed objects only after the events, which may name them. */
static void *serve(void *arg)
{
	bool busy = false;
	int patience;

	while (!READ_ONCE(peers.stop)) {
		patience = max(conns_patience(), listen_patience());
		wait_for_events(busy ? 0 : patience);
		link_run();
		remote_run();
		busy = conns_run();
		conns_reap();
		link_reap_closed();
	}
	return NULL;
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

static int start(void)
{
	int rc;

	rc = make_fd(epoll_create1(EPOLL_CLOEXEC), &peers.epoll_place);
	if (rc < 0)
		return rc;
	rc = make_fd(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), &peers.poke_place);
	if (rc < 0)
		goto err_epoll;
	peers.poke = (struct peers_watch){ .fd = rc, .ready = poked };
	rc = peers_watch(&peers.poke);
	if (rc)
		goto err_poke;
	rc = -inproc_make_thread(&peers.thread, serve, NULL);
	if (rc)
		goto err_poke;
	pthread_setname_np(peers.thread, "doca-peers");
	smp_store_release(&peers.running, true);
	return 0;

err_poke:
	peers_close(peers.poke_place);
err_epoll:
	peers_close(peers.epoll_place);
	return rc;
}

int peers_start(void)
{
	int rc = 0;

	pthread_mutex_lock(&peers.lock);
	if (!peers.running)
		rc = start();
	pthread_mutex_unlock(&peers.lock);
	return rc;
}

void peers_end(void)
{
	if (!peers.running)
		return;
	WRITE_ONCE(peers.stop, true);
	peers_poke();
	pthread_join(peers.thread, NULL);
	remote_end();
	listen_end();
	link_end();
	peers_close(peers.poke_place);
	peers_close(peers.epoll_place);
	WRITE_ONCE(peers.running, false);
	WRITE_ONCE(peers.stop, false);
}
