// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <pthread.h>

#include "../base/xdp.h"
#include "../zc.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int failed;
/* The table as of before the fork; it may be loaded meanwhile. */
static const struct onload_xdp *xdp;

static void before(void)
{
	sock_lock();
	bypass_lock_all();
	pool_lock();
	stats_lock();
	xdp = xdp_get();
	if (xdp)
		xdp->fork_prepare();
}

static void unlock(void)
{
	stats_unlock();
	pool_unlock();
	bypass_unlock_all();
	sock_unlock();
}

static void after(void)
{
	if (xdp)
		xdp->fork_parent();
	unlock();
}

static void in_child(void)
{
	if (xdp)
		xdp->fork_child();
	stats_leave_to_parent();
	pool_leave_to_parent();
	sock_leave_to_parent();
	interfaces_leave_to_parent();
	unlock();
}

static void watch(void)
{
	failed = pthread_atfork(before, after, in_child);
}

int fork_watch(void)
{
	pthread_once(&once, watch);
	return failed ? -ENOMEM : 0;
}
