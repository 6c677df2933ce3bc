// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A program that keeps all that it may, again and again, and releases it in another thread. */
#include "past.h"

#define ROUNDS 1000
#define ROOM 10 /* buffers that are left for datagrams */
#define LEN 200

static struct {
	onload_zc_handle bufs[ROOM + 1];
	const uint8_t *data[ROOM + 1];
	unsigned int nr;
	int fd;
} kept;

static enum onload_zc_callback_rc keep(struct onload_zc_recv_args *args,
				       int flags)
{
	(void)flags;
	EXPECT_EQ(args->msg.iov[0].iov_len, LEN);
	kept.bufs[kept.nr] = args->msg.iov[0].buf;
	kept.data[kept.nr++] = args->msg.iov[0].iov_base;
	return ONLOAD_ZC_KEEP;
}

static int recv_and_keep(void)
{
	struct onload_zc_recv_args args = { .cb = keep, .flags = INLINE };

	return onload_zc_recv(kept.fd, &args);
}

static void *release(void *arg)
{
	(void)arg;
	EXPECT_EQ(onload_zc_release_buffers(kept.fd, kept.bufs, kept.nr), 0);
	kept.nr = 0;
	return NULL;
}

static void say_byte(struct pair *p, uint8_t byte, bool past)
{
	uint8_t data[LEN];

	memset(data, byte, LEN);
	if (past)
		EXPECT(past_say(p, data, LEN));
	else
		say(p, data, LEN);
}

static bool is_whole(const uint8_t *data, uint8_t byte)
{
	for (unsigned int i = 0; i < LEN; i++)
		if (data[i] != byte)
			return false;
	return true;
}

/* What comes when there is no buffer waits in the kernel, and overwrites nothing. */
static void keep_all(struct pair *p, unsigned int round, bool past)
{
	pthread_t thread;

	for (unsigned int i = 0; i < ROOM; i++) {
		say_byte(p, round + i, past && i % 2);
		EXPECT_EQ(recv_and_keep(), 0);
	}
	EXPECT_EQ(kept.nr, ROOM);
	say_byte(p, 99, false);
	EXPECT_EQ(recv_and_keep(), -ENOBUFS);
	for (unsigned int i = 0; i < ROOM; i++)
		EXPECT(is_whole(kept.data[i], round + i));
	EXPECT_EQ(pthread_create(&thread, NULL, release, NULL), 0);
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_EQ(recv_and_keep(), 0);
	EXPECT(is_whole(kept.data[0], 99));
	release(NULL);
}

static void keep_again_and_again(struct pair *p, bool past)
{
	struct onload_zc_iovec iov[LIMIT];
	onload_zc_handle bufs[LIMIT - ROOM];

	kept.fd = p->rx;
	kept.nr = 0;
	EXPECT_EQ(onload_zc_alloc_buffers(p->rx, iov, LIMIT - ROOM, 0), 0);
	for (unsigned int i = 0; i < LIMIT - ROOM; i++)
		bufs[i] = iov[i].buf;
	for (unsigned int round = 0; round < ROUNDS && !ktap_bad; round++)
		keep_all(p, round, past);
	EXPECT_EQ(onload_zc_release_buffers(p->rx, bufs, LIMIT - ROOM), 0);
	EXPECT_EQ(nr_free(p->rx), LIMIT);
}

/*
 * The page that a datagram is copied to, which was not there: what other threads do between
 * the taking of a datagram and its end is done when it is touched.
 */
static struct {
	struct pair p;
	char *page;
	size_t size;
	struct notes n;
} meanwhile;

static void open_again(int sig)
{
	const uint8_t others[1000] = "others";

	(void)sig;
	end(&meanwhile.p);
	meanwhile.p = past_pair();
	past_open(&meanwhile.p, &meanwhile.n);
	for (int i = 0; i < LIMIT; i++)
		past_say(&meanwhile.p, others, sizeof(others));
	mprotect(meanwhile.page, meanwhile.size, PROT_READ | PROT_WRITE);
}

TEST(what_is_in_hand_is_not_the_kernel_s)
{
	PAST();
	SIGNALS();
	const size_t size = sysconf(_SC_PAGESIZE);
	struct iovec iov = { NULL, 1000 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	const char *under = getenv("UNDER");
	char datum[1000];

	if (under && !strcmp(under, "valgrind"))
		SKIP("valgrind takes the fault for one that is not meant");
	meanwhile.size = size;
	meanwhile.page =
		mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT(meanwhile.page != MAP_FAILED);
	meanwhile.p = past_pair();
	past_open(&meanwhile.p, &meanwhile.n);
	memset(datum, 'a', sizeof(datum));
	EXPECT(past_say(&meanwhile.p, datum, sizeof(datum)));
	iov.iov_base = meanwhile.page;
	signal(SIGSEGV, open_again);
	EXPECT_EQ(recvmsg(meanwhile.p.rx, &msg, 0), sizeof(datum));
	signal(SIGSEGV, SIG_DFL);
	EXPECT(!memcmp(meanwhile.page, datum, sizeof(datum)));
	munmap(meanwhile.page, size);
	meanwhile.n.calls = 0;
	while (!zc_recv(meanwhile.p.rx, &meanwhile.n, INLINE))
		;
	EXPECT(meanwhile.n.calls >= LIMIT - 2);
	EXPECT_EQ(nr_free(meanwhile.p.rx), LIMIT);
	past_end(&meanwhile.p);
}

TEST(a_thousand_times_through_the_kernel)
{
	struct pair p = pair();

	keep_again_and_again(&p, false);
	end(&p);
}

TEST(a_thousand_times_by_both_paths)
{
	PAST();
	struct pair p = past_pair();
	static struct notes n;

	past_open(&p, &n);
	keep_again_and_again(&p, true);
	past_end(&p);
}
