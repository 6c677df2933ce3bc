/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The loops that keep operations in flight, for every way with
 *
 *   submit(self, n)  submit n more operations; 0 or -1
 *   reap(self)       wait until at least one is done; how many were, or -1
 *
 * Everything is inlined, these two as well. So the fields of *self may be in
 * registers, and no way pays for a call through a pointer.
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include "clock.h"
#include "hist.h"
#include "way.h"

#define INLINED inline __attribute__((always_inline))

typedef int (*loop_submit_fn)(void *self, unsigned int n);
typedef int (*loop_reap_fn)(void *self);

static INLINED int loop_drain(void *self, unsigned int inflight,
			      loop_reap_fn reap)
{
	int n;

	for (; inflight; inflight -= n) {
		n = reap(self);
		if (n < 0)
			return -1;
	}
	return 0;
}

/* Submit as many again as were reaped. */
static INLINED int loop_rate(void *self, const struct load *load,
			     struct meter *meter, loop_submit_fn submit,
			     loop_reap_fn reap)
{
	unsigned int interval = clock_interval(load->size);
	uint64_t done = 0, next = interval;
	double start, now;
	int n;

	start = clock_now();
	if (submit(self, load->depth))
		return -1;
	for (;;) {
		n = reap(self);
		if (n < 0)
			return -1;
		done += n;
		if (done >= next) {
			next = done + interval;
			now = clock_now();
			if (now - start >= meter->seconds)
				break;
		}
		if (submit(self, n))
			return -1;
	}
	meter->rate = done / (now - start);
	return loop_drain(self, load->depth - n, reap);
}

/* Time one operation after the other. */
static INLINED int loop_times(void *self, struct meter *meter,
			      loop_submit_fn submit, loop_reap_fn reap)
{
	uint64_t start = clock_ns(), end = start + meter->seconds * 1e9;
	uint64_t before, after, done = 0;

	do {
		before = clock_ns();
		if (submit(self, 1) || reap(self) < 0)
			return -1;
		after = clock_ns();
		if (meter->times)
			hist_add(meter->times, after - before);
		done++;
	} while (after < end);
	meter->rate = done * 1e9 / (after - start);
	return 0;
}

static INLINED int loop_run(void *self, const struct load *load,
			    struct meter *meter, loop_submit_fn submit,
			    loop_reap_fn reap)
{
	if (meter->times)
		return loop_times(self, meter, submit, reap);
	return loop_rate(self, load, meter, submit, reap);
}

#endif /* BENCH_LOOP_H */
