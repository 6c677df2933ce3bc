/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Locks that are held across calls which may wait. A cancelled thread ends in such a call
 * and would leave the lock locked, so cancellation is disabled while it is held.
 */
#ifndef DOCA_CORE_UNCANCELLED_H
#define DOCA_CORE_UNCANCELLED_H

#include <pthread.h>

/* Returns the state for unlock_uncancelled(). */
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
