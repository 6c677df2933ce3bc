// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: reads of a target, and their number. */
#include "apsh_stage.h"
#include "apsh_changing.h"
#include "apsh_code.h"
#include "apsh_watch.h"

#include "../../tools/apsh/check.c"
#include "../../tools/apsh/record.c"

bool command_differs, command_incomplete;

static u32 heads, code_rows;
static const char *code_verdict;

void out_head(const struct column *head, int nr)
{
	(void)head, (void)nr;
	heads++;
}

void out_row(const struct column *head, const struct value *values, int nr)
{
	(void)head, (void)nr;
	if (strcmp(values[0].string, "code") != 0)
		return;
	code_rows++;
	code_verdict = values[1].string;
}

enum { SLICES = 96, MOST_ROUNDS = 16, MOST_BYTES = 4096 };

static u64 granules_of_threads(struct doca_apsh_system *s)
{
	struct doca_apsh_thread **list;
	struct view_stats stats;
	int nr;

	OK(doca_apsh_threads_get(process_of(s, 10), &list, &nr));
	EXPECT_EQ(nr, 3);
	doca_priv_apsh_stats(s, &stats);
	doca_apsh_threads_free(list);
	doca_apsh_processes_free(processes);
	return stats.granules;
}

TEST(threads_are_read_without_those_of_others)
{
	struct doca_apsh_system *s = set_up(4);
	u64 granules = granules_of_threads(s);

	for (u32 pid = 30; pid < 60; pid++)
		new_task(pid, pid, "one more");
	write_image();
	EXPECT_EQ(granules_of_threads(s), granules);
	tear_down(s);
}

/* Older maps lack the field. */
TEST(threads_are_found_without_a_list_of_them)
{
	struct doca_apsh_system *s = set_up(4);

	s->kernel.map.fields[F_SIGNAL_THREADS].there = false;
	granules_of_threads(s);
	tear_down(s);
}

static void look_at_all(struct doca_apsh_system *s)
{
	struct doca_apsh_process *p;
	void *list;
	int nr;

#define LOOK(get, drop, of)                       \
	do {                                      \
		if (!get(of, (void *)&list, &nr)) \
			drop(list);               \
	} while (0)
	LOOK(doca_apsh_modules_get, doca_apsh_module_free, s);
	LOOK(doca_apsh_netscan_get, doca_apsh_netscan_free, s);
	LOOK(doca_apsh_interfaces_get, doca_apsh_interfaces_free, s);
	if (doca_apsh_processes_get(s, &processes, &nr_processes))
		return;
	for (int i = 0; i < nr_processes; i++) {
		p = processes[i];
		LOOK(doca_apsh_threads_get, doca_apsh_threads_free, p);
		LOOK(doca_apsh_vads_get, doca_apsh_vads_free, p);
		LOOK(doca_apsh_libs_get, doca_apsh_libs_free, p);
		LOOK(doca_apsh_envars_get, doca_apsh_envars_free, p);
		LOOK(doca_apsh_handles_get, doca_apsh_handles_free, p);
		LOOK(doca_apsh_proc_files_details_get, doca_apsh_proc_files_details_free, p);
	}
	doca_apsh_processes_free(processes);
}

/* Parts of a kernel may be unreadable, wherever they begin. */
static void look_without(u64 start, u64 length)
{
	struct doca_apsh_system *s = new_system();
	char text[256];

	snprintf(text, sizeof(text), "[{\"start\":0,\"end\":%lu},{\"start\":%lu,\"end\":%llu}]",
		 start - 1, start + length, IMAGE_SIZE - 1);
	write_text(image.regions, text);
	if (doca_apsh_system_start(s) == DOCA_SUCCESS) {
		watch_system(s);
		look_at_all(s);
	}
	logged();
	doca_apsh_system_destroy(s);
}

TEST(nothing_outside_the_regions_is_read)
{
	struct doca_apsh_system *s = set_up(4);
	u64 objects = 8 << 20;

	watch_system(s);
	look_at_all(s);
	EXPECT(watch.ranges > 100);
	EXPECT(watch.gaps > 10);
	doca_apsh_system_destroy(s);
	for (u32 i = 0; i < SLICES; i++)
		look_without(objects + i * 640, 640);
	tear_down_image();
}

/* The beginning with its ids can be read, but not the rest that identifies it. */
TEST(a_task_across_the_end_of_a_region_is_read_in_part)
{
	struct doca_apsh_system *s = set_up(4);
	u64 task;

	doca_apsh_system_destroy(s);
	image.next = (image.next & ~511ULL) + 512 + 448;
	task = new_task(30, 30, "across");
	write_image();
	look_without(pa_of(task) + 64, 512);
	tear_down_image();
}

/* A remote reader waits for each round. */
static u64 rounds_of(struct doca_apsh_system *s, u32 first, u32 end)
{
	struct view_stats stats;
	char words[64];

	for (u32 pid = first; pid < end; pid++)
		new_task(pid, pid, "one of many");
	write_image();
	watch_system(s);
	OK(doca_apsh_processes_get(s, &processes, &nr_processes));
	s->source.ops = watch.ops;
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(nr_processes, (int)end - 64 + 3);
	EXPECT_EQ(stats.rounds, watch.reads);
	EXPECT(stats.rounds <= MOST_ROUNDS);
	EXPECT(stats.bytes <= (u64)nr_processes * MOST_BYTES);
	snprintf(words, sizeof(words), "%d processes were read in %lu rounds", nr_processes,
		 watch.reads);
	EXPECT_LOGGED(words);
	doca_apsh_processes_free(processes);
	return watch.reads;
}

TEST(many_processes_take_as_many_rounds_as_few)
{
	struct doca_apsh_system *s = set_up(4);
	u64 few;

	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DEBUG);
	logged();
	few = rounds_of(s, 64, 64 + 360);
	EXPECT_EQ(rounds_of(s, 64 + 360, 64 + 4000), few);
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_INFO);
	tear_down(s);
}

/* Put the modules of the list into /sys/module as well; none comes or goes. */
static void set_up_kset(void)
{
	u64 kset = object(64, 64), head = symbol(S_modules), at, kobject;

	*(u64 *)at_va(symbol(S_module_kset)) = kset;
	list_init(field_va(kset, F_KSET_LIST));
	for (at = *(u64 *)at_va(head); at != head; at = *(u64 *)at_va(at)) {
		u64 module = at - image.map.fields[F_MODULE_LIST].offset;

		set(module, F_MODULE_STATE, 0);
		kobject = object(128, 64);
		set(kobject, F_MODKOBJ_MODULE, module);
		link_before(field_va(kset, F_KSET_LIST), field_va(kobject, F_MODKOBJ_ENTRY));
	}
}

enum { MOST_LISTS = 20 };

/* Length of each list, -1 on failure, and whether it reports missing parts. */
struct lists {
	int nr[MOST_LISTS];
	bool lacks[MOST_LISTS];
	int checked; /* so many are what doca_apsh check asks for */
	int all;
};

static bool is_doubtful(const struct lists *l)
{
	for (int i = 0; i < l->checked; i++)
		if (l->lacks[i])
			return true;
	return false;
}

static void count_all(struct doca_apsh_system *s, struct doca_apsh_process *p, struct lists *l)
{
	struct view_stats stats;
	void *list;
	int nr;

	l->all = 0;
#define COUNT(get, drop, of)                      \
	do {                                      \
		nr = -1;                          \
		if (!get(of, (void *)&list, &nr)) \
			drop(list);               \
		doca_priv_apsh_stats(s, &stats);  \
		l->lacks[l->all] = stats.absent;  \
		l->nr[l->all++] = nr;             \
	} while (0)
	COUNT(doca_apsh_processes_get, doca_apsh_processes_free, s);
	COUNT(doca_priv_apsh_modules_scan, doca_apsh_module_free, s);
	COUNT(doca_priv_apsh_system_calls_check, doca_priv_apsh_findings_free, s);
	COUNT(doca_priv_apsh_interrupts_check, doca_priv_apsh_findings_free, s);
	COUNT(doca_priv_apsh_hooks_check, doca_priv_apsh_findings_free, s);
	l->checked = l->all;
	COUNT(doca_apsh_netscan_get, doca_apsh_netscan_free, s);
	COUNT(doca_apsh_interfaces_get, doca_apsh_interfaces_free, s);
	COUNT(doca_apsh_containers_get, doca_apsh_containers_free, s);
	COUNT(doca_apsh_threads_get, doca_apsh_threads_free, p);
	COUNT(doca_apsh_vads_get, doca_apsh_vads_free, p);
	COUNT(doca_apsh_libs_get, doca_apsh_libs_free, p);
	COUNT(doca_apsh_envars_get, doca_apsh_envars_free, p);
	COUNT(doca_apsh_privileges_get, doca_apsh_privileges_free, p);
	COUNT(doca_apsh_handles_get, doca_apsh_handles_free, p);
	COUNT(doca_apsh_process_netscan_get, doca_apsh_netscan_free, p);
	COUNT(doca_apsh_proc_files_details_get, doca_apsh_proc_files_details_free, p);
}

static int verdict_of_kind(struct doca_apsh_system *s, const char *kind)
{
	command_differs = command_incomplete = false;
	heads = code_rows = 0;
	OK(check_system(s, kind));
	EXPECT_EQ(heads, 1); /* also without rows: names of columns are checked there */
	logged();
	return command_differs ? 2 : command_incomplete ? 3 : 0;
}

/* Return the result of doca_apsh check, where no image is. */
static int verdict_of(struct doca_apsh_system *s)
{
	check_has_image = false;
	return verdict_of_kind(s, NULL);
}

/* Without an image a line says so, and the result is that of the others. Who asks is told. */
TEST(code_without_an_image_is_not_clean)
{
	struct doca_apsh_system *s = set_up(4);

	set_up_kset();
	set_up_code();
	write_image();
	EXPECT_EQ(verdict_of(s), 0);
	EXPECT_EQ(code_rows, 1);
	EXPECT_STR(code_verdict, "skipped");
	EXPECT_EQ(verdict_of_kind(s, "code"), 3);
	EXPECT_EQ(code_rows, 1);
	EXPECT_STR(code_verdict, "cannot tell");
	EXPECT_EQ(verdict_of_kind(s, "hook"), 0);
	EXPECT_EQ(code_rows, 0);
	/* an image that was named, but that cannot be read */
	check_has_image = true;
	EXPECT_EQ(verdict_of_kind(s, NULL), 3);
	EXPECT_STR(code_verdict, "cannot tell");
	tear_down(s);
}

TEST(what_is_missing_is_evidence_of_nothing)
{
	struct doca_apsh_system *s = set_up(4);
	struct lists whole = { 0 }, some = { 0 };
	struct doca_apsh_process *p;
	u32 doubts = 0, pages = 0;

	for (u32 pid = 30; pid < 60; pid++)
		new_task(pid, pid, "one more");
	set_up_kset();
	set_up_code();
	write_image();
	p = process_of(s, 10);
	watch_system(s);
	EXPECT_EQ(verdict_of(s), 0);
	count_all(s, p, &whole);
	EXPECT_SILENT();
	for (u32 i = 0; i < IMAGE_SIZE / PAGE; i++) {
		int verdict;

		if (!watch.wanted[i])
			continue;
		watch.missing = i * PAGE;
		verdict = verdict_of(s);
		EXPECT(verdict != 2);
		count_all(s, p, &some);
		for (int k = 0; k < whole.all; k++)
			if (some.nr[k] != whole.nr[k] && !some.lacks[k])
				KTAP_SAY_("list %d has %d of %d without page %u", k, some.nr[k],
					  whole.nr[k], i);
		if (is_doubtful(&some) != (verdict == 3))
			KTAP_SAY_("check ends with %d without page %u", verdict, i);
		doubts += verdict == 3;
		pages++;
		logged();
	}
	EXPECT(doubts > 5);
	EXPECT(pages > doubts);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

/* The owner of the memory is found by modules, which change. */
TEST(what_changes_whenever_it_is_looked_at_is_not_clean)
{
	struct doca_apsh_system *s = set_up(4);
	struct source_ops mine;

	set_up_kset();
	set_up_code();
	table_of(S_sys_call_table)[1] = image.direct;
	write_image();
	EXPECT_EQ(verdict_of(s), 2);
	ops = s->source.ops;
	mine = *ops;
	mine.read = read_with_a_new_head;
	s->source.ops = &mine;
	EXPECT_EQ(verdict_of(s), 3);
	s->source.ops = ops;
	tear_down(s);
}

/* A hidden process is found although another page is missing. */
TEST(what_is_missing_hides_nothing_that_is_there)
{
	struct doca_apsh_system *s = set_up(4);
	u64 task = new_task(30, 30, "hidden"), far;
	u64 *links = at_va(field_va(task, F_TASK_TASKS));

	*(u64 *)at_va(links[0] + 8) = links[1];
	*(u64 *)at_va(links[1]) = links[0];
	image.next = (image.next + PAGE) & ~(PAGE - 1);
	far = object(PAGE, PAGE);
	set(has_.ten, F_TASK_CRED, far);
	write_image();
	watch_system(s);
	watch.missing = pa_of(far);
	EXPECT_EQ(verdict_of(s), 2);
	EXPECT(command_incomplete);
	tear_down(s);
}

/* Processes without memory have no arguments, and are not asked for them. */
TEST(a_record_of_a_sound_machine_has_no_errors)
{
	struct doca_apsh_system *s = set_up(4);
	char path[128];

	snprintf(path, sizeof(path), "%s/record", image.dir);
	logged();
	OK(record(s, path));
	EXPECT(!strstr(logged(), "[ERR]"));
	tear_down(s);
}
