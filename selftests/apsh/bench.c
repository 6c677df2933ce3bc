// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Measure how long App Shield takes on a target whose memory is at rest:
 *
 * bench TARGET REGIONS MAP FULL_MAP DOCA_APSH
 *
 * Each line names what was measured, and gives medians of some runs in microseconds: of
 * the time that passed, and of the processor's time, which other work disturbs less.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <doca_apsh.h>
#include <doca_error.h>
#include <doca_log.h>

#include "apsh/private.h"

extern char **environ;

enum { RUNS = 15, RUNS_OF_FULL = 5, RUNS_OF_ALL = 5 };

static const struct target *target;
static const char *regions, *map, *full_map, *tool;

static void check(doca_error_t ret, const char *what)
{
	if (ret == DOCA_SUCCESS)
		return;
	fprintf(stderr, "bench: %s: %s\n", what, doca_error_get_descr(ret));
	exit(EXIT_FAILURE);
}

struct times {
	double real[RUNS], cpu[RUNS];
	int nr;
};

static double read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void begin(struct times *t)
{
	t->real[t->nr] = read_clock(CLOCK_MONOTONIC);
	t->cpu[t->nr] = read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static void end(struct times *t)
{
	t->real[t->nr] = read_clock(CLOCK_MONOTONIC) - t->real[t->nr];
	t->cpu[t->nr] = read_clock(CLOCK_PROCESS_CPUTIME_ID) - t->cpu[t->nr];
	t->nr++;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Print the medians divided by @parts. */
static void print_medians(const char *what, struct times *t, int parts)
{
	qsort(t->real, (size_t)t->nr, sizeof(double), by_value);
	qsort(t->cpu, (size_t)t->nr, sizeof(double), by_value);
	printf("%s %.1f %.1f\n", what, t->real[t->nr / 2] / parts,
	       t->cpu[t->nr / 2] / parts);
}

static struct doca_apsh_system *started(const char *symbols)
{
	struct doca_apsh_system *s = doca_priv_apsh_system_of(target);

	check(s ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY, "system");
	check(doca_apsh_sys_mem_region_set(s, regions), regions);
	check(doca_apsh_sys_os_symbol_map_set(s, symbols), symbols);
	check(doca_apsh_system_start(s), "start");
	return s;
}

static void measure_start(const char *what, const char *symbols, int runs)
{
	struct times t = { .nr = 0 };

	while (t.nr < runs) {
		struct doca_apsh_system *s;

		begin(&t);
		s = started(symbols);
		end(&t);
		doca_apsh_system_destroy(s);
	}
	print_medians(what, &t, 1);
}

static void measure_processes(struct doca_apsh_system *s)
{
	struct doca_apsh_process **list;
	struct times t = { .nr = 0 };
	int nr;

	while (t.nr < RUNS) {
		begin(&t);
		check(doca_apsh_processes_get(s, &list, &nr), "processes");
		end(&t);
		doca_apsh_processes_free(list);
	}
	printf("processes %d %d\n", nr, nr);
	print_medians("a_process", &t, nr);
}

/* A process that ends meanwhile has no objects, which is no failure. */
#define GET(get, drop, type, of)               \
	do {                                   \
		struct type **list_;           \
		int nr_;                       \
		if (!get(of, &list_, &nr_))    \
			drop(list_);           \
	} while (0)

static void look_at_all(struct doca_apsh_system *s)
{
	struct doca_apsh_process **list;
	int nr;

	check(doca_apsh_processes_get(s, &list, &nr), "processes");
	for (int i = 0; i < nr; i++) {
		GET(doca_apsh_threads_get, doca_apsh_threads_free,
		    doca_apsh_thread, list[i]);
		GET(doca_apsh_vads_get, doca_apsh_vads_free, doca_apsh_vad,
		    list[i]);
		GET(doca_apsh_libs_get, doca_apsh_libs_free, doca_apsh_lib,
		    list[i]);
	}
	doca_apsh_processes_free(list);
	GET(doca_apsh_modules_get, doca_apsh_module_free, doca_apsh_module, s);
	GET(doca_apsh_netscan_get, doca_apsh_netscan_free, doca_apsh_netscan, s);
	GET(doca_apsh_interfaces_get, doca_apsh_interfaces_free,
	    doca_apsh_interface, s);
}

static void measure_all(struct doca_apsh_system *s)
{
	struct times t = { .nr = 0 };

	while (t.nr < RUNS_OF_ALL) {
		begin(&t);
		look_at_all(s);
		end(&t);
	}
	print_medians("all", &t, 1);
}

static double children_us(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Measure a command from exec to exit. */
static void measure_tool(void)
{
	char *const argv[] = { "doca_apsh", "-t", (char *)target->name, "-m",
			       (char *)regions, "-o", (char *)map, "ps", NULL };
	posix_spawn_file_actions_t actions;
	struct times t = { .nr = 0 };

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	while (t.nr < RUNS) {
		double used = children_us();
		int status;
		pid_t pid;

		begin(&t);
		if (posix_spawn(&pid, tool, &actions, NULL, argv, environ) ||
		    waitpid(pid, &status, 0) != pid || status)
			check(DOCA_ERROR_OPERATING_SYSTEM, tool);
		end(&t);
		t.cpu[t.nr - 1] = children_us() - used;
	}
	posix_spawn_file_actions_destroy(&actions);
	print_medians("tool", &t, 1);
}

static const struct target *find_target(const char *name)
{
	struct target_list list;

	check(doca_priv_target_list(&list), "targets");
	for (uint32_t i = 0; i < list.nr; i++)
		if (!strcmp(list.targets[i]->name, name))
			return list.targets[i];
	check(DOCA_ERROR_NOT_FOUND, name);
	return NULL;
}

int main(int argc, char **argv)
{
	struct doca_log_backend *log;
	struct doca_apsh_system *s;

	if (argc != 6)
		return 2;
	target = find_target(argv[1]);
	regions = argv[2];
	map = argv[3];
	full_map = argv[4];
	tool = argv[5];
	measure_start("start", map, RUNS);
	measure_start("start_full", full_map, RUNS_OF_FULL);
	measure_tool();
	/* Log once what it says of the kernel. */
	if (doca_log_backend_create_with_file_sdk(stderr, &log) == DOCA_SUCCESS)
		doca_log_backend_set_sdk_level(log, DOCA_LOG_LEVEL_INFO);
	s = started(map);
	measure_processes(s);
	measure_all(s);
	doca_apsh_system_destroy(s);
	return 0;
}
