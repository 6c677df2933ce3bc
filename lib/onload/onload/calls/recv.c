// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * onload_zc_recv(). There are two queues, the kernel's socket and its bypass: datagrams are
 * taken from them one at a time, each when it is delivered. So datagrams that a callback does
 * not want stay where poll(), recv() and other threads look for them.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../bypass/bypass.h"

#define SPIN_NS 50000

/* Sockets whose callbacks this thread is in, the innermost first. */
struct frame {
	uint64_t cookie;
	const struct frame *outer;
};

PER_THREAD const struct frame *frames;

/*
 * A call
 *
 * @name, @name_len, @control, @control_len: the program's room
 * @may_copy: datagrams of the kernel may be delivered
 * @head: the received datagram's
 * @from: its sender
 * @more: the bypass has another datagram behind it
 * @owed: buffers that were taken back, but not yet given to the kernel
 */
struct call {
	int fd;
	bool may_wait;
	bool may_copy;
	struct sock *sock;
	struct onload_zc_recv_args *args;
	onload_zc_recv_callback cb;
	void *name;
	socklen_t name_len;
	void *control;
	size_t control_len;
	struct msghdr head;
	struct sockaddr_storage from;
	struct onload_zc_iovec iov[BUFFERS_MAX];
	unsigned int nr_iov;
	bool more;
	unsigned int owed;
};

/* Wait in slices, to renew the lease. -EAGAIN also if the bypass has datagrams. */
static int wait_for_both(const struct call *c)
{
	uint64_t end;
	const bool may_wait = bypass_may_wait(c->fd, 0, &end);
	int ret;

	for (;;) {
		bypass_attend(c->fd, c->sock);
		if (bypass_pending(c->sock))
			return -EAGAIN;
		ret = queue_peek(c->fd, MSG_DONTWAIT);
		if (ret != -EAGAIN || !may_wait)
			return ret;
		ret = bypass_wait(c->fd, c->sock, end);
		if (ret == -ESHUTDOWN)
			return queue_peek(c->fd, 0);
		if (ret)
			return ret == -ETIMEDOUT ? -EAGAIN : ret;
	}
}

/* Like queue_peek(), for the first datagram of a call. */
static int wait_for(const struct call *c)
{
	uint64_t end;
	int ret;

	if (!c->may_wait)
		return queue_peek(c->fd, MSG_DONTWAIT);
	if (bypass_is_live(c->sock->bypass))
		return wait_for_both(c);
	if (spin_wanted()) {
		end = now() + SPIN_NS;
		do {
			ret = queue_peek(c->fd, MSG_DONTWAIT);
		} while (ret == -EAGAIN && now() < end);
		if (ret != -EAGAIN)
			return ret;
	}
	return queue_peek(c->fd, 0);
}

/*
 * Receive one datagram, if there is one. The thread is not cancelled with buffers in its
 * hands. Return 0, -ENOBUFS or the error of recvmsg().
 */
static int take_from_kernel(struct call *c)
{
	struct landing landing;
	int err, state;
	ssize_t len;

	err = pool_land(&landing, &c->sock->quota);
	if (err)
		return err;
	c->head = (struct msghdr){
		.msg_name = &c->from,
		.msg_namelen = sizeof(c->from),
		.msg_iov = landing.vec,
		.msg_iovlen = BUFFERS_MAX,
		.msg_control = c->control,
		.msg_controllen = c->control_len,
	};
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	len = real()->recvmsg(c->fd, &c->head, MSG_DONTWAIT);
	err = len < 0 ? -errno : 0;
	if (err)
		pool_cancel(&landing);
	else
		c->nr_iov =
			pool_deliver(&landing, len, c->iov, &c->sock->quota);
	pthread_setcancelstate(state, NULL);
	if (!err)
		stats_count(atomic_load(&c->sock->stats), DATAGRAM, len);
	return err;
}

/* Take a datagram from the bypass, in place. Return 0, -EAGAIN or -ENOBUFS. */
static int take_past(struct call *c)
{
	struct received received;

	if (!pool_may_keep(&c->sock->quota)) {
		bypass_lapse(c->sock);
		return bypass_pending(c->sock) ? -ENOBUFS : -EAGAIN;
	}
	if (bypass_next(c->sock, &received))
		return -EAGAIN;
	c->more = received.more;
	pool_deliver_chunk(received.field, received.frame.chunk,
			   received.d.data, received.d.length, c->iov,
			   &c->sock->quota);
	c->nr_iov = 1;
	c->head = (struct msghdr){
		.msg_name = &c->from,
		.msg_namelen = sizeof(c->from),
		.msg_control = c->control,
		.msg_controllen = c->control_len,
	};
	control_name(&c->head, &received);
	control_fill(&c->head, &received);
	stats_count(atomic_load(&c->sock->stats), PAST, received.d.length);
	if (received.d.partial)
		stats_count(atomic_load(&c->sock->stats), PARTIAL, 0);
	return 0;
}

static int take(struct call *c)
{
	int err;

	c->more = false;
	err = take_past(c);

	if (err != -EAGAIN)
		return err;
	return c->may_copy ? take_from_kernel(c) : -EAGAIN;
}

/*
 * Return true if another datagram is queued. poll() reports an error without clearing it,
 * like recvmsg(). @clear: set if there is none
 */
static bool is_more(const struct call *c, bool *clear)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN | POLLRDHUP };
	bool ready;

	*clear = false;
	if (c->more || bypass_pending(c->sock))
		return true;
	ready = real()->poll(&p, 1, 0) > 0;
	*clear = !ready || !(p.revents & POLLIN);
	/* after shutdown() it is always ready */
	if (ready && p.revents & POLLRDHUP)
		*clear = queue_peek(c->fd, MSG_DONTWAIT) <= 0;
	return c->may_copy && !*clear && !(p.revents & POLLERR);
}

/* Look at its destination, if the program has asked for that, or at what the socket may get. */
static bool is_shared(const struct call *c)
{
	struct msghdr *head = (struct msghdr *)&c->head;
	struct cmsghdr *cmsg;

	for (cmsg = CMSG_FIRSTHDR(head); cmsg; cmsg = CMSG_NXTHDR(head, cmsg)) {
		if (cmsg->cmsg_level == IPPROTO_IP &&
		    cmsg->cmsg_type == IP_PKTINFO) {
			struct in_pktinfo info;

			memcpy(&info, CMSG_DATA(cmsg), sizeof(info));
			return IN_MULTICAST(ntohl(info.ipi_addr.s_addr));
		}
		if (cmsg->cmsg_level == IPPROTO_IPV6 &&
		    cmsg->cmsg_type == IPV6_PKTINFO) {
			struct in6_pktinfo info;

			memcpy(&info, CMSG_DATA(cmsg), sizeof(info));
			return IN6_IS_ADDR_MULTICAST(&info.ipi6_addr);
		}
	}
	return atomic_load(&c->sock->multicast);
}

/* Fill in what the callback sees; nothing may be left from an earlier one. */
static void fill_in(struct call *c)
{
	struct onload_zc_msg *msg = &c->args->msg;
	const socklen_t len = c->head.msg_namelen;

	msg->iov = c->iov;
	msg->msghdr.msg_iovlen = c->nr_iov;
	msg->msghdr.msg_flags = c->head.msg_flags;
	msg->msghdr.msg_name = c->name;
	msg->msghdr.msg_namelen = c->name ? len : 0;
	msg->msghdr.msg_control = c->control;
	msg->msghdr.msg_controllen = c->head.msg_controllen;
	if (c->name)
		memcpy(c->name, &c->from,
		       len < c->name_len ? len : c->name_len);
}

static void put_back(struct call *c)
{
	struct onload_zc_msg *msg = &c->args->msg;

	msg->iov = NULL;
	msg->msghdr.msg_iovlen = 0;
	msg->msghdr.msg_name = c->name;
	msg->msghdr.msg_namelen = c->name_len;
	msg->msghdr.msg_control = c->control;
	msg->msghdr.msg_controllen = c->control_len;
}

/* A call into the kernel's ring costs as much for one buffer as for some. */
#define OWED_MAX 16

static void give_back(struct call *c, onload_zc_handle first, bool settle)
{
	settle |= ++c->owed == OWED_MAX;
	pool_take_back(first, settle);
	if (settle)
		c->owed = 0;
}

/* Return true to go on. */
static bool deliver(struct call *c)
{
	const onload_zc_handle first = c->iov[0].buf;
	enum onload_zc_callback_rc rc;
	bool clear, more;
	int flags;

	more = is_more(c, &clear);
	flags = (is_shared(c) ? ONLOAD_ZC_MSG_SHARED : 0) |
		(clear ? ONLOAD_ZC_END_OF_BURST : 0);
	fill_in(c);
	rc = c->cb(c->args, flags);
	more = more && !(rc & ONLOAD_ZC_TERMINATE);
	if (!(rc & ONLOAD_ZC_KEEP))
		give_back(c, first, !more);
	else if (!pool_may_keep(&c->sock->quota))
		bypass_lapse(c->sock);
	return more;
}

/*
 * Take the first datagram; the call may wait for it. Return 1; 0 as queue_peek() does; or a
 * negative errno. A datagram of the kernel cannot be taken without a copy.
 */
static int take_first(struct call *c)
{
	int err, ret;

	for (;;) {
		bypass_attend(c->fd, c->sock);
		err = take(c);
		if (!err)
			return 1;
		if (err == -ENOBUFS && bypass_pending(c->sock))
			ret = 1;
		else if (err != -EAGAIN && err != -ENOBUFS)
			return err;
		else if (err == -EAGAIN && c->may_copy && !c->may_wait)
			return err;
		else
			ret = wait_for(c);
		if (ret == -EAGAIN && bypass_pending(c->sock))
			continue;
		if (ret <= 0)
			return ret;
		if (err == -ENOBUFS) {
			stats_count(atomic_load(&c->sock->stats), NO_BUFFER, 0);
			return -ENOBUFS;
		}
		if (!c->may_copy && !bypass_pending(c->sock)) {
			stats_count(atomic_load(&c->sock->stats), NOT_INLINE,
				    0);
			return -ENOTEMPTY;
		}
	}
}

static int receive(struct call *c)
{
	int ret;

	ret = take_first(c);
	if (ret <= 0)
		return ret;
	while (deliver(c)) {
		bypass_renew(c->fd, c->sock);
		ret = take(c);
		if (!ret)
			continue;
		if (ret != -EAGAIN && ret != -ENOBUFS)
			atomic_store(&c->sock->error, -ret);
		break;
	}
	if (c->owed)
		pool_settle();
	bypass_resume(c->fd, c->sock);
	put_back(c);
	return 0;
}

/* The program may permit copies, or the user that runs it. */
static bool may_copy(int flags)
{
	const char *text;

	if (flags & ONLOAD_MSG_RECV_OS_INLINE)
		return true;
	text = secure_getenv("DOCA_ZC_INLINE");
	return text && !strcmp(text, "1");
}

static bool is_inside(uint64_t cookie)
{
	for (const struct frame *f = frames; f; f = f->outer)
		if (f->cookie == cookie)
			return true;
	return false;
}

static int receive_inside(struct call *c, uint64_t cookie)
{
	const struct frame frame = { cookie, frames };
	int ret;

	frames = &frame;
	ret = receive(c);
	frames = frame.outer;
	return ret;
}

static int zc_recv(int fd, struct onload_zc_recv_args *args)
{
	struct call c;
	uint64_t cookie;
	int ret;

	if (!args || !args->cb || args->flags & ~ONLOAD_ZC_RECV_FLAGS_MASK)
		return -EINVAL;
	ret = sock_get(fd, &c.sock, &cookie);
	if (ret)
		return ret;
	if (is_inside(cookie))
		return -EBUSY;
	ret = atomic_load(&c.sock->error) ? atomic_exchange(&c.sock->error, 0) :
					    0;
	if (ret)
		return -ret;
	c.fd = fd;
	c.args = args;
	c.cb = args->cb;
	c.may_wait = !(args->flags & ONLOAD_MSG_DONTWAIT);
	c.name = args->msg.msghdr.msg_name;
	c.name_len = args->msg.msghdr.msg_namelen;
	c.control = args->msg.msghdr.msg_control;
	c.control_len = args->msg.msghdr.msg_controllen;
	c.may_copy = may_copy(args->flags);
	c.owed = 0;
	ret = pool_open();
	return ret ? ret : receive_inside(&c, cookie);
}

EXPORT int onload_zc_recv(int fd, struct onload_zc_recv_args *args)
{
	int saved = errno;
	int ret = zc_recv(fd, args);

	errno = saved;
	return ret;
}

/* TCP sockets get another error than other sockets that are not UDP. */
static bool is_tcp(int fd)
{
	socklen_t len = sizeof(int);
	int protocol;

	return !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &len) &&
	       protocol == IPPROTO_TCP;
}

static int recvmsg_kernel(int fd, struct msghdr *msg, int flags)
{
	struct sock *sock;
	uint64_t cookie;
	ssize_t len;
	int err;

	if (!msg)
		return -EINVAL;
	err = sock_get(fd, &sock, &cookie);
	if (err == -ESOCKTNOSUPPORT && is_tcp(fd))
		return -EOPNOTSUPP;
	if (err)
		return err;
	len = real()->recvmsg(fd, msg, flags | MSG_DONTWAIT);
	return len < 0 ? -errno : len;
}

EXPORT int onload_recvmsg_kernel(int fd, struct msghdr *msg, int flags)
{
	int saved = errno;
	int ret = recvmsg_kernel(fd, msg, flags);

	errno = saved;
	return ret;
}
