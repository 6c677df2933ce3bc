// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Buffers for interfaces, of which a process may use eight at a time. */
#include "ktap.h"

#include "../onload/onload/host.c"

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

const struct onload_xdp *xdp_get(void)
{
	static const struct onload_xdp table = { .mode = mode_of };

	return &table;
}

static struct host *get_of(unsigned int ifindex, uint64_t namespace)
{
	const struct where where = { .ifname = "eth",
				     .ifindex = ifindex,
				     .namespace = namespace };
	char reason[REASON_MAX] = "";
	struct host *h = host_get(&where, reason);

	EXPECT_EQ(!h, *reason != '\0');
	return h;
}

static struct host *get(unsigned int ifindex)
{
	return get_of(ifindex, 1);
}

TEST(interfaces_that_came_and_went_leave_their_buffers)
{
	struct host *some[FIELDS];

	for (unsigned int i = 1; i <= 3 * FIELDS; i++)
		host_put(get(i));
	for (unsigned int i = 0; i < FIELDS; i++) {
		some[i] = get(100 + i);
		for (unsigned int k = 0; k < i; k++)
			EXPECT(some[k]->field != some[i]->field);
	}
	EXPECT(!get(200));
	EXPECT(get(103) == some[3]);
	host_put(some[3]);
	EXPECT(!get(200));
	host_put(some[3]);
	EXPECT(get(200) == some[3]);
	for (unsigned int i = 0; i < FIELDS; i++)
		host_put(some[i]);
}

TEST(an_interface_is_one_of_its_namespace)
{
	struct host *one = get_of(2, 1), *other = get_of(2, 2);

	EXPECT(one != other);
	EXPECT(get_of(2, 1) == one);
	EXPECT(get_of(2, 2) == other);
	host_put(one);
	host_put(one);
	host_put(other);
	host_put(other);
}

/* What was seen of one interface is not said of another. */
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
