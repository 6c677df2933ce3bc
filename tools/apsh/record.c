// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ask for everything that needs no hashes, so that the memory behind the answers is
 * recorded. The answers themselves do not matter, nor do errors of single processes. A
 * process without memory, such as the kernel's own, has no arguments to ask for.
 */
#include <stdio.h>

#include "apsh/private.h"

#include "commands.h"

#define ASK(from, get, drop, type)                                \
	do {                                                      \
		struct type **found;                              \
		int nr_found;                                     \
                                                                  \
		if (get(from, &found, &nr_found) == DOCA_SUCCESS) \
			drop(found);                              \
	} while (0)

static void ask_process(struct doca_apsh_process *process)
{
	struct doca_apsh_process_parameters *args;
	struct doca_apsh_vad **areas;
	int nr_areas;

	ASK(process, doca_apsh_threads_get, doca_apsh_threads_free,
	    doca_apsh_thread);
	ASK(process, doca_apsh_libs_get, doca_apsh_libs_free, doca_apsh_lib);
	ASK(process, doca_apsh_envars_get, doca_apsh_envars_free,
	    doca_apsh_envar);
	ASK(process, doca_apsh_privileges_get, doca_apsh_privileges_free,
	    doca_apsh_privilege);
	ASK(process, doca_apsh_handles_get, doca_apsh_handles_free,
	    doca_apsh_handle);
	ASK(process, doca_apsh_process_netscan_get, doca_apsh_netscan_free,
	    doca_apsh_netscan);
	ASK(process, doca_priv_apsh_mounts_get, doca_priv_apsh_mounts_free,
	    apsh_mount);
	if (doca_apsh_vads_get(process, &areas, &nr_areas) != DOCA_SUCCESS ||
	    !nr_areas)
		return;
	doca_apsh_vads_free(areas);
	if (doca_apsh_process_parameters_get(process, &args) == DOCA_SUCCESS)
		doca_apsh_process_parameters_free(args);
}

static void ask_containers(struct doca_apsh_system *system)
{
	struct doca_apsh_container **list;
	int nr;

	if (doca_apsh_containers_get(system, &list, &nr) != DOCA_SUCCESS)
		return;
	for (int i = 0; i < nr; i++)
		ASK(list[i], doca_apsh_container_processes_get,
		    doca_apsh_processes_free, doca_apsh_process);
	doca_apsh_containers_free(list);
}

doca_error_t record(struct doca_apsh_system *system, const char *path)
{
	struct doca_apsh_process **list;
	doca_error_t ret;
	int nr;

	ret = doca_priv_apsh_record(system);
	if (ret == DOCA_SUCCESS)
		ret = doca_apsh_processes_get(system, &list, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	for (int i = 0; i < nr; i++)
		ask_process(list[i]);
	doca_apsh_processes_free(list);
	ASK(system, doca_priv_apsh_modules_scan, doca_apsh_module_free,
	    doca_apsh_module);
	ASK(system, doca_priv_apsh_system_calls_check,
	    doca_priv_apsh_findings_free, apsh_finding);
	ASK(system, doca_priv_apsh_interrupts_check,
	    doca_priv_apsh_findings_free, apsh_finding);
	ASK(system, doca_priv_apsh_hooks_check, doca_priv_apsh_findings_free,
	    apsh_finding);
	ASK(system, doca_apsh_netscan_get, doca_apsh_netscan_free,
	    doca_apsh_netscan);
	ASK(system, doca_apsh_interfaces_get, doca_apsh_interfaces_free,
	    doca_apsh_interface);
	ASK(system, doca_priv_apsh_messages_get, doca_priv_apsh_messages_free,
	    apsh_message);
	ask_containers(system);
	return doca_priv_apsh_record_write(system, path);
}
