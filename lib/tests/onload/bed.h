/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Sockets on the loopback interface, and a callback that notes its arguments. */
#ifndef DOCA_TESTS_ONLOAD_BED_H
#define DOCA_TESTS_ONLOAD_BED_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#include "ktap.h"

#define LIMIT 100 /* buffers that a program may keep */
#define DATAGRAM_MAX 65507
#define INLINE (ONLOAD_MSG_RECV_OS_INLINE | ONLOAD_MSG_DONTWAIT)

static FILE *lines_file;

/* Runs before the library reads the environment; opens a file for its log. */
__attribute__((constructor)) static void bed_init(void)
{
	setenv("DOCA_ZC_BUFFERS", "100", 1);
	lines_file = tmpfile();
	if (!lines_file)
		abort();
}

/* Return the lines that the library logs while @run runs. */
static inline const char *lines_of(void (*run)(void))
{
	static char text[4096];
	int saved = dup(STDERR_FILENO);
	size_t n;

	if (ftruncate(fileno(lines_file), 0) || lseek(fileno(lines_file), 0, SEEK_SET) ||
	    dup2(fileno(lines_file), STDERR_FILENO) < 0)
		abort();
	run();
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = pread(fileno(lines_file), text, sizeof(text) - 1, 0);
	text[n] = '\0';
	return text;
}

/* A receiver and its sender. */
struct pair {
	int rx, tx;
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} to;
	socklen_t to_len;
};

static inline struct pair pair_of(int family)
{
	struct pair p = { .to.any.sa_family = family,
			  .to_len = family == AF_INET ? sizeof(struct sockaddr_in) :
							sizeof(struct sockaddr_in6) };
	const int size = 1 << 20;

	if (family == AF_INET)
		p.to.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		p.to.in6.sin6_addr = in6addr_loopback;
	p.rx = socket(family, SOCK_DGRAM, 0);
	p.tx = socket(family, SOCK_DGRAM, 0);
	setsockopt(p.rx, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	setsockopt(p.tx, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	if (bind(p.rx, &p.to.any, p.to_len) || getsockname(p.rx, &p.to.any, &p.to_len)) {
		close(p.rx);
		p.rx = -1;
	}
	return p;
}

static inline struct pair pair(void)
{
	return pair_of(AF_INET);
}

static inline void end(struct pair *p)
{
	close(p->rx);
	close(p->tx);
}

static inline void say(struct pair *p, const void *data, size_t len)
{
	EXPECT_EQ(sendto(p->tx, data, len, 0, &p->to.any, p->to_len), len);
}

/* Arguments that a callback has got, and its result. */
struct notes {
	int fd;
	unsigned int calls;
	int flags; /* flags of the last call */
	int rc;
	onload_zc_handle first;
	const unsigned char *at; /* first byte of the first datagram */
	unsigned int parts;
	size_t len;
	int msg_flags;
	socklen_t name_len;
	size_t control_len;
	unsigned char data[DATAGRAM_MAX];
};

static enum onload_zc_callback_rc note(struct onload_zc_recv_args *args, int flags)
{
	struct notes *n = args->user_ptr;

	n->calls++;
	n->flags = flags;
	n->first = args->msg.iov[0].buf;
	n->at = args->msg.iov[0].iov_base;
	n->parts = args->msg.msghdr.msg_iovlen;
	n->msg_flags = args->msg.msghdr.msg_flags;
	n->name_len = args->msg.msghdr.msg_namelen;
	n->control_len = args->msg.msghdr.msg_controllen;
	n->len = 0;
	for (unsigned int i = 0; i < n->parts; i++) {
		memcpy(n->data + n->len, args->msg.iov[i].iov_base, args->msg.iov[i].iov_len);
		n->len += args->msg.iov[i].iov_len;
	}
	return n->rc;
}

/* Fields that must not be read have no valid address. */
static struct onload_zc_recv_args args_of(struct notes *n, int flags)
{
	return (struct onload_zc_recv_args){
		.msg.iov = (void *)1,
		.msg.msghdr.msg_iov = (void *)1,
		.msg.msghdr.msg_iovlen = 77,
		.cb = note,
		.user_ptr = n,
		.flags = flags,
	};
}

static inline int zc_recv(int fd, struct notes *n, int flags)
{
	struct onload_zc_recv_args args = args_of(n, flags);

	n->fd = fd;
	return onload_zc_recv(fd, &args);
}

/* Count the free buffers by taking all of them. */
static inline unsigned int nr_free(int fd)
{
	static struct onload_zc_iovec iov[LIMIT];
	onload_zc_handle bufs[LIMIT];
	unsigned int n = 0;

	while (n < LIMIT && !onload_zc_alloc_buffers(fd, &iov[n], 1, 0)) {
		bufs[n] = iov[n].buf;
		n++;
	}
	EXPECT_EQ(onload_zc_release_buffers(fd, bufs, n), 0);
	return n;
}

#endif /* DOCA_TESTS_ONLOAD_BED_H */
