// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Places: descriptors that a child of a fork closes before its driver begins anew. */
#include "shim/kernel.h"

#include <sys/socket.h>

#include "channel.h"
#include "inproc.h"
#include "link.h"
#include "peers.h"
#include "servers.h"

/*
 * Sockets to exporters and importers, files of importers, connections of the communication
 * channel, its servers with their locks, the listener and the service thread.
 */
#define NR_PLACES                                              \
	(LINKS_MAX + 3 * INPROC_IMPORTERS_MAX + CHANNELS_MAX + \
	 2 * SERVERS_MAX + 8)

static struct {
	pthread_mutex_t forks;
	int fds[NR_PLACES]; /* descriptor + 1; 0 if free */
} places = {
	.forks = PTHREAD_MUTEX_INITIALIZER,
};

static int fd_of(int place)
{
	return READ_ONCE(places.fds[place]) - 1;
}

void peers_hold_forks(void)
{
	pthread_mutex_lock(&places.forks);
}

void peers_let_fork(void)
{
	pthread_mutex_unlock(&places.forks);
}

int peers_keep(int fd)
{
	int i, none;

	for (i = 0; i < NR_PLACES; i++) {
		none = 0;
		if (__atomic_compare_exchange_n(&places.fds[i], &none, fd + 1,
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

int peers_accept(int listening, int *place)
{
	int fd;

	peers_hold_forks();
	fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	*place = fd < 0 ? -1 : peers_keep(fd);
	if (fd >= 0 && *place < 0) {
		close(fd);
		errno = EMFILE;
	}
	peers_let_fork();
	return *place < 0 ? -1 : fd;
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
	WRITE_ONCE(places.fds[place], 0);
}

/* Called before the driver begins anew in a child, which has no other threads. */
void peers_child(void)
{
	int i;

	for (i = 0; i < NR_PLACES; i++)
		if (places.fds[i])
			close(fd_of(i));
}
