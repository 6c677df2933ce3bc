// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Find the socket of a file descriptor, from the first call for it on. */
#include <errno.h>
#include <netinet/in.h>

#include "../zc.h"

static int option(int fd, int name)
{
	socklen_t len = sizeof(int);
	int value;

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? -1 : value;
}

static bool is_udp(int fd)
{
	const int domain = option(fd, SO_DOMAIN);

	return (domain == AF_INET || domain == AF_INET6) &&
	       option(fd, SO_TYPE) == SOCK_DGRAM &&
	       option(fd, SO_PROTOCOL) == IPPROTO_UDP;
}

/* Joining a group is seen in setsockopt(). */
static void look_at_address(int fd, struct sock *s)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} addr = {};
	socklen_t len = sizeof(addr);
	bool multicast;

	if (getsockname(fd, &addr.any, &len) || !addr.in.sin_port)
		return;
	multicast = addr.any.sa_family == AF_INET6 ?
			    IN6_IS_ADDR_MULTICAST(&addr.in6.sin6_addr) :
			    IN_MULTICAST(ntohl(addr.in.sin_addr.s_addr));
	if (multicast)
		atomic_store(&s->multicast, true);
	atomic_store(&s->bound, true);
}

/* The first call for a socket, or in a child. */
static int look(int fd, uint64_t cookie, struct sock **sock)
{
	int err;

	if (!is_udp(fd))
		return -ESOCKTNOSUPPORT;
	err = fork_watch();
	return err ? err : sock_make(fd, cookie, sock);
}

int sock_get(int fd, struct sock **sock, uint64_t *cookie)
{
	struct sock *s;
	int err;

	err = sock_cookie(fd, cookie);
	if (err == -EOPNOTSUPP || err == -ENOPROTOOPT)
		return -ESOCKTNOSUPPORT;
	if (err)
		return err;
	s = sock_find(fd, *cookie);
	if (!s) {
		err = look(fd, *cookie, &s);
		if (err)
			return err;
	}
	if (!atomic_load(&s->bound))
		look_at_address(fd, s);
	*sock = s;
	return 0;
}
