// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Compare the code of a process with hashes, again and again, until it differs.
 * "doca_apsh_map hash --pid N" writes the hashes, on the target.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/target.h"

#define AREA(attr) \
	doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_##attr)

static unsigned int pid = 1, times = 10;
static const char *hashes = "/tmp/hash.json";

static doca_error_t set_pid(void *value, void *config)
{
	(void)config;
	pid = (unsigned int)strtoul(value, NULL, 10);
	return pid ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t set_times(void *value, void *config)
{
	(void)config;
	times = (unsigned int)strtoul(value, NULL, 10);
	return times ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t set_hashes(void *value, void *config)
{
	(void)config;
	hashes = strdup(value);
	return hashes ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static const struct sample_flag flags[] = {
	{ "n", "pid", "<pid>", "PID of the process (default: 1)", set_pid },
	{ "e", "hashes", "<file>", "hashes (default: /tmp/hash.json)",
	  set_hashes },
	{ "t", "times", "<times>", "how often, a second apart (default: 10)",
	  set_times },
	{ 0 },
};

/* Count the areas that have pages which differ from their hashes. */
static int count_bad(struct doca_apsh_attestation **list, int nr)
{
	int bad = 0;

	for (int i = 0; i < nr; i++) {
		if (AREA(PAGES_PRESENT) == AREA(MATCHING_HASHES))
			continue;
		printf("%d of %d pages are as they should be: %s%s\n",
		       AREA(MATCHING_HASHES), AREA(PAGES_PRESENT),
		       AREA(PATH_OF_MEMORY_AREA),
		       AREA(HASH_DATA_IS_PRESENT) ? "" : " (unknown)");
		bad++;
	}
	return bad;
}

int main(int argc, char **argv)
{
	struct doca_apsh_attestation **list;
	struct doca_apsh_process **processes, *process;
	struct target target;
	int nr, bad;

	target_start(&target, "apsh_attest", argc, argv, flags);
	process = target_find_process(&target, pid, &processes);
	check(doca_apsh_attestation_get(process, hashes, &list, &nr),
	      "attestation");
	doca_apsh_processes_free(processes);
	if (!nr)
		give_up(DOCA_ERROR_NOT_FOUND, "code of a file");
	bad = count_bad(list, nr);
	while (!bad && --times) {
		sleep(1);
		check(doca_apsh_attst_refresh(&list, &nr), "attestation");
		bad = count_bad(list, nr);
	}
	if (!bad)
		printf("%d areas are as they should be\n", nr);
	doca_apsh_attestation_free(list);
	target_end(&target);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
