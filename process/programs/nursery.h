/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Victims of a process that has threads already, each as if that had none: ThreadSanitizer ends a
 * child whose first thread gets the stack of one that its parent had. A process that never starts
 * a thread forks them.
 */
#ifndef SELFTESTS_PROCESS_NURSERY_H
#define SELFTESTS_PROCESS_NURSERY_H

#include "pair.h"

struct nursery {
	pid_t parent;
	int ordered, born; /* victims */
	struct shared *shared;
	int (*run)(struct shared *shared);
	pid_t victim;
};

/* It is the child of the test, once the process between them has ended. */
static inline void nursery_bear(struct nursery *nursery)
{
	pid_t between = fork(), pid;

	if (!between) {
		pid = fork();
		if (pid) {
			nursery->victim = pid;
			_exit(0);
		}
		while (getppid() != nursery->parent)
			if (kill(nursery->parent, 0))
				_exit(1);
		victim_work(nursery->shared, nursery->run);
	}
	waitpid(between, NULL, 0);
}

/* Before the test has any thread. */
static inline struct nursery *nursery_open(void)
{
	struct nursery *nursery = map(sizeof(*nursery));
	int nr = 0;

	nursery->parent = getpid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (fork())
		return nursery;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != nursery->parent)
		_exit(1);
	for (;;) {
		nr = load_other(&nursery->ordered, nr);
		nursery_bear(nursery);
		store(&nursery->born, nr);
	}
}

static inline pid_t nursery_victim(struct nursery *nursery,
				   struct shared *shared,
				   int (*run)(struct shared *shared))
{
	int born = nursery->born;

	victim_prepare(shared);
	nursery->shared = shared;
	nursery->run = run;
	store(&nursery->ordered, born + 1);
	load_other(&nursery->born, born);
	AWAIT_VICTIM(nursery->victim, load(&shared->ready));
	return nursery->victim;
}

#endif
