// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Datagrams that bypass the kernel, mixed with others that do not. */
#include <arpa/inet.h>

#include <onload/extensions.h>

#include "past.h"

static struct pair the_pair;
static struct notes the_notes;

static void open_one(void)
{
	the_pair = past_pair();
	EXPECT_EQ(zc_recv(the_pair.rx, &the_notes, INLINE), -EAGAIN);
}

static const char *path_of(int fd)
{
	static char name[16];
	struct onload_stat stat = {};

	EXPECT_EQ(onload_fd_stat(fd, &stat), 1);
	snprintf(name, sizeof(name), "%s", stat.stack_name);
	free(stat.stack_name);
	return name;
}

/* In a process of its own, because the mode is read once. */
static bool with_mode(const char *wanted, enum xsk_mode mode, int attach_err, const char *path,
		      const char *reason)
{
	pid_t pid = fork();
	int status = 1;
	bool good;

	if (pid) {
		waitpid(pid, &status, 0);
		return !status;
	}
	setenv("DOCA_ZC", wanted, 1);
	link_set(mode, attach_err, 0);
	good = strstr(lines_of(open_one), reason);
	good = good && !strcmp(path_of(the_pair.rx), path);
	past_say(&the_pair, "a", 1);
	_exit(good ? 0 : 1);
}

TEST(what_is_wanted_and_what_there_is)
{
	PAST();
	EXPECT(with_mode("auto", XSK_COPY, 0, "kernel", "gives copies only"));
	EXPECT(with_mode("auto", XSK_ZEROCOPY, 0, "zero-copy", "past the kernel"));
	EXPECT(with_mode("xdp", XSK_COPY, 0, "copy", "past the kernel"));
	EXPECT(with_mode("xdp", XSK_LATE, 0, "kernel", "may have been merged"));
	EXPECT(with_mode("xdp", XSK_ZEROCOPY, 0, "zero-copy", "past the kernel"));
	EXPECT(with_mode("kernel", XSK_ZEROCOPY, 0, "kernel", "DOCA_ZC=kernel asks"));
	EXPECT(with_mode("xdp", XSK_COPY, -EBUSY, "kernel", "another XDP program"));
	EXPECT(with_mode("xdp", XSK_COPY, -EPERM, "kernel", "CAP_BPF"));
}

TEST(both_paths_are_received_once)
{
	OPEN_PAIR(p, n);
	unsigned char got[64] = {};
	char data[4] = "x";

	EXPECT_STR(path_of(p.rx), "copy");
	n.rc = ONLOAD_ZC_TERMINATE;
	for (int i = 0; i < 64; i++) {
		data[0] = i;
		if (i % 2)
			say(&p, data, sizeof(data));
		else
			EXPECT(past_say(&p, data, sizeof(data)));
	}
	for (int i = 0; i < 64; i++) {
		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
		EXPECT_EQ(n.len, sizeof(data));
		got[n.data[0]]++;
		EXPECT_EQ(n.flags, i == 63 ? ONLOAD_ZC_END_OF_BURST : 0);
	}
	for (int i = 0; i < 64; i++)
		EXPECT_EQ(got[i], 1);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	past_end(&p);
}

TEST(data_of_the_kernel_is_still_not_copied_unasked)
{
	OPEN_PAIR(p, n);

	EXPECT(past_say(&p, "past", 4));
	say(&p, "kernel", 6);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), 0);
	EXPECT_EQ(n.calls, 1);
	EXPECT_EQ(n.flags, 0);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), -ENOTEMPTY);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.len, 6);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_DONTWAIT), -EAGAIN);
	past_end(&p);
}

TEST(checksums_and_what_is_not_a_datagram_of_ours)
{
	OPEN_PAIR(p, n);
	uint8_t frame[200], good[200];
	uint32_t len = past_frame(&p, good, "datum", 5);
	static const struct {
		unsigned int at;
		uint8_t mask;
	} wrong[] = { { 44, 1 }, { 40, 1 }, { 24, 1 }, { 5, 1 }, { 39, 0x1d } };

	EXPECT(link_receive(good, len));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		memcpy(frame, good, len);
		frame[wrong[i].at] ^= wrong[i].mask;
		EXPECT(link_receive(frame, len));
		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	}
	/* Try every sum: only the right one, 0 for none, and the pseudo-header's are accepted. */
	memcpy(frame, good, len);
	for (unsigned int sum = 0; sum < 65536; sum++) {
		put_be16(frame + 40, sum);
		EXPECT(link_receive(frame, len));
		if (sum % 64 == 63)
			zc_recv(p.rx, &n, INLINE);
	}
	EXPECT_EQ(n.calls, 4);
	/* Bytes behind the datagram in the packet do not belong to it. */
	memcpy(frame, good, len);
	put_be16(frame + 16, 33 + 10);
	memset(frame + len, 0x55, 10);
	memset(frame + 24, 0, 2);
	frame[24] = good[24];
	frame[25] = good[25] - 10;
	EXPECT(link_receive(frame, len + 10));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.calls, 5);
	EXPECT_EQ(n.len, 5);
	past_end(&p);
}

TEST(what_is_told_of_a_datagram)
{
	PAST();
	struct pair p = past_pair();
	struct sockaddr_in name = {};
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);
	char room[256], data[4];
	struct iovec iov = { data, sizeof(data) };
	struct msghdr msg = { .msg_control = room,
			      .msg_controllen = sizeof(room),
			      .msg_iov = &iov,
			      .msg_iovlen = 1 };
	struct in_pktinfo info;
	unsigned int seen = 0;
	const int on = 1;

	past_open(&p, &n);
	setsockopt(p.rx, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on));
	setsockopt(p.rx, IPPROTO_IP, IP_RECVTTL, &on, sizeof(on));
	setsockopt(p.rx, IPPROTO_IP, IP_RECVTOS, &on, sizeof(on));
	setsockopt(p.rx, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT(past_say(&p, "a", 1));
	EXPECT(past_say(&p, "a", 1));
	args.msg.msghdr.msg_name = &name;
	args.msg.msghdr.msg_namelen = sizeof(name);
	n.rc = ONLOAD_ZC_TERMINATE;
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(n.control_len, 0);
	EXPECT_EQ(name.sin_addr.s_addr, htonl(0x0a000001));
	EXPECT_EQ(name.sin_port, htons(1000));
	EXPECT_EQ(recvmsg(p.rx, &msg, 0), 1);
	EXPECT_EQ(msg.msg_flags, 0);
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TTL)
			seen += *(int *)CMSG_DATA(c) == 64;
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS)
			seen += *CMSG_DATA(c) == 0x10;
		if (c->cmsg_level == SOL_SOCKET)
			seen += c->cmsg_type == SO_TIMESTAMPNS;
		if (c->cmsg_level != IPPROTO_IP || c->cmsg_type != IP_PKTINFO)
			continue;
		memcpy(&info, CMSG_DATA(c), sizeof(info));
		seen += info.ipi_addr.s_addr == here.sin_addr.s_addr;
	}
	EXPECT_EQ(seen, 4);
	past_end(&p);
}

static void set_option(const struct pair *p, int level, int name, int value)
{
	static struct notes n;

	EXPECT_EQ(setsockopt(p->rx, level, name, &value, sizeof(value)), 0);
	/* The option ends a bypass; the next call may begin another one. */
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(zc_recv(p->rx, &n, INLINE), -EAGAIN);
		link_pass(110);
	}
}

TEST(options_that_only_the_kernel_has)
{
	OPEN_PAIR(p, n);
	static const struct {
		int level, name;
	} odd[] = {
		{ IPPROTO_IP, IP_RECVERR },
		{ SOL_SOCKET, SO_REUSEPORT },
		{ IPPROTO_UDP, 102 /* UDP_NO_CHECK6_RX */ },
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		set_option(&p, odd[i].level, odd[i].name, 1);
		EXPECT_STR(path_of(p.rx), "kernel");
		EXPECT(!past_say(&p, "a", 1));
		set_option(&p, odd[i].level, odd[i].name, 0);
		EXPECT_STR(path_of(p.rx), "copy");
	}
	past_end(&p);
}

/* Like past_pair(), with another receiving socket. */
static struct pair past_pair_of(int rx, const char *group)
{
	struct pair p = past_pair();
	struct ip_mreq member = { .imr_interface = here.sin_addr };

	close(p.rx);
	p.rx = rx;
	if (group) {
		inet_pton(AF_INET, group, &member.imr_multiaddr);
		p.to.in.sin_addr = member.imr_multiaddr;
	}
	EXPECT_EQ(bind(p.rx, &p.to.any, p.to_len), 0);
	if (group)
		EXPECT_EQ(setsockopt(p.rx, IPPROTO_IP, IP_ADD_MEMBERSHIP, &member, sizeof(member)),
			  0);
	return p;
}

static void attend_again(void)
{
	link_pass(150);
	EXPECT_EQ(zc_recv(the_pair.rx, &the_notes, INLINE), -EAGAIN);
}

/* Make a socket whose address others may share. */
static int reusable(int option)
{
	const int on = 1, fd = socket(AF_INET, SOCK_DGRAM, 0);

	setsockopt(fd, SOL_SOCKET, option, &on, sizeof(on));
	return fd;
}

TEST(others_are_not_robbed)
{
	PAST();
	int other = reusable(SO_REUSEADDR);
	struct pair p = past_pair_of(reusable(SO_REUSEADDR), NULL);

	past_open(&p, &the_notes);
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(bind(other, &p.to.any, p.to_len), 0);
	link_pass(150);
	/* Receive the rest, then the bypass ends. */
	EXPECT_EQ(zc_recv(p.rx, &the_notes, INLINE), 0);
	EXPECT_EQ(link_rules(), 0);
	the_pair = p;
	attend_again();
	EXPECT(link_is_clean());
	EXPECT(!past_say(&p, "a", 1));
	/* No bypass begins if another socket has the address. */
	close(p.rx);
	the_pair.rx = reusable(SO_REUSEADDR);
	EXPECT_EQ(bind(the_pair.rx, &p.to.any, p.to_len), 0);
	EXPECT(strstr(lines_of(attend_again), "another socket has its address"));
	close(other);
	past_end(&the_pair);
	/* None begins, either, if another one may come. */
	the_pair = past_pair_of(reusable(SO_REUSEPORT), NULL);
	EXPECT(strstr(lines_of(attend_again), "SO_REUSEPORT is set"));
	EXPECT(!past_say(&the_pair, "a", 1));
	past_end(&the_pair);
}

TEST(one_peer)
{
	OPEN_PAIR(p, n);
	struct sockaddr_in peer = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(0x0a000002),
				    .sin_port = htons(1000) };

	/* The address may be unreachable from this machine. */
	if (!connect(p.rx, (void *)&peer, sizeof(peer))) {
		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
		EXPECT(past_say(&p, "a", 1));
		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	}
	past_end(&p);
}

TEST(an_interface_that_goes)
{
	OPEN_PAIR(p, n);

	link_set(XSK_COPY, 0, -ENETDOWN);
	link_pass(150);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT_EQ(link_rules(), 0);
	link_set(XSK_COPY, 0, 0);
	say(&p, "a", 1);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	past_end(&p);
}

TEST(a_child_has_the_kernel)
{
	OPEN_PAIR(p, n);
	int status = 1;
	pid_t pid;

	pid = fork();
	if (!pid) {
		say(&p, "a", 1);
		status = zc_recv(p.rx, &n, INLINE) || n.calls != 1 ||
			 strcmp(path_of(p.rx), "kernel");
		_exit(status);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(status, 0);
	EXPECT(past_say(&p, "b", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 'b');
	past_end(&p);
}

TEST(a_second_descriptor)
{
	OPEN_PAIR(p, n);
	int other;

	EXPECT(past_say(&p, "a", 1));
	other = dup(p.rx);
	EXPECT(!past_say(&p, "b", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.calls, 1);
	say(&p, "c", 1);
	EXPECT_EQ(zc_recv(other, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 'c');
	EXPECT(!past_say(&p, "d", 1));
	EXPECT_STR(path_of(other), "kernel");
	close(other);
	past_end(&p);
}

/* A descriptor from before the first call for the socket, such as an inherited one. */
TEST(a_second_descriptor_that_was_there)
{
	PAST();
	struct notes *n = &the_notes;
	int other;

	the_pair = past_pair();
	other = dup(the_pair.rx);
	EXPECT(strstr(lines_of(attend_again), "a second file descriptor"));
	EXPECT(!past_say(&the_pair, "a", 1));
	EXPECT_EQ(zc_recv(other, n, INLINE), -EAGAIN);
	EXPECT_STR(path_of(other), "kernel");
	say(&the_pair, "b", 1);
	EXPECT_EQ(zc_recv(other, n, INLINE), 0);
	close(other);
	past_end(&the_pair);
}

TEST(sockets_that_are_to_be_the_kernel_s)
{
	PAST();
	static struct notes n;
	struct pair p;

	p = past_pair_of(onload_socket_nonaccel(AF_INET, SOCK_DGRAM, 0), NULL);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT_STR(path_of(p.rx), "kernel");
	EXPECT(!past_say(&p, "a", 1));
	say(&p, "b", 1);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 'b');
	past_end(&p);

	p = past_pair_of(onload_socket_unicast_nonaccel(AF_INET, SOCK_DGRAM, 0), NULL);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT_STR(path_of(p.rx), "kernel");
	past_end(&p);

	p = past_pair_of(onload_socket_unicast_nonaccel(AF_INET, SOCK_DGRAM, 0), "239.1.2.3");
	past_open(&p, &n);
	EXPECT_STR(path_of(p.rx), "copy");
	past_end(&p);
}
