// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Kept buffers, expired leases, and the order of both paths then. */
#include <arpa/inet.h>
#include <onload/extensions.h>
#include "past.h"

/* Arrive on the path that the interface's program chooses. */
static void arrive(struct pair *p, unsigned int number)
{
	const char data[100] = { number, [99] = number };

	if (!past_say(p, data, sizeof(data)))
		say(p, data, sizeof(data));
}

/* Receive them one after the other, each once and in order. */
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
	/* Later datagrams go to the kernel's socket, and the library learns of it. */
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
	/* Datagrams that come before the socket is empty are behind it. */
	for (int i = 250; i < 260; i++)
		arrive(&p, i);
	expect_numbers(&p, &n, 249, 260);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	EXPECT(past_say(&p, "b", 1));
	n.rc = ONLOAD_ZC_KEEP;
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], 'b');
	kept[0] = n.first;
	/* Kept buffers and their contents outlive the socket. */
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

/* Neither by kept nor by unread datagrams. */
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

/* More sockets wait than the interface has spare buffers. */
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

/* Datagrams after the lease went to the kernel, even if rules changed then. */
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

/* As if a thread were preempted while it renews the lease. */
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

/* The completion of a zero-copy send in the error queue disturbs nobody. */
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

/* Another datagram always follows. */
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
	/* Each call renews the lease, even one that waits. */
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
