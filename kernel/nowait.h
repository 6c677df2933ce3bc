/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Contexts that others need: the ends of files and descriptors, reports of the ends of address
 * spaces and devices, work items that all share, and calls of administrators. They take no lock
 * that sleeps and that a user's thread may hold while it is preempted, for the thread may get no
 * CPU for as long as its user likes.
 *
 * Lockdep holds that, on kernels that have it. Such a context has a lock that exists for lockdep
 * only; and users' locks, when they are initialized, are said to be taken before it. To take one
 * in such a context is the reverse order, which lockdep reports. To try is not.
 */
#ifndef DOCA_NOWAIT_H
#define DOCA_NOWAIT_H

#include <linux/mutex.h>

#ifdef CONFIG_LOCKDEP
#include <linux/lockdep.h>

extern struct lockdep_map doca_nowait_map;

/* Contexts may be nested. */
static inline void doca_nowait_begin(void)
{
	lock_map_acquire_read(&doca_nowait_map);
}

static inline void doca_nowait_end(void)
{
	lock_map_release(&doca_nowait_map);
}

/* Call it behind mutex_init(), for a lock that users' threads hold while they may be preempted. */
static inline void doca_nowait_never_takes(struct mutex *lock)
{
	mutex_acquire(&lock->dep_map, 0, 0, _THIS_IP_);
	lock_map_acquire(&doca_nowait_map);
	lock_map_release(&doca_nowait_map);
	mutex_release(&lock->dep_map, _THIS_IP_);
}
#else
static inline void doca_nowait_begin(void)
{
}

static inline void doca_nowait_end(void)
{
}

static inline void doca_nowait_never_takes(struct mutex *lock)
{
}
#endif

#endif
