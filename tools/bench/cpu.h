/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_CPU_H
#define BENCH_CPU_H

#include <sched.h>

/* The first two CPUs that the process may use, or one CPU twice. */
struct cpus {
	int submit; /* for the thread that submits and reaps */
	int work; /* for the worker */
};

int cpus_find(struct cpus *cpus);

/* Pin the calling thread to a CPU. */
int cpu_pin(int cpu);

/* Let it run on all CPUs that cpus_find() has seen, and then where it was. */
void cpus_widen(cpu_set_t *was);
void cpus_narrow(const cpu_set_t *was);

#endif /* BENCH_CPU_H */
