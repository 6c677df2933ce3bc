// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

#define NS_PER_SEC 1000000000ull

/* Any thread may read them. */
static bool stopped;
static uint64_t now, step;
static unsigned int pauses;
static time_t ahead;

int __real_clock_gettime(clockid_t id, struct timespec *ts);
int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
int __real_usleep(useconds_t us);
int __wrap_usleep(useconds_t us);

static bool is_stopped(void)
{
	return __atomic_load_n(&stopped, __ATOMIC_ACQUIRE);
}

int __wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	uint64_t ns;
	int ret;

	if (id != CLOCK_MONOTONIC || !is_stopped()) {
		ret = __real_clock_gettime(id, ts);
		if (id == CLOCK_REALTIME)
			ts->tv_sec += ahead;
		return ret;
	}
	ns = __atomic_add_fetch(&now, step, __ATOMIC_RELAXED);
	ts->tv_sec = ns / NS_PER_SEC;
	ts->tv_nsec = ns % NS_PER_SEC;
	return 0;
}

int __wrap_usleep(useconds_t us)
{
	if (!is_stopped())
		return __real_usleep(us);
	clock_advance(us * 1000ull);
	__atomic_add_fetch(&pauses, 1, __ATOMIC_RELAXED);
	return sched_yield();
}

void clock_stop(uint64_t by)
{
	struct timespec ts;

	__real_clock_gettime(CLOCK_MONOTONIC, &ts);
	now = ts.tv_sec * NS_PER_SEC + ts.tv_nsec;
	step = by;
	pauses = 0;
	__atomic_store_n(&stopped, true, __ATOMIC_RELEASE);
}

void clock_advance(uint64_t ns)
{
	__atomic_add_fetch(&now, ns, __ATOMIC_RELAXED);
}

void clock_wall_ahead(unsigned int seconds)
{
	ahead = seconds;
}

void clock_go_on(void)
{
	__atomic_store_n(&stopped, false, __ATOMIC_RELEASE);
}

unsigned int clock_pauses(void)
{
	return __atomic_load_n(&pauses, __ATOMIC_RELAXED);
}
