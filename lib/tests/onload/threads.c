// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Threads that receive from one socket, and threads that release. */
#include <sched.h>
#include <stdatomic.h>

#include "bed.h"

#define THREADS 4
#define NUMBERS 20000

static struct pair shared;
static atomic_uint seen[NUMBERS];
static atomic_uint nr_seen;
static atomic_bool over;

/* Between the threads that keep and the one that releases. */
static struct {
	pthread_mutex_t lock;
	onload_zc_handle bufs[LIMIT];
	unsigned int nr;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum onload_zc_callback_rc count(struct onload_zc_recv_args *args,
					int flags)
{
	uint32_t number;
	bool kept;

	(void)flags;
	memcpy(&number, args->msg.iov[0].iov_base, sizeof(number));
	if (number < NUMBERS)
		atomic_fetch_add(&seen[number], 1);
	atomic_fetch_add(&nr_seen, 1);
	pthread_mutex_lock(&queue.lock);
	kept = queue.nr < LIMIT;
	if (kept)
		queue.bufs[queue.nr++] = args->msg.iov[0].buf;
	pthread_mutex_unlock(&queue.lock);
	return kept ? ONLOAD_ZC_KEEP : ONLOAD_ZC_CONTINUE;
}

static void *receiver(void *arg)
{
	struct onload_zc_recv_args args = { .cb = count, .flags = INLINE };
	int ret;

	(void)arg;
	while (!atomic_load(&over)) {
		ret = onload_zc_recv(shared.rx, &args);
		if (ret && ret != -EAGAIN && ret != -ENOBUFS)
			return "failed";
		if (ret)
			sched_yield();
	}
	return NULL;
}

/* All that are there, in one call. */
static int release(void)
{
	int ret;

	pthread_mutex_lock(&queue.lock);
	ret = onload_zc_release_buffers(shared.rx, queue.bufs, queue.nr);
	queue.nr = 0;
	pthread_mutex_unlock(&queue.lock);
	return ret;
}

static void *releaser(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		if (release())
			return "failed";
		sched_yield();
	}
	return NULL;
}

TEST(threads_share_the_datagrams_of_a_socket)
{
	pthread_t threads[THREADS + 1];
	unsigned int wrong = 0;
	void *failed;

	shared = pair();
	for (int i = 0; i <= THREADS; i++)
		ASSERT(!pthread_create(&threads[i], NULL,
				       i ? receiver : releaser, NULL));
	for (uint32_t i = 0; i < NUMBERS; i++) {
		say(&shared, &i, sizeof(i));
		while (atomic_load(&nr_seen) + 64 <= i)
			sched_yield();
	}
	while (atomic_load(&nr_seen) < NUMBERS)
		sched_yield();
	atomic_store(&over, true);
	for (int i = 0; i <= THREADS; i++) {
		pthread_join(threads[i], &failed);
		EXPECT(!failed);
	}
	for (int i = 0; i < NUMBERS; i++)
		wrong += atomic_load(&seen[i]) != 1;
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(release(), 0);
	EXPECT_EQ(nr_free(shared.rx), LIMIT);
	end(&shared);
}

static void *waiter(void *arg)
{
	static struct notes n;

	zc_recv(*(int *)arg, &n, ONLOAD_MSG_RECV_OS_INLINE);
	return NULL;
}

TEST(a_thread_that_waits_is_cancelled)
{
	struct pair p = pair();
	pthread_t thread;
	void *result;

	ASSERT(!pthread_create(&thread, NULL, waiter, &p.rx));
	usleep(10000);
	EXPECT_EQ(pthread_cancel(thread), 0);
	EXPECT_EQ(pthread_join(thread, &result), 0);
	EXPECT(result == PTHREAD_CANCELED);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	end(&p);
}

TEST(a_thread_waits_until_there_is_a_datagram)
{
	struct pair p = pair();
	pthread_t thread;
	void *result = "";

	ASSERT(!pthread_create(&thread, NULL, waiter, &p.rx));
	usleep(10000);
	say(&p, "x", 1);
	EXPECT_EQ(pthread_join(thread, &result), 0);
	EXPECT(!result);
	end(&p);
}
