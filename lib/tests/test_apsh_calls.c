// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: errors of calls. */
#include "apsh_stage.h"

typedef doca_error_t (*get_fn)(void *of, void *array, int *nr);

/* Functions with one signature; error-codes sees calls of them by name. */
struct form {
	get_fn get;
	void (*drop)(void *array);
	doca_error_t gone;
};

#define FORM(name, drop, gone)                                                               \
	{                                                                                    \
		(get_fn)(void *) doca_apsh_##name##_get,                                     \
			(void (*)(void *))(void *)doca_apsh_##drop##_free, DOCA_ERROR_##gone \
	}

static const struct form of_process[] = {
	FORM(injection_detect, injection_detect, NOT_FOUND),
	FORM(threads, threads, INITIALIZATION),
	FORM(vads, vads, NOT_FOUND),
	FORM(libs, libs, INITIALIZATION),
	FORM(envars, envars, INITIALIZATION),
	FORM(privileges, privileges, INITIALIZATION),
	FORM(handles, handles, INITIALIZATION),
	FORM(proc_files_details, proc_files_details, INITIALIZATION),
	FORM(process_netscan, netscan, INITIALIZATION),
};

static const struct form of_system[] = {
	FORM(processes, processes, INITIALIZATION),   FORM(modules, module, INITIALIZATION),
	FORM(containers, containers, INITIALIZATION), FORM(netscan, netscan, INITIALIZATION),
	FORM(interfaces, interfaces, INITIALIZATION),
};

TEST(calls_fail_before_the_start)
{
	struct doca_apsh_system *s;
	void *array = (void *)1;
	int nr = 9;

	set_up_image(4);
	s = new_system();
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		EXPECT_EQ(of_system[i].get(s, &array, &nr), DOCA_ERROR_BAD_STATE);
	EXPECT(array == (void *)1 && nr == 9);
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		of_system[i].drop(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++)
		of_process[i].drop(NULL);
	tear_down(s);
}

TEST(calls_without_memory_leave_nothing)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++)
		EXPECT_FAULTS(FAULT_ALLOC, of_process[i].get(p, &array, &nr), NO_MEMORY,
			      of_process[i].drop(array));
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		EXPECT_FAULTS(FAULT_ALLOC, of_system[i].get(s, &array, &nr), NO_MEMORY,
			      of_system[i].drop(array));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

/* Check functions with other signatures. */
static void of_others(struct doca_apsh_process *p, doca_error_t gone)
{
	enum doca_apsh_yara_rule rule = DOCA_APSH_YARA_RULE_HELLO_WORLD;
	struct doca_apsh_process_parameters *params;
	struct doca_apsh_attestation **areas;
	struct doca_apsh_yara **yara;
	doca_error_t ret;
	char hashes[96];
	int nr;

	snprintf(hashes, sizeof(hashes), "%s/hashes", image.dir);
	write_text(hashes, "{\"format\":\"open-doca-hash-1\",\"files\":[]}");
	EXPECT_EQ(doca_apsh_process_parameters_get(p, &params), DOCA_ERROR_INITIALIZATION);
	EXPECT_EQ(doca_apsh_attestation_get(p, hashes, &areas, &nr), gone);
	ret = doca_apsh_yara_get(p, &rule, 1, DOCA_APSH_YARA_SCAN_VMA, &yara, &nr);
	if (ret != DOCA_ERROR_NOT_SUPPORTED)
		EXPECT_EQ(ret, gone);
}

/* Another process has its place in the tree: the PID was reused. */
TEST(a_process_that_is_gone_is_not_found)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

	set(has_.ten, F_TASK_START, 5);
	write_image();
	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++) {
		logged();
		EXPECT_EQ(of_process[i].get(p, &array, &nr), of_process[i].gone);
		EXPECT_LOGGED("process 10, \"ten\", is gone");
	}
	of_others(p, DOCA_ERROR_NOT_FOUND);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(a_process_of_a_destroyed_system_is_of_no_use)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

	doca_apsh_system_destroy(s);
	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++)
		EXPECT_EQ(of_process[i].get(p, &array, &nr), DOCA_ERROR_INITIALIZATION);
	of_others(p, DOCA_ERROR_INITIALIZATION);
	EXPECT_STR(PROCESS(p, COMM), "ten");
	doca_apsh_processes_free(processes);
	tear_down_image();
}

/* The file was truncated while in use: nothing can be read any more. */
TEST(a_target_that_is_gone_ends_calls)
{
	struct doca_apsh_system *s = set_up(4);
	void *array;
	int nr;

	if (truncate(image.ram, 4096))
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		EXPECT_EQ(of_system[i].get(s, &array, &nr), DOCA_ERROR_INITIALIZATION);
	tear_down(s);
}

TEST(limits_and_budgets_end_calls)
{
	struct doca_apsh_system *s = set_up(4);

	doca_apsh_system_destroy(s);
	s = new_system();
	OK(doca_apsh_sys_config(s, DOCA_APSH_PROCESS_LIMIT, 2));
	OK(doca_apsh_system_start(s));
	logged();
	OK(doca_apsh_processes_get(s, &processes, &nr_processes));
	EXPECT_EQ(nr_processes, 2);
	EXPECT_LOGGED("more processes than the limit of 2");
	doca_apsh_processes_free(processes);
	s->budget.bytes = 2048;
	EXPECT_EQ(doca_apsh_processes_get(s, &processes, &nr_processes), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("DOCA_APSH_BUDGET");
	tear_down(s);
}

/* Broken data is read again, up to a limit. */
static u64 times_it_retries(struct doca_apsh_system *s)
{
	struct view_stats stats;

	OK(doca_apsh_processes_get(s, &processes, &nr_processes));
	doca_apsh_processes_free(processes);
	doca_priv_apsh_stats(s, &stats);
	s->budget.bytes = stats.granules * GRANULE * 5 / 2;
	return stats.retried;
}

TEST(a_budget_is_that_of_all_retries)
{
	struct doca_apsh_system *s = set_up(4);

	doca_apsh_system_destroy(s);
	((u64 *)at_va(field_va(has_.ten, F_TASK_TASKS)))[1] = 8;
	s = started_system();
	EXPECT_EQ(times_it_retries(s), 3);
	EXPECT_EQ(times_it_retries(s), 1);
	tear_down(s);
}

#define NEVER(name)                                                                     \
	{                                                                               \
		(get_fn)(void *) doca_apsh_##name##_get, NULL, DOCA_ERROR_NOT_SUPPORTED \
	}

static const struct form never[] = {
	NEVER(sids),
	NEVER(ldrmodules),
};

TEST(what_is_not_supported_says_so)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

	for (size_t i = 0; i < ARRAY_SIZE(never); i++) {
		logged();
		EXPECT_EQ(never[i].get(p, &array, &nr), DOCA_ERROR_NOT_SUPPORTED);
		EXPECT(*logged());
	}
	doca_apsh_sids_free(NULL);
	doca_apsh_ldrmodules_free(NULL);
	doca_apsh_yara_free(NULL);
	EXPECT(!__doca_apsh_sid_info_get(NULL, 0));
	EXPECT(!__doca_apsh_sid_info_get((void *)p, 0));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(reading_leaves_the_target_as_it_is)
{
	struct doca_apsh_system *s = set_up(5);
	struct stat before, after;
	void *array;
	int nr;
	void *content = malloc(IMAGE_SIZE);
	int fd = open(image.ram, O_RDONLY);

	stat(image.ram, &before);
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++) {
		OK(of_system[i].get(s, &array, &nr));
		of_system[i].drop(array);
	}
	stat(image.ram, &after);
	EXPECT(!memcmp(&before.st_mtim, &after.st_mtim, sizeof(after.st_mtim)));
	EXPECT(read(fd, content, IMAGE_SIZE) == (ssize_t)IMAGE_SIZE);
	EXPECT(!memcmp(content, image.mem, IMAGE_SIZE));
	close(fd);
	free(content);
	tear_down(s);
}
