// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: scans by libyara, if it is there. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

#include "apsh_stage.h"
#include "core/base/loader.h"
#include "in_child.h"
#include "slow_load.h"

enum {
	SCAN_PAGES = 300,
	THREADS = 2,
	SCANS = 10,
};

#define LARGE_PA (14ULL << 20)
#define LARGE_VA (USER_VA + (4 << 20))

#define YARA(o, attr) doca_apsh_yara_info_get(o, DOCA_APSH_YARA_##attr)

static enum doca_apsh_yara_rule hello[] = { DOCA_APSH_YARA_RULE_HELLO_WORLD };
static struct doca_apsh_yara **matches;
static int nr_matches;

static u8 *memory;

/* Replaces the operator's rules. */
static const char *own_rules;

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *path, const char *mode) = dlsym(RTLD_NEXT, "fopen");

	if (own_rules && strstr(path, "/mimikatz.yar"))
		path = own_rules;
	return real(path, mode);
}

/* Process 10 has an area with pages, behind it one without, and before it a wide one without. */
static struct doca_apsh_system *set_up_scan(void)
{
	struct doca_apsh_system *s = set_up(4);
	u64 *entries = at_va(has_.page - PAGE);
	u64 pages = object(SCAN_PAGES * PAGE, PAGE);

	for (u32 i = 0; i < SCAN_PAGES; i++)
		entries[(USER_VA / PAGE & 511) + i] = (pa_of(pages) + i * PAGE) | 7;
	new_area(has_.mm, has_.leaf, 9, 1ULL << 32, USER_VA - PAGE, 3, 0);
	new_area(has_.mm, has_.leaf, 11, USER_VA, USER_VA + (SCAN_PAGES + 9) * PAGE, 3, 0);
	new_area(has_.mm, has_.leaf, 13, (1ULL << 50) + 1, 1ULL << 63, 3, 0);
	pivots(has_.leaf)[14] = UINT64_MAX;
	memory = at_va(pages);
	return s;
}

/* In process 10, where the image has nothing else. */
static void map_large_page(void)
{
	u64 *upper = at_va(has_.page - 2 * PAGE);

	upper[LARGE_VA >> 21 & 511] = LARGE_PA | 0x87;
	new_area(has_.mm, has_.leaf, 13, LARGE_VA, LARGE_VA + (2 << 20), 3, 0);
	pivots(has_.leaf)[14] = UINT64_MAX;
	if (image.next > LARGE_PA)
		abort();
}

static doca_error_t scan(struct doca_apsh_system *s, u64 type)
{
	struct doca_apsh_process *p;
	doca_error_t ret;

	write_image();
	p = process_of(s, 10);
	logged();
	ret = doca_apsh_yara_get(p, hello, 1, type, &matches, &nr_matches);
	doca_apsh_processes_free(processes);
	return ret;
}

/* Another program ends it: leak checkers would miss memory of the thread that is not there. */
static void scan_in_fork(struct doca_apsh_system *s)
{
	const char *text;

	EXPECT_EQ(scan(s, DOCA_APSH_YARA_SCAN_VMA), DOCA_ERROR_NOT_SUPPORTED);
	text = logged();
	EXPECT(strstr(text, "forked while its parent loaded a library") ||
	       strstr(text, "built without"));
	fflush(stdout);
	execlp(ktap_bad ? "false" : "true", "end", NULL);
}

/* It comes first, for libyara stays. */
TEST(a_fork_while_another_thread_loads_has_no_scans)
{
	struct doca_apsh_system *s = set_up_scan();

	slow_load_prepare();
	ASSERT(!pthread_create(&slow_loader, NULL, load_slowly, NULL));
	slow_load_begin();
	IN_CHILD(scan_in_fork(s));
	slow_load_end();
	tear_down(s);
}

/*
 * Its start makes some keys. @held is what the program itself has loaded; NULL: nothing. With @loads
 * somebody has it mapped anew, and has not started it yet.
 */
static void fail_to_start(struct doca_apsh_system *s, void *held, bool loads)
{
	static pthread_key_t keys[PTHREAD_KEYS_MAX];
	int nr = 0;

	while (nr < PTHREAD_KEYS_MAX && !pthread_key_create(&keys[nr], NULL))
		nr++;
	EXPECT_EQ(scan(s, DOCA_APSH_YARA_SCAN_VMA), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("cannot be initialized");
	while (nr)
		pthread_key_delete(keys[--nr]);
	if (held) {
		EXPECT_EQ(scan(s, DOCA_APSH_YARA_SCAN_VMA), DOCA_ERROR_INITIALIZATION);
		EXPECT_LOGGED("could not be initialized before");
		dlclose(held);
	}
	if (loads)
		held = dlopen("libyara.so.9", RTLD_NOW | RTLD_LOCAL);
	OK(scan(s, DOCA_APSH_YARA_SCAN_VMA));
	EXPECT_EQ(nr_matches, 1);
	doca_apsh_yara_free(matches);
	if (loads)
		dlclose(held);
}

/* libyara takes a second start for a success, whatever became of the first. */
TEST(a_start_that_failed_is_tried_again)
{
	void *held = dlopen("libyara.so.9", RTLD_NOW | RTLD_LOCAL);
	struct doca_apsh_system *s;
	void *left = NULL;

	if (!held)
		SKIP("needs libyara9");
	if (!dlclose(held))
		left = dlopen("libyara.so.9", RTLD_NOW | RTLD_NOLOAD);
	if (left) {
		dlclose(left);
		SKIP("libyara stays mapped here");
	}
	s = set_up_scan();
	strcpy((char *)memory + 100, "Hello World");
	IN_CHILD(fail_to_start(s, NULL, false));
	IN_CHILD(fail_to_start(s, NULL, true));
	IN_CHILD(fail_to_start(s, dlopen("libyara.so.9", RTLD_NOW | RTLD_LOCAL), false));
	tear_down(s);
}

static bool is_there(void)
{
	static doca_error_t ret = DOCA_ERROR_UNKNOWN;
	struct doca_apsh_system *s;

	if (ret == DOCA_ERROR_UNKNOWN) {
		s = set_up_scan();
		ret = scan(s, DOCA_APSH_YARA_SCAN_VMA);
		if (ret == DOCA_ERROR_NOT_SUPPORTED)
			EXPECT_LOGGED("libyara");
		tear_down(s);
	}
	return ret != DOCA_ERROR_NOT_SUPPORTED;
}

#define NEEDS_YARA()                                \
	do {                                        \
		if (!is_there())                    \
			SKIP("libyara is missing"); \
	} while (0)

/* Exactly these windows match, each of a size; addresses are relative to USER_VA. */
static void expect_windows(struct doca_apsh_system *s, u32 size, u32 step, const u64 *at, int nr)
{
	s->window = size;
	s->step = step;
	OK(scan(s, DOCA_APSH_YARA_SCAN_VMA));
	EXPECT_SILENT();
	EXPECT_EQ(nr_matches, nr);
	for (int i = 0; i < nr && i < nr_matches; i++) {
		EXPECT_EQ(YARA(matches[i], MATCH_WINDOW_ADDR) - USER_VA, at[i]);
		EXPECT_EQ(YARA(matches[i], MATCH_WINDOW_LEN), size);
		EXPECT_STR(YARA(matches[i], RULE), own_rules ? "Mimikatz" : "Hello_World");
	}
	doca_apsh_yara_free(matches);
}

/* A window matches a rule once, however often the text is there. */
TEST(windows_with_a_text_are_found)
{
	static const u64 cross = 256 * PAGE - 5;
	struct doca_apsh_system *s;

	NEEDS_YARA();
	s = set_up_scan();
	memcpy(memory + 100, "Hello World", 11);
	memcpy(memory + 200, "Hello World", 11);
	/* from one page, and one read, into the next */
	memcpy(memory + cross, "Hello World", 11);
	OK(scan(s, DOCA_APSH_YARA_SCAN_VMA));
	ASSERT(nr_matches == 1);
	EXPECT(!matches[1]);
	EXPECT_EQ(YARA(matches[0], PID), 10);
	EXPECT_STR(YARA(matches[0], COMM), "ten");
	EXPECT_STR(YARA(matches[0], RULE), "Hello_World");
	doca_apsh_yara_free(matches);
	expect_windows(s, 0x1000, 0, (u64[]){ 0 }, 1);
	expect_windows(s, 0x2000, 0x1000, (u64[]){ 0, 0xff000 }, 2);
	expect_windows(s, 0x1000, 0x400, (u64[]){ 0, 0xff400, 0xff800, 0xffc00 }, 4);
	expect_windows(s, 0x400, 0x400, (u64[]){ 0 }, 1);
	expect_windows(s, 0x80, 0x40, (u64[]){ 0, 0x40, 0x80, 0xc0, 0xfffc0 }, 5);
	tear_down(s);
}

/* An absent page between others splits the scanned block, not the window. */
TEST(windows_are_scanned_as_far_as_they_are_there)
{
	struct doca_apsh_system *s;
	u64 *entries;

	NEEDS_YARA();
	s = set_up_scan();
	entries = at_va(has_.page - PAGE);
	entries[(USER_VA / PAGE & 511) + 1] = 0;
	memcpy(memory + PAGE - 5, "Hello", 5);
	memcpy(memory + 2 * PAGE, " World", 6);
	memcpy(memory + 2 * PAGE + 100, "Hello World", 11);
	expect_windows(s, 0x4000, 0x2000, (u64[]){ 0, 0x2000 }, 2);
	memset(memory + 2 * PAGE + 100, 0, 11);
	expect_windows(s, 0x4000, 0x1000, NULL, 0);
	/* the last window of an area is its rest */
	memcpy(memory + (SCAN_PAGES - 1) * PAGE, "Hello World", 11);
	entries[(USER_VA / PAGE & 511) + SCAN_PAGES] = 0;
	s->window = 0x100000;
	s->step = 0x100000;
	OK(scan(s, DOCA_APSH_YARA_SCAN_VMA));
	ASSERT(nr_matches == 1);
	EXPECT_EQ(YARA(matches[0], MATCH_WINDOW_ADDR), USER_VA + 0x100000);
	EXPECT_EQ(YARA(matches[0], MATCH_WINDOW_LEN), (SCAN_PAGES + 9) * PAGE - 0x100000);
	doca_apsh_yara_free(matches);
	tear_down(s);
}

/* In any block of the window. Rules of one file are one rule, by its name. */
TEST(conditions_read_bytes_of_the_window)
{
	struct doca_apsh_system *s;
	char path[128], text[256];

	NEEDS_YARA();
	s = set_up_scan();
	((u64 *)at_va(has_.page - PAGE))[(USER_VA / PAGE & 511) + 1] = 0;
	memcpy(memory + 100, "Hello World", 11);
	memory[2 * PAGE + 8] = 7;
	snprintf(path, sizeof(path), "%s/rules", image.dir);
	snprintf(text, sizeof(text),
		 "rule a { strings: $a = \"Hello\" condition: uint8(@a[1] + 6) == 0x57 } "
		 "rule b { condition: uint8(%llu) == 7 }",
		 USER_VA + 2 * PAGE + 8);
	write_text(path, text);
	own_rules = path;
	hello[0] = DOCA_APSH_YARA_RULE_MIMIKATZ;
	expect_windows(s, 0x1000, 0, (u64[]){ 0, 0x2000 }, 2);
	expect_windows(s, 0x4000, 0x4000, (u64[]){ 0 }, 1);
	hello[0] = DOCA_APSH_YARA_RULE_HELLO_WORLD;
	own_rules = NULL;
	tear_down(s);
}

/* A missing or unreadable one does not hide those behind it. */
TEST(a_large_page_is_scanned_behind_what_it_lacks)
{
	static struct region parts[] = { { 0, LARGE_PA }, { LARGE_PA + PAGE, IMAGE_SIZE } };
	const struct regions lacking = { parts, 2 };
	struct doca_apsh_system *s;
	struct regions all;

	NEEDS_YARA();
	s = set_up_scan();
	map_large_page();
	memcpy(image.mem + LARGE_PA + 5 * PAGE, "Hello World", 11);
	all = s->regions;
	s->regions = lacking;
	OK(scan(s, DOCA_APSH_YARA_SCAN_VMA));
	s->regions = all;
	ASSERT(nr_matches == 1);
	EXPECT_EQ(YARA(matches[0], MATCH_WINDOW_ADDR), LARGE_VA + 5 * PAGE);
	doca_apsh_yara_free(matches);
	tear_down(s);
}

TEST(a_heap_is_scanned_alone)
{
	struct doca_apsh_system *s;

	NEEDS_YARA();
	s = set_up_scan();
	memcpy(memory + 100, "Hello World", 11);
	OK(scan(s, DOCA_APSH_YARA_SCAN_HEAP));
	EXPECT_EQ(nr_matches, 0);
	EXPECT(!matches);
	set(has_.mm, F_MM_START_BRK, USER_VA);
	set(has_.mm, F_MM_BRK, USER_VA + PAGE);
	OK(scan(s, DOCA_APSH_YARA_SCAN_HEAP));
	EXPECT_EQ(nr_matches, 1);
	doca_apsh_yara_free(matches);
	/* a kernel thread has neither */
	set(has_.ten, F_TASK_MM, 0);
	OK(scan(s, DOCA_APSH_YARA_SCAN_HEAP | DOCA_APSH_YARA_SCAN_VMA));
	EXPECT_EQ(nr_matches, 0);
	tear_down(s);
}

TEST(many_matches_are_cut)
{
	struct doca_apsh_system *s;

	NEEDS_YARA();
	s = set_up_scan();
	for (size_t at = 0; at + 11 <= SCAN_PAGES * PAGE; at += 11)
		memcpy(memory + at, "Hello World", 11);
	s->window = 256;
	s->step = 64;
	OK(scan(s, DOCA_APSH_YARA_SCAN_VMA));
	EXPECT_EQ(nr_matches, 16384);
	EXPECT_LOGGED("there are more matches than 16384");
	doca_apsh_yara_free(matches);
	tear_down(s);
}

static void *scan_often(void *process)
{
	struct doca_apsh_yara **found;
	int nr;

	for (int i = 0; i < SCANS; i++) {
		OK(doca_apsh_yara_get(process, hello, 1, DOCA_APSH_YARA_SCAN_VMA, &found, &nr));
		EXPECT_EQ(nr, 1);
		doca_apsh_yara_free(found);
	}
	return NULL;
}

/* Each thread has its own system, so none waits for another. */
TEST(threads_scan_at_the_same_time)
{
	struct doca_apsh_process **lists[THREADS];
	struct doca_apsh_system *s[THREADS];
	pthread_t threads[THREADS];

	NEEDS_YARA();
	s[0] = set_up_scan();
	memcpy(memory + 100, "Hello World", 11);
	s[1] = started_system();
	for (int i = 0; i < THREADS; i++) {
		struct doca_apsh_process *p = process_of(s[i], 10);

		s[i]->window = s[i]->step = 1 << 20;
		lists[i] = processes;
		OK(pthread_create(&threads[i], NULL, scan_often, p));
	}
	for (int i = 0; i < THREADS; i++) {
		OK(pthread_join(threads[i], NULL));
		doca_apsh_processes_free(lists[i]);
		doca_apsh_system_destroy(s[i]);
	}
	tear_down_image();
}

TEST(a_scan_ends_by_its_budget)
{
	struct doca_apsh_system *s;

	NEEDS_YARA();
	s = set_up_scan();
	s->budget.bytes = 1 << 20;
	EXPECT_EQ(scan(s, DOCA_APSH_YARA_SCAN_VMA), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("would read more than 1 MiB");
	tear_down(s);
}

TEST(a_scan_without_memory_leaves_nothing)
{
	struct doca_apsh_system *s;
	struct doca_apsh_process *p;

	NEEDS_YARA();
	s = set_up_scan();
	memcpy(memory + 100, "Hello World", 11);
	s->window = 1 << 20;
	s->step = 1 << 20;
	write_image();
	p = process_of(s, 10);
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_apsh_yara_get(p, hello, 1, DOCA_APSH_YARA_SCAN_VMA, &matches,
					 &nr_matches),
		      NO_MEMORY, doca_apsh_yara_free(matches));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(what_is_no_scan_is_refused)
{
	enum doca_apsh_yara_rule rules[] = { DOCA_APSH_YARA_RULE_MIMIKATZ, 9, 0, 0 };
	struct doca_apsh_system *s = set_up_scan();
	struct doca_apsh_process *p = process_of(s, 10);

	matches = NULL;
	EXPECT_EQ(doca_apsh_yara_get(p, hello, 1, 0, &matches, &nr_matches),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("no sum of types of scans");
	EXPECT_EQ(doca_apsh_yara_get(p, hello, 1, 4, &matches, &nr_matches),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("no sum of types of scans");
	EXPECT_EQ(doca_apsh_yara_get(p, rules + 1, 1, 1, &matches, &nr_matches),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("there is no rule 9");
	EXPECT_EQ(doca_apsh_yara_get(p, rules, 4, 1, &matches, &nr_matches),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("more than there are");
	if (access("/etc/doca/yara/mimikatz.yar", F_OK)) {
		EXPECT_EQ(doca_apsh_yara_get(p, rules, 1, 1, &matches, &nr_matches),
			  DOCA_ERROR_NOT_SUPPORTED);
		logged();
	}
	EXPECT(!matches);
	doca_apsh_processes_free(processes);
	tear_down(s);
}
