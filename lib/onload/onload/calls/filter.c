// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * recv() and similar functions, in front of libc's. A socket that bypasses the kernel
 * receives by both paths. If a socket has a filter, it is called with the data received.
 * All other sockets, the usual case, cost a few more loads.
 */
#include <errno.h>

#include "plain.h"

#define PARTS_MAX 64

EXPORT int onload_set_recv_filter(int fd, onload_zc_recv_filter_callback filter,
				  void *cb_arg, int flags)
{
	int err, saved = errno;
	struct sock *sock;
	uint64_t cookie;

	if (flags)
		return -EINVAL;
	err = sock_get(fd, &sock, &cookie);
	if (!err)
		sock_set_filter(sock, cookie, filter, cb_arg);
	errno = saved;
	return err;
}

static void call_filter(onload_zc_recv_filter_callback filter, void *arg,
			const struct msghdr *head, size_t len)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	struct onload_zc_iovec parts[PARTS_MAX];
	struct onload_zc_msg msg = { .iov = parts, .msghdr = *head };
	size_t i;

	for (i = 0; i < head->msg_iovlen && i < PARTS_MAX; i++) {
		const struct iovec *iov = &head->msg_iov[i];
		const size_t part = len < iov->iov_len ? len : iov->iov_len;

		parts[i] = (struct onload_zc_iovec){
			.iov_base = iov->iov_base,
			.iov_len = part,
			.buf = ONLOAD_ZC_HANDLE_NONZC,
		};
		len -= part;
		if (!len) {
			i++;
			break;
		}
	}
	msg.msghdr.msg_iovlen = i;
	if (filter(&msg, arg, 0) != ONLOAD_ZC_CONTINUE &&
	    !atomic_flag_test_and_set(&said))
		log_error(
			"a filter returned something else than ONLOAD_ZC_CONTINUE; the datagram is delivered");
}

/* Filter the data before it is returned. With MSG_PEEK it is not received yet. */
static ssize_t filtered(int fd, const struct msghdr *head, int flags,
			ssize_t ret)
{
	onload_zc_recv_filter_callback filter;
	int saved = errno;
	size_t room = 0;
	void *arg;

	if (ret < 0 || flags & (MSG_PEEK | MSG_ERRQUEUE))
		return ret;
	filter = sock_filter(fd, &arg);
	/* with MSG_TRUNC the result is the length of the datagram */
	for (size_t i = 0; filter && i < head->msg_iovlen; i++)
		room += head->msg_iov[i].iov_len;
	if (filter)
		call_filter(filter, arg, head,
			    (size_t)ret < room ? (size_t)ret : room);
	errno = saved;
	return ret;
}

static bool is_filtering(void)
{
	return atomic_load_explicit(&sock_filters, memory_order_relaxed);
}

static ssize_t filtered_buf(int fd, void *buf, size_t len, int flags,
			    ssize_t ret)
{
	struct iovec iov = { buf, len };
	struct msghdr head = { .msg_iov = &iov, .msg_iovlen = 1 };

	return is_filtering() ? filtered(fd, &head, flags, ret) : ret;
}

/* Receive into one buffer, as libc does. */
static ssize_t receive_buf(int fd, void *buf, size_t len, int flags,
			   struct sockaddr *addr, socklen_t *addr_len)
{
	struct iovec iov = { buf, len };
	struct msghdr head = { .msg_iov = &iov,
			       .msg_iovlen = 1,
			       .msg_name = addr,
			       .msg_namelen = addr ? *addr_len : 0 };
	const ssize_t ret = plain_recvmsg(fd, &head, flags);

	if (addr && ret >= 0)
		*addr_len = head.msg_namelen;
	return ret;
}

EXPORT ssize_t recv(int fd, void *buf, size_t len, int flags)
{
	return filtered_buf(fd, buf, len, flags,
			    sock_live(fd) ? receive_buf(fd, buf, len, flags,
							NULL, NULL) :
					    real()->recv(fd, buf, len, flags));
}

/*
 * A descriptor that was closed in another way than by close() may have left its number to a
 * file that is not a socket. The cookie tells sockets apart.
 */
static bool is_no_socket(ssize_t ret)
{
	return ret < 0 && errno == ENOTSOCK;
}

static ssize_t read_live(int fd, void *buf, size_t len)
{
	const ssize_t ret = receive_buf(fd, buf, len, 0, NULL, NULL);

	return is_no_socket(ret) ? real()->read(fd, buf, len) : ret;
}

static ssize_t readv_live(int fd, struct msghdr *head)
{
	const ssize_t ret = plain_recvmsg(fd, head, 0);

	return is_no_socket(ret) ?
		       real()->readv(fd, head->msg_iov, head->msg_iovlen) :
		       ret;
}

EXPORT ssize_t read(int fd, void *buf, size_t len)
{
	return filtered_buf(fd, buf, len, 0,
			    sock_live(fd) ? read_live(fd, buf, len) :
					    real()->read(fd, buf, len));
}

EXPORT ssize_t recvfrom(int fd, void *restrict buf, size_t len, int flags,
			struct sockaddr *restrict addr,
			socklen_t *restrict addr_len)
{
	return filtered_buf(
		fd, buf, len, flags,
		sock_live(fd) ?
			receive_buf(fd, buf, len, flags, addr, addr_len) :
			real()->recvfrom(fd, buf, len, flags, addr, addr_len));
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	const ssize_t ret = sock_live(fd) ? plain_recvmsg(fd, msg, flags) :
					    real()->recvmsg(fd, msg, flags);

	return is_filtering() ? filtered(fd, msg, flags, ret) : ret;
}

EXPORT ssize_t readv(int fd, const struct iovec *iov, int nr)
{
	struct msghdr head = { .msg_iov = (struct iovec *)iov,
			       .msg_iovlen = nr };
	const ssize_t ret = sock_live(fd) ? readv_live(fd, &head) :
					    real()->readv(fd, iov, nr);

	return is_filtering() ? filtered(fd, &head, 0, ret) : ret;
}

EXPORT int recvmmsg(int fd, struct mmsghdr *msgs, unsigned int nr, int flags,
		    struct timespec *timeout)
{
	const int ret = sock_live(fd) ?
				plain_recvmmsg(fd, msgs, nr, flags, timeout) :
				real()->recvmmsg(fd, msgs, nr, flags, timeout);

	for (int i = 0; is_filtering() && i < ret; i++)
		filtered(fd, &msgs[i].msg_hdr, flags, msgs[i].msg_len);
	return ret;
}

/* Called by programs that are compiled with _FORTIFY_SOURCE. */
ssize_t __recv_chk(int fd, void *buf, size_t len, size_t room, int flags);
ssize_t __read_chk(int fd, void *buf, size_t len, size_t room);
ssize_t __recvfrom_chk(int fd, void *buf, size_t len, size_t room, int flags,
		       struct sockaddr *addr, socklen_t *addr_len);

EXPORT ssize_t __recv_chk(int fd, void *buf, size_t len, size_t room, int flags)
{
	if (sock_live(fd) && len <= room)
		return recv(fd, buf, len, flags);
	return filtered_buf(fd, buf, len, flags,
			    real()->recv_chk(fd, buf, len, room, flags));
}

EXPORT ssize_t __read_chk(int fd, void *buf, size_t len, size_t room)
{
	if (sock_live(fd) && len <= room)
		return read(fd, buf, len);
	return filtered_buf(fd, buf, len, 0,
			    real()->read_chk(fd, buf, len, room));
}

EXPORT ssize_t __recvfrom_chk(int fd, void *buf, size_t len, size_t room,
			      int flags, struct sockaddr *addr,
			      socklen_t *addr_len)
{
	if (sock_live(fd) && len <= room)
		return recvfrom(fd, buf, len, flags, addr, addr_len);
	return filtered_buf(fd, buf, len, flags,
			    real()->recvfrom_chk(fd, buf, len, room, flags,
						 addr, addr_len));
}
