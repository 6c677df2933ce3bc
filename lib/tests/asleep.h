/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Waits until another thread sleeps, without a clock. */
#ifndef DOCA_TESTS_ASLEEP_H
#define DOCA_TESTS_ASLEEP_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* A thread that has ended counts as well. */
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

/* Each thread stores its number before the call in which it will sleep. */
static inline void until_asleep(const atomic_int *tid)
{
	while (!atomic_load(tid) || !is_asleep(atomic_load(tid)))
		sched_yield();
}

/* The thread that forks now, 0 for none, and the number of forks. */
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

/* Handlers that are added last are called first, so add them after the libraries' own. */
static inline void watch_forks_first(void)
{
	pthread_atfork(fork_begins, fork_ends, NULL);
}

/* Return when another thread forks and waits for this one, or has forked without waiting. */
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
