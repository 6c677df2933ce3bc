/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_CPU_H
#define BENCH_CPU_H

/* The first two CPUs that the process may use, or one CPU twice. */
struct cpus {
	int submit; /* for the thread that submits and reaps */
	int work; /* for the worker */
};

int cpus_find(struct cpus *cpus);

/* Pin the calling thread to a CPU. */
int cpu_pin(int cpu);

#endif /* BENCH_CPU_H */
