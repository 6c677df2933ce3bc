// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "driver_choice.h"

LOG_SOURCE("COMMON::DRIVER");

static bool is_word(const char *value, const char *word)
{
	return value && !strcmp(value, word);
}

static bool is_auto(const char *value)
{
	return !value || !*value || is_word(value, "auto");
}

enum driver_choice driver_choice(void)
{
	const char *value = secure_getenv("DOCA_DRIVER");

	if (is_auto(value))
		return DRIVER_CHOICE_AUTO;
	if (is_word(value, "kernel"))
		return DRIVER_CHOICE_KERNEL;
	if (is_word(value, "process"))
		return DRIVER_CHOICE_PROCESS;
	return DRIVER_CHOICE_UNKNOWN;
}

bool driver_is_absent(int err)
{
	return err == -ENOENT || err == -ENXIO || err == -ENODEV;
}

/* The driver is opened again and again, and what is wrong with it is told once. */
static bool is_first(bool *told)
{
	return !__atomic_exchange_n(told, true, __ATOMIC_RELAXED);
}

void driver_tell_process(bool asked_for)
{
	static bool told;

	if (!is_first(&told))
		return;
	if (asked_for)
		LOG_INFO("in-process driver, as DOCA_DRIVER asks: software "
			 "devices; memory is not pinned");
	else
		LOG_WARN("in-process driver (no /dev/doca): software devices, "
			 "tasks run in the calling thread; memory is not "
			 "pinned. DOCA_DRIVER=process hides this line");
}

static int nr_cpus(void)
{
	cpu_set_t cpus;

	/* The call fails if there are more CPUs than the set can hold. */
	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return CPU_SETSIZE;
	return CPU_COUNT(&cpus);
}

bool driver_wants_workers(void)
{
	const char *value = secure_getenv("DOCA_WORKERS");
	static bool told;

	if (is_auto(value) || is_word(value, "0"))
		return false;
	if (!is_word(value, "1")) {
		if (is_first(&told))
			LOG_WARN("DOCA_WORKERS=%s is none of auto, 0 and 1: "
				 "tasks run in the thread that submits them",
				 value);
		return false;
	}
	if (nr_cpus() < 2) {
		if (is_first(&told))
			LOG_INFO("DOCA_WORKERS=1, but the process may run on "
				 "one CPU only: tasks run in the thread that "
				 "submits them");
		return false;
	}
	return true;
}
