// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The lock of the library, held during a fork, and the number of forks. */
#include "dm.h"

pthread_mutex_t dm_lock = PTHREAD_MUTEX_INITIALIZER;
unsigned int forks_seen;

static void before_fork(void)
{
	pthread_mutex_lock(&dm_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&dm_lock);
}

static void in_child(void)
{
	forks_seen++;
	pthread_mutex_unlock(&dm_lock);
}

static __attribute__((constructor)) void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}
