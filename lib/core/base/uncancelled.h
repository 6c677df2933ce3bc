/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Locks under which there are calls that may wait. A thread that is cancelled ends in such
 * a call, and would take the lock with it: so it is not cancelled before the lock is free.
 */
#ifndef DOCA_CORE_UNCANCELLED_H
#define DOCA_CORE_UNCANCELLED_H

#include <pthread.h>

/* What it returns is for unlock_uncancelled(). */
static inline int lock_uncancelled(pthread_mutex_t *lock)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(lock);
	return state;
}

static inline void unlock_uncancelled(pthread_mutex_t *lock, int state)
{
	pthread_mutex_unlock(lock);
	pthread_setcancelstate(state, NULL);
}

#endif /* DOCA_CORE_UNCANCELLED_H */
