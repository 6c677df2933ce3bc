// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "../bypass/bypass.h"
#include "plain.h"

static size_t copy(const struct msghdr *msg, const struct datagram *d)
{
	const char *from = d->data;
	size_t left = d->length;

	for (size_t i = 0; i < msg->msg_iovlen && left; i++) {
		const struct iovec *iov = &msg->msg_iov[i];
		const size_t part = left < iov->iov_len ? left : iov->iov_len;

		if (part)
			memcpy(iov->iov_base, from, part);
		from += part;
		left -= part;
	}
	return d->length - left;
}

/* A call of recvmsg(), and what it returns. */
struct plain {
	struct msghdr *msg;
	int flags;
	ssize_t len;
};

static void tell(const struct received *h, void *arg)
{
	struct plain *p = arg;

	p->len = copy(p->msg, &h->d);
	p->msg->msg_flags = (size_t)p->len < h->d.length ? MSG_TRUNC : 0;
	control_name(p->msg, h);
	control_fill(p->msg, h);
	if (p->flags & MSG_TRUNC)
		p->len = h->d.length;
}

/* Take a datagram from the bypass, or return -EAGAIN. */
static int take_past(struct sock *sock, struct plain *p)
{
	struct received h;
	int err;

	if (p->flags & MSG_PEEK)
		return bypass_peek(sock, tell, p);
	err = bypass_next(sock, &h);
	if (err)
		return err;
	tell(&h, p);
	stats_count(atomic_load(&sock->stats), PAST, h.d.length);
	if (h.d.partial)
		stats_count(atomic_load(&sock->stats), PARTIAL, 0);
	pool_drop_chunk(h.field, h.frame.chunk);
	return 0;
}

static int once(int fd, struct sock *sock, struct plain *p)
{
	bypass_attend(fd, sock);
	if (!take_past(sock, p))
		return 0;
	p->len = real()->recvmsg(fd, p->msg, p->flags | MSG_DONTWAIT);
	if (p->len < 0)
		return -errno;
	bypass_resume(fd, sock);
	return 0;
}

ssize_t plain_recvmsg(int fd, struct msghdr *msg, int flags)
{
	struct plain p = { .msg = msg, .flags = flags };
	const struct msghdr asked = *msg;
	struct sock *sock;
	uint64_t cookie, until;
	bool wait;
	int err;

	if (flags & (MSG_ERRQUEUE | MSG_OOB) || sock_get(fd, &sock, &cookie))
		return real()->recvmsg(fd, msg, flags);
	wait = bypass_may_wait(fd, flags, &until);
	while ((err = once(fd, sock, &p)) == -EAGAIN && wait) {
		*msg = asked;
		err = bypass_wait(fd, sock, until);
		if (err == -ESHUTDOWN)
			return real()->recvmsg(fd, msg, flags);
		if (err == -ETIMEDOUT)
			err = -EAGAIN;
		if (err)
			break;
	}
	if (!err)
		return p.len;
	errno = -err;
	return -1;
}

static bool is_over(const struct timespec *timeout, uint64_t begun)
{
	return timeout && now() - begun >= timeout->tv_sec * 1000000000ull +
						   timeout->tv_nsec;
}

int plain_recvmmsg(int fd, struct mmsghdr *msgs, unsigned int nr, int flags,
		   const struct timespec *timeout)
{
	const uint64_t begun = now();
	int each = flags & ~MSG_WAITFORONE;
	unsigned int n;
	ssize_t len;

	for (n = 0; n < nr; n++) {
		len = plain_recvmsg(fd, &msgs[n].msg_hdr, each);
		if (len < 0)
			break;
		msgs[n].msg_len = len;
		if (flags & MSG_WAITFORONE)
			each |= MSG_DONTWAIT;
		if (is_over(timeout, begun)) {
			n++;
			break;
		}
	}
	return n ? (int)n : nr ? -1 : 0;
}
