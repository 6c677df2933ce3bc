// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: verdicts that its tool says of a whole check. */
#include "apsh_findings.h"
#include "apsh_probe.h"

#include "../../tools/apsh/check.c"

bool command_differs, command_incomplete;

static char last_finding[128];

/* In place of those that print. */
void out_head(const struct column *all, int nr)
{
	(void)all;
	EXPECT_EQ(nr, 5);
}

void out_row(const struct column *all, const struct value *values, int nr)
{
	(void)all;
	ASSERT(nr == 5);
	snprintf(last_finding, sizeof(last_finding), "%s", values[4].string);
}

static void check_kind(const char *kind, bool drawn_out)
{
	struct doca_apsh_system *s = started_system();

	s->source.drawn_out = drawn_out;
	command_differs = command_incomplete = false;
	OK(check_system(s, kind));
	doca_apsh_system_destroy(s);
}

/* Check a kernel in which a probe's node is broken. */
static void check_broken(bool drawn_out)
{
	u64 *node;

	set_up_sound(4);
	node = at_va(field_va(new_probe(code_va()), F_KPROBE_NODE));
	node[1] = 0;
	check_kind("hook", drawn_out);
	tear_down_image();
}

/* Links that do not agree are of different times, in an image that took time to write. */
TEST(links_that_are_broken)
{
	check_broken(false);
	EXPECT(command_differs);
	EXPECT(!command_incomplete);
	check_broken(true);
	EXPECT(!command_differs);
	EXPECT(command_incomplete);
}

#define LATER ", which may have changed while the image was written"

/* Expect that something hides, but in an image that took time. */
static void hides(const char *kind, const char *where)
{
	char later[128];

	check_kind(kind, false);
	EXPECT(command_differs);
	EXPECT(!command_incomplete);
	EXPECT_STR(last_finding, where);
	snprintf(later, sizeof(later), "%s" LATER, where);
	check_kind(kind, true);
	EXPECT(!command_differs);
	EXPECT(command_incomplete);
	EXPECT_STR(last_finding, later);
}

static void is_clean_later(const char *kind)
{
	check_kind(kind, true);
	EXPECT(!command_differs);
	EXPECT(!command_incomplete);
}

/* A process that started or ended meanwhile. */
TEST(processes_in_one_list)
{
	static const char where[] = "not in both the tree of PIDs and the list of tasks";
	u64 task;

	set_up_sound(4);
	is_clean_later("process");
	task = object(1024, 64);
	new_task_at(task, 3, 3, "listed");
	in_list(task);
	hides("process", where);
	in_tree(task, 3);
	is_clean_later("process");
	task = object(1024, 64);
	new_task_at(task, 4, 4, "in the tree");
	in_tree(task, 4);
	hides("process", where);
	tear_down_image();
}

/* A module that came or went. */
TEST(modules_in_one_list)
{
	static const char where[] = "not in both the list of modules and /sys/module";
	u64 kset, module, kobject;

	set_up_sound(4);
	kset = object(64, 64);
	*(u64 *)at_va(symbol(S_module_kset)) = kset;
	list_init(field_va(kset, F_KSET_LIST));
	is_clean_later("module");
	module = object(1024, 64);
	set_text(field_va(module, F_MODULE_NAME), "module");
	kobject = object(128, 64);
	set(kobject, F_MODKOBJ_MODULE, module);
	link_before(field_va(kset, F_KSET_LIST), field_va(kobject, F_MODKOBJ_ENTRY));
	hides("module", where);
	link_before(symbol(S_modules), field_va(module, F_MODULE_LIST));
	is_clean_later("module");
	list_init(field_va(kset, F_KSET_LIST));
	/* for one alone /sys/module is not taken for lost */
	module = object(1024, 64);
	set_text(field_va(module, F_MODULE_NAME), "another");
	set(kobject, F_MODKOBJ_MODULE, module);
	link_before(field_va(kset, F_KSET_LIST), field_va(kobject, F_MODKOBJ_ENTRY));
	link_before(symbol(S_modules), field_va(module, F_MODULE_LIST));
	hides("module", where);
	tear_down_image();
}
