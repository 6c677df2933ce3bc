// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several threads on one driver, each with an engine and a worker; and maps that come and
 * go meanwhile.
 */
#include <poll.h>
#include <pthread.h>

#include "selftests/lib/rounds.h"

#include "bed.h"

#define THREADS 4

static void *user_main(void *arg)
{
	struct bed *bed = arg;
	unsigned int life, i, j;

	for (life = 0; life < 2; life++) {
		bed_create(bed, "software");
		OK(doca_ctx_start(bed->ctx));
		for (i = 0; i < rounds(25); i++) {
			for (j = 0; j < 16; j++)
				bed_copy(bed, j * 4096 + i, 1 << (i % 13));
			bed_wait(bed, (i + 1) * 16);
			for (j = 0; j < 16; j++)
				EXPECT(bed_copied(bed, j * 4096 + i, 1 << (i % 13)));
		}
		EXPECT_EQ(bed->failed, 0);
		bed_destroy(bed);
	}
	return NULL;
}

static void in_threads(void)
{
	pthread_t threads[THREADS];
	struct bed beds[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		EXPECT(!pthread_create(&threads[i], NULL, user_main, &beds[i]));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

TEST(engines_with_workers)
{
	in_threads();
}

TEST(engines_without_workers)
{
	EXPECT(inproc_set_param("workers", false));
	in_threads();
	EXPECT(inproc_set_param("workers", true));
}

TEST(workers_that_sleep)
{
	setenv("DOCA_IDLE_US", "0", 1);
	in_threads();
	unsetenv("DOCA_IDLE_US");
}

/* A thread that maps and unmaps must not disturb another thread's worker. */
static void *mapper_main(void *arg)
{
	const bool *stop = arg;
	char *mem = aligned_alloc(4096, 65536);
	struct doca_dev *dev = bed_open_dev("software");
	struct doca_mmap *mmap;

	while (!__atomic_load_n(stop, __ATOMIC_ACQUIRE)) {
		OK(doca_mmap_create(&mmap));
		OK(doca_mmap_set_memrange(mmap, mem, 65536));
		OK(doca_mmap_add_dev(mmap, dev));
		OK(doca_mmap_start(mmap));
		OK(doca_mmap_destroy(mmap));
	}
	OK(doca_dev_close(dev));
	free(mem);
	return NULL;
}

TEST(maps_come_and_go)
{
	bool stop = false;
	pthread_t thread;
	struct bed bed;

	EXPECT(!pthread_create(&thread, NULL, mapper_main, &stop));
	user_main(&bed);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

static void *poller_main(void *arg)
{
	struct pollfd none = { .fd = -1 };
	const bool *stop = arg;

	while (!__atomic_load_n(stop, __ATOMIC_ACQUIRE))
		poll(&none, 1, 0);
	return NULL;
}

/* Woken, and closed before anybody has noticed. */
TEST(one_polls_while_another_closes)
{
	doca_notification_handle_t handle;
	bool stop = false;
	struct pollfd pfd;
	pthread_t thread;
	unsigned int i;
	struct bed bed;

	bed_create(&bed, "software");
	OK(doca_pe_get_notification_handle(bed.pe, &handle));
	pfd = (struct pollfd){ .fd = handle, .events = POLLIN };
	EXPECT(!pthread_create(&thread, NULL, poller_main, &stop));
	for (i = 1; i <= rounds(100); i++) {
		OK(doca_ctx_start(bed.ctx));
		OK(doca_pe_request_notification(bed.pe));
		bed_copy(&bed, i % 1024 * 64, 64);
		EXPECT_EQ(poll(&pfd, 1, PATIENCE_MS), 1);
		doca_ctx_stop(bed.ctx);
		bed_await_idle(&bed);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	EXPECT_EQ(bed.done, rounds(100));
	bed_destroy(&bed);
}
