// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Parts of libonload with fake dependencies: buffers for interfaces, of which a process may
 * use eight at a time; and other owners of a socket's address, by answers like the kernel's.
 */
#include <unistd.h>

#include "ktap.h"
#include "onload/onload/bypass/interface.c"
#include "onload/onload/bypass/siblings.c"

#define FIELDS 8

static unsigned int nr_fields;
static enum xsk_mode mode = XSK_ZEROCOPY;

int pool_field(unsigned int *field, void **memory, size_t *length)
{
	if (nr_fields == FIELDS)
		return -ENOSPC;
	*field = nr_fields++;
	*memory = NULL;
	*length = 0;
	return 0;
}

int pool_open_host(unsigned int field, struct xsk_attr *attr, struct xsk **host,
		   struct xsk_why *why)
{
	static char opened[FIELDS];

	(void)attr;
	(void)why;
	*host = (struct xsk *)&opened[field];
	return 0;
}

void pool_close_host(unsigned int field)
{
	(void)field;
}

enum xdp_wanted xdp_wanted(void)
{
	return WANT_AUTO;
}

static enum xsk_mode mode_of(const struct xsk *xsk)
{
	(void)xsk;
	return mode;
}

static bool has_own_hook(int ifindex)
{
	(void)ifindex;
	return true;
}

const struct onload_xdp *xdp_get(void)
{
	static const struct onload_xdp table = { .has_own_hook = has_own_hook, .mode = mode_of };

	return &table;
}

static struct interface *get_of(unsigned int ifindex, uint64_t namespace)
{
	const struct route route = { .ifname = "eth", .ifindex = ifindex, .namespace = namespace };
	char reason[REASON_MAX] = "";
	struct interface *h = interface_get(&route, reason);

	EXPECT_EQ(!h, *reason != '\0');
	return h;
}

static struct interface *get(unsigned int ifindex)
{
	return get_of(ifindex, 1);
}

TEST(interfaces_that_came_and_went_leave_their_buffers)
{
	struct interface *some[FIELDS];

	for (unsigned int i = 1; i <= 3 * FIELDS; i++)
		interface_put(get(i));
	for (unsigned int i = 0; i < FIELDS; i++) {
		some[i] = get(100 + i);
		for (unsigned int k = 0; k < i; k++)
			EXPECT(some[k]->field != some[i]->field);
	}
	EXPECT(!get(200));
	EXPECT(get(103) == some[3]);
	interface_put(some[3]);
	EXPECT(!get(200));
	interface_put(some[3]);
	EXPECT(get(200) == some[3]);
	for (unsigned int i = 0; i < FIELDS; i++)
		interface_put(some[i]);
}

TEST(an_interface_is_one_of_its_namespace)
{
	struct interface *one = get_of(2, 1), *other = get_of(2, 2);

	EXPECT(one != other);
	EXPECT(get_of(2, 1) == one);
	EXPECT(get_of(2, 2) == other);
	for (int i = 0; i < 2; i++) {
		interface_put(one);
		interface_put(other);
	}
}

/* Observations on one interface do not apply to another. */
TEST(one_that_copies_says_nothing_of_the_next)
{
	for (unsigned int i = 1; i < FIELDS; i++)
		EXPECT(get(400 + i));
	mode = XSK_COPY;
	EXPECT(!get(300));
	mode = XSK_ZEROCOPY;
	EXPECT(!get(300));
	EXPECT(get(301));
}

static struct {
	struct nlmsghdr head;
	int err;
} answer;

static ssize_t answer_recv(int fd, void *buf, size_t len, int flags)
{
	(void)fd;
	(void)len;
	(void)flags;
	memcpy(buf, &answer, answer.head.nlmsg_len);
	return answer.head.nlmsg_len;
}

const struct real *real(void)
{
	static const struct real calls = { .recv = answer_recv, .close = close };

	return &calls;
}

static int listen_by(uint16_t type, uint32_t len, int err)
{
	static const struct route route = { .family = 4, .port = 1 };

	answer.head.nlmsg_type = type;
	answer.head.nlmsg_len = len;
	answer.err = err;
	return siblings_by_address(&route, 1);
}

/* Without udp_diag the list of UDP is empty, and its end says why. */
TEST(a_list_that_cannot_be_made_is_not_taken_for_an_empty_one)
{
	EXPECT_EQ(listen_by(NLMSG_DONE, sizeof(answer), 0), 0);
	EXPECT_EQ(listen_by(NLMSG_DONE, sizeof(answer.head), 0), 0);
	EXPECT_EQ(listen_by(NLMSG_DONE, sizeof(answer), -ENOENT), -ENOENT);
	EXPECT_EQ(listen_by(NLMSG_ERROR, sizeof(answer), -ENOENT), -ENOENT);
	EXPECT_EQ(listen_by(NLMSG_DONE, sizeof(answer), -EPERM), -EPERM);
}
