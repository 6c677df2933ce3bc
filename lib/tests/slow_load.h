/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Another thread, slow_loader, that is at a load from slow_load_begin() to slow_load_end(). */
#ifndef DOCA_TESTS_SLOW_LOAD_H
#define DOCA_TESTS_SLOW_LOAD_H

#include <pthread.h>

#include "core/base/loader.h"
#include "ktap.h"

static pthread_barrier_t slow_load_barrier;
static pthread_t slow_loader;

static void *load_slowly(void *unused)
{
	int state;

	EXPECT_EQ(loader_enter(&state), 0);
	pthread_barrier_wait(&slow_load_barrier);
	pthread_barrier_wait(&slow_load_barrier);
	loader_leave(state);
	return unused;
}

/* The program starts the thread itself: that says that it is one to be run under TSan. */
static void slow_load_prepare(void)
{
	ASSERT(!pthread_barrier_init(&slow_load_barrier, NULL, 2));
}

static void slow_load_begin(void)
{
	pthread_barrier_wait(&slow_load_barrier);
}

static void slow_load_end(void)
{
	pthread_barrier_wait(&slow_load_barrier);
	ASSERT(!pthread_join(slow_loader, NULL));
	pthread_barrier_destroy(&slow_load_barrier);
}

#endif /* DOCA_TESTS_SLOW_LOAD_H */
