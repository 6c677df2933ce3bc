// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What ends or changes what a file descriptor hears past the kernel. */
#include <errno.h>

#include "ear.h"

EXPORT int close(int fd)
{
	sock_forget(fd);
	return real()->close(fd);
}

/* Of two descriptors only one would hear. */
static int divided(int fd, int ret)
{
	int saved = errno;
	struct sock *sock = ret >= 0 ? sock_known(fd) : NULL;
	uint64_t cookie;

	if (sock) {
		ear_bar(fd, sock, ear_second);
		if (!sock_get(ret, &sock, &cookie))
			ear_bar(ret, sock, ear_second);
	}
	errno = saved;
	return ret;
}

EXPORT int dup(int fd)
{
	return divided(fd, real()->dup(fd));
}

EXPORT int dup2(int fd, int to)
{
	if (fd != to)
		sock_forget(to);
	return fd == to ? real()->dup2(fd, to) :
			  divided(fd, real()->dup2(fd, to));
}

EXPORT int dup3(int fd, int to, int flags)
{
	if (fd != to)
		sock_forget(to);
	return divided(fd, real()->dup3(fd, to, flags));
}

EXPORT int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	const int ret = real()->connect(fd, addr, len);
	struct sock *sock = sock_known(fd);

	if (sock)
		atomic_store(&sock->ear->changed, true);
	return ret;
}
