/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_CPU_H
#define BENCH_CPU_H

/* The first two that the process may use; the same one twice if it is alone. */
struct cpus {
	int submit; /* of the thread that submits and reaps */
	int work; /* of the worker */
};

int cpus_find(struct cpus *cpus);

/* Put the calling thread on a CPU. */
int cpu_pin(int cpu);

#endif /* BENCH_CPU_H */
