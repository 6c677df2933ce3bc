// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <pthread.h>

#include "core/base/uncancelled.h"
#include "verbs_events.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int verbs_events_lock(void)
{
	return lock_uncancelled(&lock);
}

void verbs_events_unlock(int state)
{
	unlock_uncancelled(&lock, state);
}

static void fork_prepare(void)
{
	pthread_mutex_lock(&lock);
}

static void fork_done(void)
{
	pthread_mutex_unlock(&lock);
}

/* A constructor, because a fork in progress ignores handlers that are registered later. */
static void __attribute__((constructor)) watch_forks(void)
{
	pthread_atfork(fork_prepare, fork_done, fork_done);
}
