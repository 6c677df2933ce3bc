// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <doca_error.h>
#include <doca_log.h>

#include "apsh/private.h"

#include "commands.h"
#include "fail.h"
#include "image.h"
#include "options.h"
#include "out.h"
#include "qmp.h"
#include "target.h"

static _Noreturn void fail(const char *what, doca_error_t error)
{
	fprintf(stderr, "doca_apsh: %s: %s\n", what,
		doca_error_get_descr(error));
	exit(1);
}

static void check(doca_error_t error, const char *what)
{
	if (error != DOCA_SUCCESS)
		fail(what, error);
}

/* Find a target by the name of its file; NULL if there is none. */
static struct target *find_named(const char *name)
{
	struct target_list list;
	struct target *found = NULL;

	if (doca_priv_target_list(&list))
		return NULL;
	for (uint32_t i = 0; i < list.nr && !found; i++)
		if (!strcmp(list.targets[i]->name, name))
			found = doca_priv_target_get(list.targets[i]);
	doca_priv_target_list_free(&list);
	return found;
}

static struct target *find_target(const struct options *o)
{
	struct target *found = o->vuid ? doca_priv_target_find(o->vuid) :
					 find_named(o->target);

	if (!found)
		fail(o->vuid ? o->vuid : o->target, DOCA_ERROR_NOT_FOUND);
	if (o->pause && !found->qmp)
		target_fail("target %s has no monitor: see qmp in "
			    "doca_target(5)",
			    found->name);
	return found;
}

static const char *in_folder_of(const char *target, const char *file)
{
	char *path;

	if (asprintf(&path, "%s/%s/%s", doca_priv_targets_dir(), target, file) <
	    0)
		fail(target, DOCA_ERROR_NO_MEMORY);
	return path;
}

/*
 * Use the files that "doca_apsh_map all" has written beside a target's; the strings live to
 * the end.
 */
static void add_defaults(struct options *o)
{
	if (o->target && !o->regions)
		o->regions = in_folder_of(o->target, "mem_regions.json");
	if (o->target && !o->map && !o->maps)
		o->map = in_folder_of(o->target, "symbols.json");
}

/* If pages that lead to the kernel are missing, it may still be running. */
static void exit_if_missing(struct doca_apsh_system *system, doca_error_t error)
{
	struct view_stats stats;

	doca_priv_apsh_stats(system, &stats);
	command_incomplete = error != DOCA_SUCCESS && stats.absent;
	if (!command_incomplete) {
		check(error, "start");
		return;
	}
	out_missing(stats.absent, 0);
	exit(command_verdict(DOCA_SUCCESS, "start"));
}

static struct doca_apsh_system *started(const struct options *o,
					const struct target *target)
{
	struct doca_apsh_system *system = doca_priv_apsh_system_of(target);

	if (!system)
		fail("system", DOCA_ERROR_NO_MEMORY);
	check(doca_apsh_sys_mem_region_set(system, o->regions), o->regions);
	if (o->map)
		check(doca_apsh_sys_os_symbol_map_set(system, o->map), o->map);
	else
		check(doca_apsh_sys_os_symbol_map_folder_set(system, o->maps),
		      o->maps);
	if (o->kpgd)
		check(doca_apsh_sys_kpgd_file_set(system, o->kpgd), o->kpgd);
	/* find matches that cross into another page as well */
	check(doca_apsh_sys_set_scan_window_size(system, 8192), "window");
	exit_if_missing(system, doca_apsh_system_start(system));
	return system;
}

static void print_stats(struct doca_apsh_system *system)
{
	struct view_stats s;

	doca_priv_apsh_stats(system, &s);
	fprintf(stderr,
		"granules %" PRIu64 " rounds %" PRIu64 " bytes %" PRIu64
		" retried %" PRIu64 " left_out %" PRIu64 " hidden %" PRIu64
		" broken %" PRIu64 " absent %" PRIu64 " unjudged %" PRIu64 "\n",
		s.granules, s.rounds, s.bytes, s.retried, s.left_out, s.hidden,
		s.broken, s.absent, s.unjudged);
}

static doca_error_t of_process(struct doca_apsh_system *system,
			       const struct command *command, uint32_t pid)
{
	struct doca_apsh_process **list, *found = NULL;
	doca_error_t ret;
	int nr;

	ret = doca_apsh_processes_get(system, &list, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	for (int i = 0; i < nr; i++)
		if (doca_apsh_process_info_get(list[i],
					       DOCA_APSH_PROCESS_PID) == pid)
			found = list[i];
	if (found) {
		doca_priv_apsh_stats_clear(system);
		ret = command->of_process(found);
	} else {
		ret = DOCA_ERROR_NOT_FOUND;
	}
	doca_apsh_processes_free(list);
	return ret;
}

static doca_error_t run(struct doca_apsh_system *system,
			const struct options *o)
{
	const struct command *command = command_find(o->command);
	struct view_stats stats;
	doca_error_t ret;

	if (o->pid)
		ret = of_process(system, command, o->pid);
	else
		ret = command->of_system(system, o->word);
	doca_priv_apsh_stats(system, &stats);
	command_incomplete |= stats.unjudged != 0;
	if (!command->says_itself)
		out_missing(stats.absent, stats.unjudged);
	if (!stats.absent || command->says_itself)
		return ret;
	/* a failure because of missing memory does not tell either */
	command_incomplete = true;
	return DOCA_SUCCESS;
}

/* Run once, or until it fails or is ended. */
static doca_error_t run_all(struct doca_apsh_system *system,
			    const struct options *o)
{
	doca_error_t ret;

	for (;;) {
		ret = run(system, o);
		if (o->stats)
			print_stats(system);
		if (!o->watch || ret != DOCA_SUCCESS || fflush(stdout))
			return ret;
		out_again = true;
		sleep(o->watch);
	}
}

static void pause_machine(const struct options *o, const struct target *named)
{
	if (o->pause && named)
		qmp_pause(named->qmp);
}

int main(int argc, char **argv)
{
	struct target file = { .memory = TARGET_FILE, .name = "--file" };
	struct doca_apsh_system *system;
	struct doca_log_backend *log;
	struct target *named = NULL;
	struct options o;
	doca_error_t ret;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (argc > 1 && !strcmp(argv[1], "target"))
		return cmd_target(argc - 1, argv + 1);
	options_parse(argc, argv, &o);
	add_defaults(&o);
	if (doca_log_backend_create_with_file_sdk(stderr, &log) == DOCA_SUCCESS)
		doca_log_backend_set_sdk_level(
			log,
			o.stats ? DOCA_LOG_LEVEL_INFO : DOCA_LOG_LEVEL_WARNING);
	if (!o.file)
		named = find_target(&o);
	file.file.path = (char *)o.file;
	file.format = o.format;
	check_has_image = o.image;
	/* it does not stand still while an image is unpacked */
	if (!o.image)
		pause_machine(&o, named);
	system = started(&o, named ? named : &file);
	if (o.image) {
		image_use(system, o.image);
		pause_machine(&o, named);
	}
	ret = run_all(system, &o);
	doca_apsh_system_destroy(system);
	doca_priv_target_put(named);
	return command_verdict(ret, o.command);
}
