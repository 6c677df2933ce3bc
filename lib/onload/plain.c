// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "ear.h"
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

static ssize_t hear(struct sock *sock, const struct heard *h,
		    struct msghdr *msg, int flags)
{
	size_t len = copy(msg, &h->d);

	msg->msg_flags = len < h->d.length ? MSG_TRUNC : 0;
	control_name(msg, h);
	control_fill(msg, h);
	if (flags & MSG_TRUNC)
		len = h->d.length;
	if (flags & MSG_PEEK) {
		ear_put_back(sock, h);
		return len;
	}
	sock_count(sock, PAST, h->d.length);
	if (h->d.partial)
		sock_count(sock, PARTIAL, 0);
	pool_drop_chunk(h->field, h->frame.chunk);
	return len;
}

static int once(int fd, struct sock *sock, struct msghdr *msg, int flags,
		ssize_t *len)
{
	struct heard heard;

	ear_attend(fd, sock);
	if (!ear_next(sock, &heard)) {
		*len = hear(sock, &heard, msg, flags);
		return 0;
	}
	*len = real()->recvmsg(fd, msg, flags | MSG_DONTWAIT);
	return *len < 0 ? -errno : 0;
}

ssize_t plain_recvmsg(int fd, struct msghdr *msg, int flags)
{
	const struct msghdr asked = *msg;
	struct sock *sock;
	uint64_t cookie, until;
	ssize_t len;
	bool wait;
	int err;

	if (flags & (MSG_ERRQUEUE | MSG_OOB) || sock_get(fd, &sock, &cookie))
		return real()->recvmsg(fd, msg, flags);
	wait = ear_may_wait(fd, flags, &until);
	while ((err = once(fd, sock, msg, flags, &len)) == -EAGAIN && wait) {
		*msg = asked;
		err = ear_wait(fd, sock, until);
		if (err == -ETIMEDOUT)
			err = -EAGAIN;
		if (err)
			break;
	}
	if (!err)
		return len;
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
