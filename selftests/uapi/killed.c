// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * SIGKILL in each step of a process's life with the driver: before it, in the middle and
 * after it. Nothing remains of the process.
 */
#include <signal.h>
#include <sys/prctl.h>

#include "counts.h"
#include "world.h"
#include "kselftest_harness.h"

/* Moments of a step: anywhere within, and when it is over */
enum moment { WITHIN, OVER, MOMENTS };

FIXTURE(killed) {
	struct doca d;
	struct world w;
	uint32_t *here; /* shared with the child: 1 when the step begins, 2 after it */
};

/* Steps before the first belong to another variant. */
FIXTURE_VARIANT(killed) {
	const struct step *steps;
	int first;
	uint32_t worker_idle_us;
};

FIXTURE_VARIANT_ADD(killed, orderly) {
	.steps = orderly, .worker_idle_us = DOCA_IDLE_NEVER };
FIXTURE_VARIANT_ADD(killed, file_first) {
	.steps = file_first, .first = NR_MADE };

FIXTURE_SETUP(killed)
{
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, world_init(&self->w, &self->d, variant->worker_idle_us));
	self->here = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->here);
}

FIXTURE_TEARDOWN(killed)
{
	if (self->w.dmabuf >= 0)
		close(self->w.dmabuf);
	munmap(self->here, PAGE);
	DOCA_CLOSE(&self->d);
}

/* Run in the child: the exit code tells which step failed */
static void live(FIXTURE_DATA(killed) *self, const struct step *steps, int at)
{
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (world_begin(&self->w))
		_exit(100);
	for (i = 0; i <= at; i++) {
		if (i == at)
			ring_store(self->here, 1);
		if (steps[i].run(&self->w))
			_exit(1 + i);
	}
	ring_store(self->here, 2);
	for (;;)
		pause();
}

static int live_and_die(FIXTURE_DATA(killed) *self, const struct step *steps, int at,
			enum moment moment, unsigned int turns)
{
	pid_t pid;

	*self->here = 0;
	pid = fork();
	if (!pid)
		live(self, steps, at);
	while (ring_load(self->here) < (moment == OVER ? 2 : 1) && state_of(pid) != 'Z')
		sched_yield();
	if (moment == WITHIN)
		spin(turns);
	kill(pid, SIGKILL);
	return child_wait(pid);
}

TEST_F_TIMEOUT(killed, in_each_step, 600)
{
	uint32_t seed = 4711;
	int at, i;

	for (at = variant->first; variant->steps[at].name; at++) {
		for (i = 0; i < rounds(MOMENTS); i++) {
			ASSERT_EQ(1000 + SIGKILL,
				  live_and_die(self, variant->steps, at, i % MOMENTS,
					       prng(&seed) % 20000));
			ASSERT_TRUE(world_is_gone(&self->w))
				TH_LOG("in step %s", variant->steps[at].name);
		}
	}
}

TEST_HARNESS_MAIN
