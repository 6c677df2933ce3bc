// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "cpu.h"
#include "msg.h"

static cpu_set_t allowed;

int cpus_find(struct cpus *cpus)
{
	int found = 0;
	int cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return fail_errno(errno, "cannot ask for the CPUs");
	for (cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		if (!found++)
			cpus->submit = cpu;
		cpus->work = cpu;
	}
	return found ? 0 : fail("there is no CPU below %d", CPU_SETSIZE);
}

int cpu_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return fail_errno(errno, "cannot run on CPU %d", cpu);
	return 0;
}

void cpus_widen(cpu_set_t *was)
{
	CPU_ZERO(was);
	sched_getaffinity(0, sizeof(*was), was);
	sched_setaffinity(0, sizeof(allowed), &allowed);
}

void cpus_narrow(const cpu_set_t *was)
{
	sched_setaffinity(0, sizeof(*was), was);
}
