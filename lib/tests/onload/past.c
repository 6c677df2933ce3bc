// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Datagrams that come past the kernel, and how they go together with those that do not. */
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

/* In a process of its own, for it is asked once. */
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
	/* That one, none, and that of the pseudo-header alone. */
	memcpy(frame, good, len);
	for (unsigned int sum = 0; sum < 65536; sum++) {
		put_be16(frame + 40, sum);
		EXPECT(link_receive(frame, len));
		if (sum % 64 == 63)
			zc_recv(p.rx, &n, INLINE);
	}
	EXPECT_EQ(n.calls, 4);
	/* What is behind it in the packet is no part of it. */
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
	/* One that has a bypass ends it; its next call may begin another. */
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

/* By the way that the program of the interface has for it. */
static void arrive(struct pair *p, unsigned int number)
{
	const char data[100] = { number, [99] = number };

	if (!past_say(p, data, sizeof(data)))
		say(p, data, sizeof(data));
}

/* One after the other, each once and in order. */
static void expect_numbers(struct pair *p, struct notes *n, unsigned int from, unsigned int to)
{
	n->rc = ONLOAD_ZC_TERMINATE;
	for (unsigned int i = from; i < to; i++) {
		EXPECT_EQ(zc_recv(p->rx, n, INLINE), 0);
		EXPECT_EQ(n->data[0], i % 256);
		EXPECT_EQ(n->data[99], i % 256);
	}
}

static void keep_all(struct pair *p, struct notes *n, onload_zc_handle *kept,
		     const unsigned char **at)
{
	n->rc = ONLOAD_ZC_KEEP | ONLOAD_ZC_TERMINATE;
	for (int i = 0; i < LIMIT; i++) {
		arrive(p, i);
		EXPECT_EQ(zc_recv(p->rx, n, INLINE), 0);
		EXPECT_EQ(n->data[99], i);
		kept[i] = n->first;
		at[i] = n->at;
	}
}

TEST(buffers_that_are_kept)
{
	OPEN_PAIR(p, n);
	const unsigned int dropped = link_dropped();
	struct pollfd readable = { .fd = p.rx, .events = POLLIN };
	const unsigned char *at[LIMIT];
	onload_zc_handle kept[LIMIT];

	keep_all(&p, &n, kept, at);
	/* The kernel's socket has what comes now, and it is told. */
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	for (int i = LIMIT; i < 250; i++) {
		arrive(&p, i);
		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -ENOBUFS);
	}
	EXPECT_EQ(poll(&readable, 1, 0), 1);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_DONTWAIT), -ENOTEMPTY);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, kept, 1), 0);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, kept, 1), -EINVAL);
	expect_numbers(&p, &n, LIMIT, 249);
	/* What comes before that is empty is behind it. */
	for (int i = 250; i < 260; i++)
		arrive(&p, i);
	expect_numbers(&p, &n, 249, 260);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT(past_say(&p, "b", 1));
	n.rc = ONLOAD_ZC_KEEP;
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 'b');
	kept[0] = n.first;
	/* They stay the program's after the socket, and so does what is in them. */
	past_end(&p);
	p = past_pair();
	n.rc = ONLOAD_ZC_CONTINUE;
	past_open(&p, &n);
	arrive(&p, 'c');
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	for (int i = 1; i < LIMIT; i++)
		EXPECT(at[i][0] == i && at[i][99] == i);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, kept, LIMIT), 0);
	EXPECT_EQ(link_dropped(), dropped);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	past_end(&p);
}

/* Neither by what it keeps nor by what it does not read. */
TEST(a_socket_does_not_starve_another)
{
	OPEN_PAIR(p, n);
	struct pair q = past_pair(), lazy[3] = { past_pair(), past_pair(), past_pair() };
	const unsigned char *at[LIMIT];
	onload_zc_handle kept[LIMIT], its;
	unsigned int dropped;

	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), -EAGAIN);
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(zc_recv(lazy[i].rx, &n, INLINE), -EAGAIN);
		for (int k = 0; k < 2000; k++)
			EXPECT(past_say(&lazy[i], "x", 1));
	}
	EXPECT_EQ(link_rules(), 5);
	dropped = link_dropped();
	keep_all(&p, &n, kept, at);
	for (int i = 0; i < 3; i++)
		arrive(&q, i);
	expect_numbers(&q, &n, 0, 2);
	n.rc = ONLOAD_ZC_KEEP;
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 2);
	its = n.first;
	arrive(&q, 3);
	EXPECT_EQ(zc_recv(q.rx, &n, INLINE), -ENOBUFS);
	EXPECT_EQ(onload_zc_release_buffers(q.rx, &its, 1), 0);
	expect_numbers(&q, &n, 3, 4);
	EXPECT_EQ(link_dropped(), dropped);
	EXPECT_EQ(onload_zc_release_buffers(q.rx, kept, LIMIT), 0);
	for (int i = 0; i < 3; i++)
		end(&lazy[i]);
	end(&q);
	past_end(&p);
}

/* More than the field of the interface can do without. */
TEST(what_waits_in_rings_is_not_kept_from_them)
{
	OPEN_PAIR(p, n);
	struct pair some[16];
	unsigned int nr = 0, dropped = link_dropped();

	while (nr < 16) {
		some[nr] = past_pair();
		EXPECT_EQ(zc_recv(some[nr].rx, &n, INLINE), -EAGAIN);
		for (int k = 0; k < 16; k++)
			arrive(&some[nr], k);
		nr++;
	}
	EXPECT_EQ(link_dropped(), dropped);
	while (nr--) {
		expect_numbers(&some[nr], &n, 0, 16);
		end(&some[nr]);
	}
	past_end(&p);
}

TEST(after_a_pause_it_is_in_order)
{
	OPEN_PAIR(p, n);

	arrive(&p, 0);
	link_pass(300);
	arrive(&p, 1);
	arrive(&p, 2);
	for (int i = 0; i < 4; i++) {
		expect_numbers(&p, &n, i, i + 1);
		arrive(&p, i + 3);
	}
	expect_numbers(&p, &n, 4, 7);
	EXPECT(past_say(&p, "b", 1));
	past_end(&p);
}

/* The kernel had what came behind the lease, also where the rules were changed then. */
TEST(after_a_pause_and_a_change_it_is_in_order)
{
	OPEN_PAIR(p, n);
	struct ip_mreq member = { .imr_interface = here.sin_addr };

	arrive(&p, 0);
	link_pass(300);
	arrive(&p, 1);
	inet_pton(AF_INET, "239.1.2.4", &member.imr_multiaddr);
	EXPECT_EQ(setsockopt(p.rx, IPPROTO_IP, IP_ADD_MEMBERSHIP, &member, sizeof(member)), 0);
	for (int i = 0; i < 4; i++) {
		expect_numbers(&p, &n, i, i + 1);
		arrive(&p, i + 2);
	}
	expect_numbers(&p, &n, 4, 6);
	EXPECT(past_say(&p, "b", 1));
	past_end(&p);
}

static void take_long(void)
{
	link_pass(120);
}

/* As where a thread is preempted while it renews. */
TEST(a_lease_ends_where_the_program_says)
{
	OPEN_PAIR(p, n);

	link_pass(110);
	link_on_change(take_long);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	link_on_change(NULL);
	arrive(&p, 0);
	link_pass(160);
	arrive(&p, 1);
	for (int i = 0; i < 3; i++) {
		expect_numbers(&p, &n, i, i + 1);
		arrive(&p, i + 2);
	}
	expect_numbers(&p, &n, 3, 5);
	past_end(&p);
}

static unsigned int lapses;

static void look_at_lease(void)
{
	lapses += link_lease() == 1;
	link_pass(10);
}

/* Another thread was faster. */
TEST(who_is_woken_for_nothing_keeps_the_path)
{
	OPEN_PAIR(p, n);
	const struct timeval limit = { .tv_usec = 50000 };

	setsockopt(p.rx, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	EXPECT(past_say(&p, "a", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	link_on_change(look_at_lease);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), -EAGAIN);
	link_on_change(NULL);
	EXPECT_EQ(lapses, 0);
	past_end(&p);
}

/* What a message without a copy left in the queue of errors is in nobody's way. */
TEST(errors_that_are_not_read_are_not_in_the_way)
{
	PAST();
	struct pair p = past_pair();
	struct pollfd error = { .fd = p.rx };
	static struct notes n;
	const int on = 1;

	if (setsockopt(p.rx, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof(on)))
		SKIP("this kernel copies all datagrams");
	EXPECT_EQ(sendto(p.rx, "x", 1, MSG_ZEROCOPY, (void *)&here, sizeof(here)), 1);
	EXPECT_EQ(poll(&error, 1, -1), 1);
	EXPECT_EQ(error.revents, POLLERR);
	past_open(&p, &n);
	arrive(&p, 0);
	expect_numbers(&p, &n, 0, 1);
	link_pass(300);
	arrive(&p, 1);
	expect_numbers(&p, &n, 1, 2);
	EXPECT(past_say(&p, "b", 1));
	past_end(&p);
}

static struct pair *busy;
static unsigned int nr_busy;

/* There is always another. */
static enum onload_zc_callback_rc say_another(struct onload_zc_recv_args *args, int flags)
{
	(void)args;
	(void)flags;
	if (++nr_busy == 20)
		return ONLOAD_ZC_TERMINATE;
	link_pass(30);
	EXPECT(past_say(busy, "x", 1));
	return ONLOAD_ZC_CONTINUE;
}

TEST(a_burst_without_an_end_keeps_its_lease)
{
	OPEN_PAIR(p, n);
	struct onload_zc_recv_args args = { .cb = say_another, .flags = INLINE };

	busy = &p;
	EXPECT(past_say(&p, "x", 1));
	EXPECT(past_say(&p, "x", 1));
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(nr_busy, 20);
	past_end(&p);
}

TEST(who_does_not_attend_loses_nothing)
{
	OPEN_PAIR(p, n);
	const struct timeval limit = { .tv_usec = 700000 };
	uint64_t lease;

	EXPECT(past_say(&p, "a", 1));
	link_pass(300);
	EXPECT(!past_say(&p, "b", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.calls, 1);
	EXPECT(past_say(&p, "c", 1));
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	/* It is renewed by calls that come, also by one that waits. */
	lease = link_lease();
	link_pass(150);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT_EQ(link_lease(), lease + 150000000);
	setsockopt(p.rx, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	link_settle();
	link_skip_waits(true);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), -EAGAIN);
	link_skip_waits(false);
	EXPECT(link_lease() >= lease + 150000000 + 600000000);
	past_end(&p);
}

/* As in past_pair(), but for the socket that receives. */
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

/* A socket whose address others may have as well. */
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
	/* What it has is received, then it ends. */
	EXPECT_EQ(zc_recv(p.rx, &the_notes, INLINE), 0);
	EXPECT_EQ(link_rules(), 0);
	the_pair = p;
	attend_again();
	EXPECT(link_is_clean());
	EXPECT(!past_say(&p, "a", 1));
	/* Nor does one begin where another is. */
	close(p.rx);
	the_pair.rx = reusable(SO_REUSEADDR);
	EXPECT_EQ(bind(the_pair.rx, &p.to.any, p.to_len), 0);
	EXPECT(strstr(lines_of(attend_again), "another socket has its address"));
	close(other);
	past_end(&the_pair);
	/* Or may come. */
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

	/* It may be out of reach of this machine. */
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

/* One that was made before the first call for the socket, as by inheritance. */
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
