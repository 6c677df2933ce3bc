// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Calls that end or change what a file descriptor receives past the kernel. */
#include <errno.h>

#include "../bypass/bypass.h"

EXPORT int close(int fd)
{
	sock_forget(fd);
	return real()->close(fd);
}

/* Only one of two descriptors would bypass the kernel. */
static int divided(int fd, int ret)
{
	int saved = errno;
	struct sock *sock = ret >= 0 ? sock_known(fd) : NULL;
	uint64_t cookie;

	if (sock) {
		bypass_bar(fd, sock, bypass_second);
		if (!sock_get(ret, &sock, &cookie))
			bypass_bar(ret, sock, bypass_second);
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
		atomic_store(&sock->bypass->changed, true);
	return ret;
}

/* Follows groups, and options that a bypass does not have. */
EXPORT int setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len)
{
	int ret = real()->setsockopt(fd, level, name, value, len);
	int saved = errno;
	uint64_t cookie;
	struct sock *s;

	if (ret)
		return ret;
	if (group_is_of(level, name)) {
		if (!sock_get(fd, &s, &cookie))
			group_change(fd, s, level, name, value, len);
	} else {
		s = sock_known(fd);
		if (s)
			atomic_store(&s->bypass->changed, true);
	}
	errno = saved;
	return 0;
}
