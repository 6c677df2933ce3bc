/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Ways to wait for a datagram and to receive it, for a program whose socket also receives
 * past the kernel. Each returns 0 or a negative errno: -EAGAIN if none came for two
 * seconds.
 */
#ifndef DOCA_SELFTESTS_API_ZC_WAYS_H
#define DOCA_SELFTESTS_API_ZC_WAYS_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define WAYS_MAX 65507
#define WAYS_PATIENCE_MS 2000

static void ways_note(const uint8_t *data, uint32_t len);

static uint8_t ways_data[WAYS_MAX + 1];

static int ways_got(ssize_t len)
{
	if (len < 0)
		return -errno;
	ways_note(ways_data, len);
	return 0;
}

static int way_recv(int fd)
{
	return ways_got(recv(fd, ways_data, sizeof(ways_data), MSG_DONTWAIT));
}

static int way_read(int fd)
{
	return ways_got(read(fd, ways_data, sizeof(ways_data)));
}

static int way_recvmsg(int fd)
{
	struct iovec iov[2] = { { ways_data, 40 },
				{ ways_data + 40, sizeof(ways_data) - 40 } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	return ways_got(recvmsg(fd, &msg, 0));
}

/* Wait and ask for the length, like a program that makes room first. */
static int way_peek(int fd)
{
	int length = -1;

	if (recv(fd, ways_data, 1, MSG_PEEK) < 0)
		return -errno;
	if (ioctl(fd, FIONREAD, &length) || length < 0 || length > WAYS_MAX)
		return -EPROTO;
	return way_recv(fd);
}

static int way_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, WAYS_PATIENCE_MS) == 1 ? way_recv(fd) : -EAGAIN;
}

static int way_select(int fd)
{
	struct timeval limit = { .tv_sec = WAYS_PATIENCE_MS / 1000 };
	fd_set in;

	FD_ZERO(&in);
	FD_SET(fd, &in);
	return select(fd + 1, &in, NULL, NULL, &limit) == 1 ? way_recv(fd) : -EAGAIN;
}

static int ways_epoll = -1;

/* The first call adds the socket. */
static void ways_watch(int fd, uint32_t events)
{
	struct epoll_event event = { .events = EPOLLIN | events, .data.u64 = 0x1234567890ull };
	bool first = ways_epoll < 0;

	if (first)
		ways_epoll = epoll_create1(0);
	epoll_ctl(ways_epoll, first ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
}

static int ways_wait(void)
{
	struct epoll_event event;

	if (epoll_wait(ways_epoll, &event, 1, WAYS_PATIENCE_MS) != 1)
		return -EAGAIN;
	return event.data.u64 == 0x1234567890ull && event.events == EPOLLIN ? 0 : -EPROTO;
}

static int way_epoll(int fd)
{
	if (ways_epoll < 0)
		ways_watch(fd, 0);
	return ways_wait() ?: way_recv(fd);
}

static int way_edge(int fd)
{
	int err;

	if (ways_epoll < 0)
		ways_watch(fd, EPOLLET);
	err = ways_wait();
	if (err)
		return err;
	while (!(err = way_recv(fd)))
		;
	return err == -EAGAIN ? 0 : err;
}

static int way_oneshot(int fd)
{
	ways_watch(fd, EPOLLONESHOT);
	return ways_wait() ?: way_recv(fd);
}

static const struct way {
	const char *name;
	int (*receive)(int fd);
} ways[] = {
	{ "read", way_read },	  { "recvmsg", way_recvmsg }, { "peek", way_peek },
	{ "poll", way_poll },	  { "select", way_select },   { "epoll", way_epoll },
	{ "edge", way_edge },	  { "oneshot", way_oneshot },
};

static const struct way *way_named(const char *name)
{
	for (unsigned int i = 0; name && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	return NULL;
}

#endif /* DOCA_SELFTESTS_API_ZC_WAYS_H */
