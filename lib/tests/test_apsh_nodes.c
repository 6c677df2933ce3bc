// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: sets of addresses, which the target chooses. */
#include <errno.h>
#include <sys/random.h>

#include "apsh/address_hash.h"
#include "apsh/walk/walk.h"
#include "ktap.h"

static bool is_early;

/* A key that is known is random, or nothing is yet. */
ssize_t getrandom(void *to, size_t len, unsigned int flags)
{
	u8 *p = to;

	if (is_early) {
		EXPECT_EQ(flags, GRND_NONBLOCK); /* or programs that start early would wait */
		errno = EAGAIN;
		return -1;
	}
	for (size_t i = 0; i < len; i++)
		p[i] = (u8)i;
	return (ssize_t)len;
}

/* Where the first places are with that key, as was calculated elsewhere. */
TEST(nodes_are_where_the_key_says)
{
	static const struct {
		u64 node;
		u32 at;
	} all[] = { { 0, 66 }, { 1, 98 }, { 0xffffffffc0400000, 85 }, { 0xffff888000001000, 80 } };
	struct nodes n = { 0 };
	struct view v = { 0 };
	u32 same = 0;

	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		EXPECT(nodes_add(&v, &n, all[i].node, 0));
	EXPECT_EQ(n.hash_size, 128);
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		EXPECT_EQ(n.hash[all[i].at], i + 1);
	nodes_free(&n);
	is_early = true;
	address_hash_draw_key();
	is_early = false;
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		EXPECT(nodes_add(&v, &n, all[i].node, 0));
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		same += n.hash[all[i].at] == i + 1;
	EXPECT(same < ARRAY_SIZE(all));
	nodes_free(&n);
	address_hash_draw_key();
}

/* Return how many places are looked at, at most, to find whether an address is in the set. */
static u32 longest(const struct nodes *n)
{
	u32 most = 0, run = 0;

	for (u32 i = 0; i < 2 * n->hash_size && run < n->hash_size; i++) {
		run = n->hash[i & (n->hash_size - 1)] ? run + 1 : 0;
		if (run > most)
			most = run;
	}
	return most;
}

/* Addresses that differ in some bits only, or by what undoes a multiplication that is well known. */
TEST(nodes_that_a_guest_has_chosen)
{
	static const u64 factors[] = {
		1, 8, 4096, 1ULL << 32, 1ULL << 40, 1ULL << 49, 0xf1de83e19937733d,
	};
	enum { NR = 1 << 15 };
	struct view v = { 0 };

	for (u32 f = 0; f < ARRAY_SIZE(factors); f++) {
		struct nodes n = { 0 };

		for (u64 i = 0; i < NR; i++)
			if (!nodes_add(&v, &n, 0xffff888000000000 + i * factors[f], 0))
				KTAP_SAY_("no %llu of %u", (unsigned long long)i, f);
		for (u64 i = 0; i < NR; i += 97)
			EXPECT_EQ(nodes_find(&n, 0xffff888000000000 + i * factors[f]), i);
		EXPECT_EQ(nodes_find(&n, 0xffff888000000001), factors[f] == 1 ? 1 : -1);
		EXPECT(longest(&n) < 200);
		nodes_free(&n);
	}
}
