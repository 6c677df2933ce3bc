// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Receives datagrams of 64 bytes that bypass the kernel on a fake interface, BURST at a
 * time and in ROUNDS, for callgrind to count the instructions of onload_zc_recv() (make instructions-zc).
 */
#include "../onload/past.h"

static enum onload_zc_callback_rc use(struct onload_zc_recv_args *args, int flags)
{
	(void)args;
	(void)flags;
	return ONLOAD_ZC_CONTINUE;
}

TEST(datagrams)
{
	PAST();
	const int burst = atoi(getenv("BURST") ?: "1"), rounds = atoi(getenv("ROUNDS") ?: "200");
	struct onload_zc_recv_args args = { .cb = use, .flags = INLINE };
	struct pair p = past_pair();
	static struct notes n;
	char data[64] = "";

	past_open(&p, &n);
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < burst; i++)
			EXPECT(past_say(&p, data, sizeof(data)));
		EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	}
	past_end(&p);
	printf("# datagrams: %d\n", rounds * burst);
}
