// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <pthread.h>
#include <stdint.h>

#include "clock.h"
#include "hist.h"
#include "msg.h"
#include "yardstick.h"

#define STOP UINT32_MAX
#define ROUNDS 16 /* rounds between two readings of the clock */

/* If the ball is odd, the other thread has it. */
struct court {
	_Alignas(128) uint32_t ball;
	_Alignas(128) int cpu;
};

static void *return_balls(void *arg)
{
	struct court *court = arg;
	uint32_t ball;

	if (cpu_pin(court->cpu))
		return NULL; /* slow then, but it ends */
	for (;;) {
		ball = __atomic_load_n(&court->ball, __ATOMIC_ACQUIRE);
		if (ball == STOP)
			return NULL;
		if (ball & 1)
			__atomic_store_n(&court->ball, ball + 1,
					 __ATOMIC_RELEASE);
	}
}

/* Return false if the other thread does not answer. */
static bool play(struct court *court, uint32_t *ball, int rounds)
{
	struct patience patience = { 0 };
	int i;

	for (i = 0; i < rounds; i++) {
		__atomic_store_n(&court->ball, *ball + 1, __ATOMIC_RELEASE);
		*ball = (*ball + 2) & INT32_MAX; /* never near STOP */
		while (__atomic_load_n(&court->ball, __ATOMIC_ACQUIRE) & 1)
			if (patience_lost(&patience))
				return false;
	}
	return true;
}

static int line_open(struct way *way, const struct load *load)
{
	(void)way;
	(void)load;
	return 0;
}

static int line_run(struct way *way, struct meter *meter)
{
	struct line_way *line = container_of(way, struct line_way, way);
	struct court court = { .cpu = line->cpus->work };
	int rounds = meter->times ? 1 : ROUNDS;
	uint64_t start, last, now, nr = 0;
	double took;
	uint32_t ball = 0;
	pthread_t thread;
	bool answered;
	int err;

	err = pthread_create(&thread, NULL, return_balls, &court);
	if (err)
		return fail_errno(err, "cannot create a thread");
	answered = play(&court, &ball, rounds);
	start = clock_ns();
	now = start;
	while (answered && now - start < meter->seconds * 1e9) {
		last = clock_ns();
		answered = play(&court, &ball, rounds);
		now = clock_ns();
		if (meter->times)
			hist_add(meter->times, now - last);
		nr += rounds;
		took = (now - last) / 1e9 / rounds;
		if (!line->best || took < line->best)
			line->best = took;
	}
	__atomic_store_n(&court.ball, STOP, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	if (!answered)
		return fail("CPU %d does not answer", line->cpus->work);
	meter->rate = nr * 1e9 / (now - start);
	return 0;
}

void line_way_init(struct line_way *line, const struct cpus *cpus)
{
	*line = (struct line_way){
		.way = {
			.name = "cache line",
			.open = line_open,
			.run = line_run,
			.serial = true,
		},
		.cpus = cpus,
	};
}
