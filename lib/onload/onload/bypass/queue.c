// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Datagrams that wait in the kernel's socket; they stay there. */
#include <errno.h>

#include "../zc.h"

/* Ask for the sender: it tells an empty datagram from none. */
int queue_peek(int fd, int flags)
{
	struct sockaddr_storage from;
	struct msghdr msg = { .msg_name = &from, .msg_namelen = sizeof(from) };

	if (real()->recvmsg(fd, &msg, MSG_PEEK | flags) < 0)
		return -errno;
	return !!msg.msg_namelen;
}

static bool has_some(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (real()->poll(&p, 1, 0) <= 0 || !(p.revents & POLLIN))
		return false;
	return p.revents & POLLERR || queue_peek(fd, MSG_DONTWAIT) > 0;
}

/*
 * poll() reports an error without clearing it, like recvmsg(). An error alone does not count, for
 * it may be in the error queue, which recvmsg() does not read. Callers hold locks, so the thread
 * must not be cancelled here.
 */
bool queue_has_some(int fd)
{
	bool some;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	some = has_some(fd);
	pthread_setcancelstate(state, NULL);
	return some;
}
