// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The results of each call, and its effects. */
#include "bed.h"

TEST(it_is_there)
{
	EXPECT_EQ(onload_is_present(), 1);
}

TEST(arguments_that_are_wrong)
{
	struct pair p = pair();
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);

	EXPECT_EQ(onload_zc_recv(p.rx, NULL), -EINVAL);
	args.cb = NULL;
	EXPECT_EQ(onload_zc_recv(p.rx, &args), -EINVAL);
	EXPECT_EQ(zc_recv(p.rx, &n, MSG_PEEK | INLINE), -EINVAL);
	EXPECT_EQ(zc_recv(p.rx, &n, 1 << 20), -EINVAL);
	EXPECT_EQ(zc_recv(p.rx, &n, 1 << 29), -EINVAL);
	EXPECT_EQ(onload_recvmsg_kernel(p.rx, NULL, 0), -EINVAL);
	EXPECT_EQ(n.calls, 0);
	end(&p);
}

/* Check the result of each call for a file descriptor. */
static void expect_fd(int fd, int err, int kernel_err)
{
	struct onload_zc_iovec iov;
	struct msghdr msg = {};
	onload_zc_handle buf = NULL;
	static struct notes n;

	errno = 4711;
	EXPECT_EQ(zc_recv(fd, &n, INLINE), err);
	EXPECT_EQ(zc_recv(fd, &n, ONLOAD_MSG_DONTWAIT), err);
	EXPECT_EQ(onload_zc_alloc_buffers(fd, &iov, 1, 0), err);
	EXPECT_EQ(onload_zc_release_buffers(fd, &buf, 1), err);
	EXPECT_EQ(onload_set_recv_filter(fd, NULL, NULL, 0), err);
	EXPECT_EQ(onload_recvmsg_kernel(fd, &msg, 0), kernel_err);
	EXPECT_EQ(onload_fd_stat(fd, &(struct onload_stat){}), 0);
	EXPECT_EQ(errno, 4711);
	EXPECT_EQ(n.calls, 0);
}

TEST(file_descriptors_that_are_none_of_ours)
{
	int tcp = socket(AF_INET, SOCK_STREAM, 0);
	int local = socket(AF_UNIX, SOCK_DGRAM, 0);
	int fds[2];

	EXPECT_EQ(pipe(fds), 0);
	expect_fd(-1, -EBADF, -EBADF);
	expect_fd(54321, -EBADF, -EBADF);
	expect_fd(fds[0], -ENOTSOCK, -ENOTSOCK);
	expect_fd(tcp, -ESOCKTNOSUPPORT, -EOPNOTSUPP);
	expect_fd(local, -ESOCKTNOSUPPORT, -ESOCKTNOSUPPORT);
	close(fds[0]);
	close(fds[1]);
	close(tcp);
	close(local);
}

TEST(nothing_to_receive)
{
	const struct timeval short_time = { .tv_usec = 10000 };
	struct pair p = pair();
	static struct notes n;

	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_DONTWAIT), -EAGAIN);
	setsockopt(p.rx, SOL_SOCKET, SO_RCVTIMEO, &short_time, sizeof(short_time));
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), -EAGAIN);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), -EAGAIN);
	EXPECT_EQ(onload_thread_set_spin(ONLOAD_SPIN_UDP_RECV, 1), 0);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), -EAGAIN);
	EXPECT_EQ(onload_thread_set_spin(ONLOAD_SPIN_UDP_RECV, 0), 0);
	fcntl(p.rx, F_SETFL, O_NONBLOCK);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), -EAGAIN);
	EXPECT_EQ(onload_recvmsg_kernel(p.rx, &(struct msghdr){}, 0), -EAGAIN);
	EXPECT_EQ(n.calls, 0);
	end(&p);
}

TEST(after_shutdown_it_does_not_wait)
{
	struct pair p = pair();
	static struct notes n;

	EXPECT_EQ(connect(p.rx, &p.to.any, p.to_len), 0);
	say(&p, "", 0);
	p.tx = (close(p.tx), dup(p.rx));
	EXPECT_EQ(send(p.rx, "", 0, 0), 0);
	EXPECT_EQ(shutdown(p.rx, SHUT_RD), 0);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), 0);
	EXPECT_EQ(n.calls, 1);
	EXPECT_EQ(n.flags, ONLOAD_ZC_END_OF_BURST);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), 0);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), 0);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT_EQ(n.calls, 1);
	end(&p);
}

/* The peer's socket closes while there is something to receive. */
TEST(an_error_that_is_pending)
{
	struct pair p = pair(), q = pair();
	static struct notes n;

	EXPECT_EQ(connect(q.rx, &p.to.any, p.to_len), 0);
	EXPECT_EQ(connect(p.rx, &q.to.any, q.to_len), 0);
	EXPECT_EQ(send(p.rx, "x", 1, 0), 1);
	close(p.rx);
	EXPECT_EQ(send(q.rx, "x", 1, 0), 1);
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), -ECONNREFUSED);
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), 0);
	EXPECT_EQ(n.calls, 1);
	/* Calls from a callback. */
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), -EAGAIN);
	p.rx = -1;
	end(&p);
	end(&q);
}

TEST(kernel_data_is_not_copied_unasked)
{
	struct pair p = pair();
	static struct notes n;
	char data[8] = "";
	struct iovec iov = { data, sizeof(data) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	say(&p, "one", 3);
	say(&p, "two", 3);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_DONTWAIT), -ENOTEMPTY);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), -ENOTEMPTY);
	EXPECT_EQ(onload_recvmsg_kernel(p.rx, &msg, 0), 3);
	EXPECT_STR(data, "one");
	EXPECT_EQ(n.calls, 0);
	setenv("DOCA_ZC_INLINE", "1", 1);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), 0);
	unsetenv("DOCA_ZC_INLINE");
	EXPECT_EQ(n.calls, 1);
	EXPECT(n.len == 3 && !memcmp(n.data, "two", 3));
	end(&p);
}

TEST(who_sent_it_is_told_each_time)
{
	struct pair p = pair(), q = pair();
	struct sockaddr_in name = { .sin_port = 1 }, is;
	socklen_t len = sizeof(is);
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);

	EXPECT_EQ(getsockname(q.rx, (struct sockaddr *)&is, &len), 0);
	args.msg.msghdr.msg_name = &name;
	args.msg.msghdr.msg_namelen = sizeof(name);
	say(&p, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.name_len, sizeof(name));
	EXPECT_EQ(args.msg.msghdr.msg_namelen, sizeof(name));
	EXPECT_EQ(sendto(q.rx, "b", 1, 0, &p.to.any, p.to_len), 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(name.sin_port, is.sin_port);
	EXPECT_EQ(name.sin_addr.s_addr, is.sin_addr.s_addr);
	/* Write as much of the name as there is room for. */
	memset(&name, 0xff, sizeof(name));
	args.msg.msghdr.msg_namelen = 4;
	EXPECT_EQ(sendto(q.rx, "b", 1, 0, &p.to.any, p.to_len), 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.name_len, sizeof(name));
	EXPECT_EQ(name.sin_port, is.sin_port);
	EXPECT_EQ(name.sin_addr.s_addr, 0xffffffff);
	end(&p);
	end(&q);
}

TEST(control_messages)
{
	char room[CMSG_SPACE(sizeof(struct in_pktinfo))];
	struct pair p = pair();
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);
	const int on = 1;

	args.msg.msghdr.msg_control = room;
	args.msg.msghdr.msg_controllen = sizeof(room);
	say(&p, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.control_len, 0);
	EXPECT_EQ(args.msg.msghdr.msg_controllen, sizeof(room));
	EXPECT_EQ(setsockopt(p.rx, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on)), 0);
	say(&p, "a", 1);
	say(&p, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.calls, 3);
	EXPECT_EQ(n.control_len, sizeof(room));
	EXPECT_EQ(n.msg_flags, 0);
	args.msg.msghdr.msg_controllen = 4;
	say(&p, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.msg_flags, MSG_CTRUNC);
	end(&p);
}

TEST(what_is_not_wanted_stays_in_the_socket)
{
	struct pair p = pair();
	struct pollfd poll_rx = { .fd = p.rx, .events = POLLIN };
	static struct notes n = { .rc = ONLOAD_ZC_TERMINATE };
	char data[4];

	say(&p, "one", 3);
	say(&p, "two", 3);
	say(&p, "six", 3);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.calls, 1);
	EXPECT_EQ(n.flags, 0);
	EXPECT_EQ(poll(&poll_rx, 1, 0), 1);
	EXPECT_EQ(recv(p.rx, data, sizeof(data), MSG_DONTWAIT), 3);
	EXPECT(!memcmp(data, "two", 3));
	n.rc = ONLOAD_ZC_CONTINUE;
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.flags, ONLOAD_ZC_END_OF_BURST);
	EXPECT_EQ(n.calls, 2);
	EXPECT_EQ(poll(&poll_rx, 1, 0), 0);
	end(&p);
}

static enum onload_zc_callback_rc recurse(struct onload_zc_recv_args *args, int flags)
{
	static struct notes inner;
	struct notes *n = args->user_ptr;
	int other = dup(n->fd);

	(void)flags;
	n->calls++;
	EXPECT_EQ(zc_recv(n->fd, &inner, INLINE), -EBUSY);
	EXPECT_EQ(zc_recv(other, &inner, INLINE), -EBUSY);
	close(other);
	EXPECT_EQ(zc_recv(n->rc, &inner, INLINE), 0);
	EXPECT_EQ(inner.calls, 1);
	return ONLOAD_ZC_CONTINUE;
}

TEST(a_callback_may_receive_from_other_sockets)
{
	struct pair p = pair(), q = pair();
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);

	n.fd = p.rx;
	n.rc = q.rx;
	args.cb = recurse;
	say(&p, "a", 1);
	say(&q, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.calls, 1);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	end(&p);
	end(&q);
}

/* Join a multicast group on the loopback interface. */
static bool join(struct pair *p)
{
	const struct in_addr lo = { htonl(INADDR_LOOPBACK) };
	const struct ip_mreq group = { { inet_addr("239.1.2.3") }, lo };
	const int off = 0;

	close(p->rx);
	p->rx = socket(AF_INET, SOCK_DGRAM, 0);
	p->to.in.sin_addr.s_addr = htonl(INADDR_ANY);
	p->to.in.sin_port = 0;
	if (bind(p->rx, &p->to.any, p->to_len) || getsockname(p->rx, &p->to.any, &p->to_len) ||
	    setsockopt(p->rx, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof(off)) ||
	    setsockopt(p->rx, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof(group)) ||
	    setsockopt(p->tx, IPPROTO_IP, IP_MULTICAST_IF, &lo, sizeof(lo)))
		return false;
	p->to.in.sin_addr = group.imr_multiaddr;
	return true;
}

TEST(multicast_is_shared)
{
	char room[CMSG_SPACE(sizeof(struct in_pktinfo))];
	struct pair p = pair(), q = pair();
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);
	const int on = 1;

	say(&q, "a", 1);
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), 0);
	EXPECT_EQ(n.flags, ONLOAD_ZC_END_OF_BURST);
	ASSERT(join(&p));
	say(&p, "a", 1);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.flags, ONLOAD_ZC_END_OF_BURST | ONLOAD_ZC_MSG_SHARED);
	/* If the program asks for destinations, each datagram has its own. */
	setsockopt(p.rx, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on));
	args.msg.msghdr.msg_control = room;
	args.msg.msghdr.msg_controllen = sizeof(room);
	say(&p, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.flags, ONLOAD_ZC_END_OF_BURST | ONLOAD_ZC_MSG_SHARED);
	p.to.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	say(&p, "a", 1);
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.flags, ONLOAD_ZC_END_OF_BURST);
	end(&p);
	end(&q);
}

/* Send datagrams of all sizes, some at a time, with a number if it fits. */
static void many(struct pair *p, uint32_t nr)
{
	static const size_t sizes[] = { 0, 1, 64, 1400, 1472, 9000, DATAGRAM_MAX };
	static unsigned char out[DATAGRAM_MAX];
	static struct notes n;
	uint32_t wrong = 0;

	n.calls = 0;
	for (uint32_t i = 0; i < nr && !wrong; i++) {
		const size_t len = sizes[i % 7];

		if (len > 1)
			memcpy(out, &i, sizeof(i));
		if (len)
			out[len - 1] = i;
		n.rc = ONLOAD_ZC_CONTINUE;
		if (sendto(p->tx, out, len, 0, &p->to.any, p->to_len) != (ssize_t)len ||
		    zc_recv(p->rx, &n, ONLOAD_MSG_RECV_OS_INLINE) || n.calls != i + 1 ||
		    n.len != len || (len && n.data[len - 1] != (i & 0xff)) ||
		    (len > 1 && memcmp(n.data, &i, sizeof(i))) ||
		    n.parts != (len ? (len + 2047) / 2048 : 1))
			wrong = i + 1;
	}
	EXPECT_EQ(wrong, 0);
}

TEST(many_datagrams_of_all_sizes)
{
	struct pair p = pair();

	many(&p, 7000);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	ASSERT(join(&p));
	many(&p, 700);
	end(&p);
}

TEST(many_datagrams_by_ipv6)
{
	struct pair p = pair_of(AF_INET6);

	if (p.rx < 0)
		SKIP("there is no IPv6");
	many(&p, 700);
	end(&p);
}
