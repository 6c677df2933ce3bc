// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * apsh_instructions WHAT CALLS: calls of App Shield on one process of an image, for callgrind to
 * count their instructions, and for perf. WHAT is vads, threads, envars or handles.
 */
#define main ktap_main
#include "apsh_stage.h"
#undef main

#include <stdlib.h>

/* The clock is the machine's. */
void clock_stop(uint64_t step)
{
	(void)step;
}

static void get(struct doca_apsh_process *process, const char *what)
{
	struct doca_apsh_thread **threads;
	struct doca_apsh_handle **handles;
	struct doca_apsh_envar **envars;
	struct doca_apsh_vad **vads;
	int nr;

	switch (*what) {
	case 't':
		OK(doca_apsh_threads_get(process, &threads, &nr));
		doca_apsh_threads_free(threads);
		break;
	case 'h':
		OK(doca_apsh_handles_get(process, &handles, &nr));
		doca_apsh_handles_free(handles);
		break;
	case 'e':
		OK(doca_apsh_envars_get(process, &envars, &nr));
		doca_apsh_envars_free(envars);
		break;
	default:
		OK(doca_apsh_vads_get(process, &vads, &nr));
		doca_apsh_vads_free(vads);
		break;
	}
	EXPECT(nr > 0);
}

int main(int argc, char **argv)
{
	struct doca_apsh_process *process;
	struct doca_apsh_system *system;
	unsigned long calls;

	(void)ktap_last; /* there are no tests */
	if (argc != 3)
		return EXIT_FAILURE;
	system = set_up(4);
	process = process_of(system, 10);
	calls = strtoul(argv[2], NULL, 10);
	while (calls-- && !ktap_bad)
		get(process, argv[1]);
	tear_down(system);
	return ktap_bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
