/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Threads that a test waits for until they wait themselves, which no clock tells. */
#ifndef DOCA_TESTS_ASLEEP_H
#define DOCA_TESTS_ASLEEP_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* One that has ended counts, too. */
static inline bool is_asleep(pid_t tid)
{
	char path[48], state = 'X';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	stat = fopen(path, "r");
	if (stat && fscanf(stat, "%*d %*s %c", &state) != 1)
		state = 'X';
	if (stat)
		fclose(stat);
	return state != 'R';
}

/* A thread tells its number before what it is to sleep in. */
static inline void until_asleep(const atomic_int *tid)
{
	while (!atomic_load(tid) || !is_asleep(atomic_load(tid)))
		sched_yield();
}

/* Who forks now, 0 if nobody does, and how often that was. */
static atomic_int forker;
static atomic_uint forks;

static inline void fork_begins(void)
{
	atomic_store(&forker, gettid());
}

static inline void fork_ends(void)
{
	atomic_store(&forker, 0);
	atomic_fetch_add(&forks, 1);
}

/* Handlers that were added last are called first, so the libraries must have theirs. */
static inline void watch_forks_first(void)
{
	pthread_atfork(fork_begins, fork_ends, NULL);
}

/* Return when another thread forks and waits for this one, or has forked without that. */
static inline void stay_until_fork(void)
{
	const unsigned int before = atomic_load(&forks);
	int tid = 0;

	while (atomic_load(&forks) == before && (!tid || !is_asleep(tid))) {
		sched_yield();
		tid = atomic_load(&forker);
	}
}

#endif /* DOCA_TESTS_ASLEEP_H */
