// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Children of a process with another thread in the library. */
#include <pthread.h>

#include "bed.h"

static void *list(void *arg)
{
	struct doca_devinfo **list;
	uint32_t nr;

	(void)arg;
	if (!doca_devinfo_create_list(&list, &nr))
		doca_devinfo_destroy_list(list);
	return NULL;
}

static void spin(unsigned int turns)
{
	volatile unsigned int i;

	for (i = 0; i < turns; i++)
		;
}

/* Another thread starts the driver; a thread in the child starts it again. */
static int fork_at(unsigned int moment)
{
	pthread_t thread;
	pid_t pid;
	int rc;

	if (pthread_create(&thread, NULL, list, NULL))
		return 1;
	spin(moment);
	pid = fork();
	if (!pid) {
		alarm(5);
		_exit(!bed_open_dev(NULL));
	}
	rc = bed_wait(pid);
	pthread_join(thread, NULL);
	return rc;
}

FIXTURE(forks)
{
};

FIXTURE_SETUP(forks)
{
}

FIXTURE_TEARDOWN(forks)
{
}

TEST_F_TIMEOUT(forks, while_the_driver_begins, 120)
{
	unsigned int round, moment;
	pid_t pid;

	for (round = 0; round < rounds(2000); round++) {
		moment = round % 1000 * 500;
		pid = quiet_fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(fork_at(moment));
		}
		EXPECT_EQ(0, bed_wait(pid))
		TH_LOG("forked after %u turns", moment);
	}
}

TEST_HARNESS_MAIN
