/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Threads that get no CPU: of the policy SCHED_IDLE, on a CPU that others keep busy. Any user
 * can have such threads. The kernel preempts them wherever they are, also while they hold
 * what others need. Whether they ran is known by their context switches.
 */
#ifndef SELFTESTS_UAPI_STARVE_H
#define SELFTESTS_UAPI_STARVE_H

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "../lib/write_to.h"
#include "doca_ring.h"

#define STARVED 8
#define STARVED_CPU 1
#define HOGS 2
#define PREEMPT "/sys/kernel/debug/sched/preempt"

struct starved {
	pthread_t thread;
	pid_t tid;
	uint32_t turns;
	struct starving *all;
	void (*turn)(void *arg);
	void *arg;
};

struct starving {
	struct starved threads[STARVED];
	int nr;
	pthread_t hogs[HOGS];
	uint32_t nr_busy; /* hogs */
	bool hold, stop;
	int go[2]; /* a byte for each hog */
	char preempt[16]; /* before */
};

static inline int stay_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

static inline void *starved_main(void *arg)
{
	struct starved *t = arg;

	stay_on(STARVED_CPU);
	sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){});
	ring_store((uint32_t *)&t->tid, gettid());
	while (!ring_load(&t->all->stop)) {
		t->turn(t->arg);
		ring_store(&t->turns, t->turns + 1);
	}
	return NULL;
}

static inline void *hog_main(void *arg)
{
	struct starving *s = arg;
	char c;

	stay_on(STARVED_CPU);
	setpriority(PRIO_PROCESS, gettid(), -5);
	while (read(s->go[0], &c, 1) == 1) {
		__atomic_add_fetch(&s->nr_busy, 1, __ATOMIC_SEQ_CST);
		while (ring_load(&s->hold))
			;
		__atomic_sub_fetch(&s->nr_busy, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Return true if the kernel preempts itself from now on: it must have been asked to. */
static inline bool preempt_fully(char *before, size_t size)
{
	char all[64] = "", *first, *end;
	FILE *f = fopen(PREEMPT, "r");

	if (f && !fgets(all, sizeof(all), f))
		*all = '\0';
	if (f)
		fclose(f);
	first = strchr(all, '(');
	end = strchr(all, ')');
	if (!first || !end || end - first > size)
		return false;
	*end = '\0';
	strcpy(before, first + 1);
	return !strcmp(before, "full") || write_to(PREEMPT, "full");
}

static inline bool starving_begin(struct starving *s)
{
	int i;

	*s = (struct starving){};
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || pipe(s->go) ||
	    !preempt_fully(s->preempt, sizeof(s->preempt)))
		return false;
	stay_on(0);
	for (i = 0; i < HOGS; i++)
		if (pthread_create(&s->hogs[i], NULL, hog_main, s))
			return false;
	return true;
}

static inline bool starving_add(struct starving *s, void (*turn)(void *arg), void *arg)
{
	struct starved *t = &s->threads[s->nr];

	*t = (struct starved){ .all = s, .turn = turn, .arg = arg };
	if (pthread_create(&t->thread, NULL, starved_main, t))
		return false;
	s->nr++;
	WAIT_UNTIL(ring_load((uint32_t *)&t->tid));
	return true;
}

/* Let the threads run until each has had a turn, and then not any more. */
static inline void starve(struct starving *s)
{
	uint32_t turns[STARVED];
	int i;

	for (i = 0; i < s->nr; i++)
		turns[i] = ring_load(&s->threads[i].turns);
	for (i = 0; i < s->nr; i++)
		WAIT_UNTIL(ring_load(&s->threads[i].turns) != turns[i]);
	ring_store(&s->hold, true);
	for (i = 0; i < HOGS; i++)
		if (write(s->go[1], "", 1) != 1)
			abort();
	WAIT_UNTIL(ring_load(&s->nr_busy) == HOGS);
}

static inline void feed(struct starving *s)
{
	ring_store(&s->hold, false);
	WAIT_UNTIL(!ring_load(&s->nr_busy));
}

/* Count how often the threads were taken off their CPU: constant while none of them runs. */
static inline long starved_switches(const struct starving *s)
{
	char path[64];
	long sum = 0;
	int i;

	for (i = 0; i < s->nr; i++) {
		snprintf(path, sizeof(path), "/proc/self/task/%d/status", s->threads[i].tid);
		sum += proc_value(path, "voluntary_ctxt_switches:") +
		       proc_value(path, "nonvoluntary_ctxt_switches:");
	}
	return sum;
}

static inline void starving_end(struct starving *s)
{
	int i;

	ring_store(&s->stop, true);
	for (i = 0; i < s->nr; i++)
		pthread_join(s->threads[i].thread, NULL);
	close(s->go[1]);
	for (i = 0; i < HOGS; i++)
		pthread_join(s->hogs[i], NULL);
	close(s->go[0]);
	if (strcmp(s->preempt, "full"))
		write_to(PREEMPT, s->preempt);
}

#endif
