// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Watch the processes of a target come and go. An array shows the processes at the time of
 * the call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/target.h"

#define GET(p, attr) doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_##attr)

static unsigned int times = 10;

static doca_error_t set_times(void *value, void *config)
{
	(void)config;
	times = (unsigned int)strtoul(value, NULL, 10);
	return times ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static const struct sample_flag flags[] = {
	{ "t", "times", "<times>", "how often, a second apart (default: 10)",
	  set_times },
	{ 0 },
};

/* Both arrays are in the order of PIDs. */
static void show_changes(struct doca_apsh_process **old, int nr_old,
			 struct doca_apsh_process **new, int nr_new)
{
	int o = 0, n = 0;

	while (o < nr_old || n < nr_new) {
		unsigned int was = o < nr_old ? GET(old[o], PID) : UINT32_MAX;
		unsigned int is = n < nr_new ? GET(new[n], PID) : UINT32_MAX;

		if (was < is)
			printf("- %u %s\n", was, GET(old[o], COMM));
		else if (is < was)
			printf("+ %u %s\n", is, GET(new[n], COMM));
		o += was <= is;
		n += is <= was;
	}
}

int main(int argc, char **argv)
{
	struct doca_apsh_process **old, **new;
	struct target target;
	int nr_old, nr_new;

	target_start(&target, "apsh_watch", argc, argv, flags);
	check(doca_apsh_processes_get(target.system, &old, &nr_old),
	      "processes");
	printf("%d processes\n", nr_old);
	for (; times; times--) {
		sleep(1);
		check(doca_apsh_processes_get(target.system, &new, &nr_new),
		      "processes");
		show_changes(old, nr_old, new, nr_new);
		doca_apsh_processes_free(old);
		old = new;
		nr_old = nr_new;
	}
	printf("%d processes\n", nr_old);
	doca_apsh_processes_free(old);
	target_end(&target);
	return 0;
}
