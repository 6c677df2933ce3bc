// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: the tree of processes that its tool prints. */
#include "apsh_image.h"

#include "../../tools/apsh/choose.c"
#include "../../tools/apsh/out.c"
#include "../../tools/apsh/pstree.c"

void usage(const char *fmt, ...)
{
	(void)fmt;
	abort();
}

static void is_child(u64 task, u64 parent)
{
	set(task, F_TASK_PARENT, parent);
}

static const char *printed_tree(void)
{
	static char printed[4096];
	struct doca_apsh_system *s = started_system();
	FILE *console = stdout;

	memset(printed, 0, sizeof(printed));
	stdout = fmemopen(printed, sizeof(printed), "w");
	if (!stdout)
		abort();
	EXPECT_EQ(process_tree(s, NULL), DOCA_SUCCESS);
	fclose(stdout);
	stdout = console;
	doca_apsh_system_destroy(s);
	tear_down_image();
	return printed;
}

TEST(processes_are_below_their_parents)
{
	u64 init, shell, other;

	set_up_image(4);
	choose_columns("pid,depth,tree");
	out_form = OUT_CSV;
	new_task(2, 2, "kthreadd");
	init = new_task(1, 1, "init");
	shell = new_task(10, 10, "shell");
	other = new_task(9, 9, "other");
	is_child(shell, init);
	is_child(other, init);
	is_child(new_task(11, 11, "ps"), shell);
	is_child(new_task(3, 3, "old"), shell);
	is_child(new_task(12, 12, "last"), other);
	EXPECT_STR(printed_tree(), "pid,depth,tree\n"
				   "1,0,init\n"
				   "9,1,  other\n"
				   "12,2,    last\n"
				   "10,1,  shell\n"
				   "3,2,    old\n"
				   "11,2,    ps\n"
				   "2,0,kthreadd\n");
}

/* Whatever a target says of parents, each process is shown once. */
TEST(processes_that_are_parents_of_each_other_are_shown)
{
	u64 a, b;

	set_up_image(4);
	new_task(1, 1, "init");
	a = new_task(5, 5, "a");
	b = new_task(6, 6, "b");
	is_child(a, b);
	is_child(b, a);
	a = new_task(7, 7, "own");
	is_child(a, a);
	EXPECT_STR(printed_tree(), "pid,depth,tree\n"
				   "1,0,init\n"
				   "6,0,b\n"
				   "5,1,  a\n"
				   "7,0,own\n");
}

/* However many processes have that PID: to look at all children for each takes very long. */
TEST(children_of_a_pid_are_looked_at_once)
{
	struct process list[] = { { .pid = 5, .ppid = 1 },
				  { .pid = 5, .ppid = 1 },
				  { .pid = 7, .ppid = 5 },
				  { .pid = 8, .ppid = 5 } };
	u32 waiting[ARRAY_SIZE(list)];
	struct tree t = { .list = list, .waiting = waiting, .nr = ARRAY_SIZE(list) };

	wait_for_children(&t, &list[0]);
	EXPECT_EQ(t.nr_waiting, 2);
	list[2].shown = list[3].shown = false;
	wait_for_children(&t, &list[1]);
	EXPECT_EQ(t.nr_waiting, 2);
	/* a PID that is the last one has none */
	wait_for_children(&t, &list[3]);
	EXPECT_EQ(t.nr_waiting, 2);
}

TEST(a_deep_tree_is_indented_as_far_as_there_is_room)
{
	u64 above = 0, task;

	set_up_image(4);
	for (u32 pid = 1; pid < 40; pid++, above = task) {
		task = new_task(pid, pid, "x");
		if (above)
			is_child(task, above);
	}
	choose_columns("depth,tree");
	choose_rows("pid=39");
	EXPECT_STR(printed_tree(),
		   "depth,tree\n38,"
		   "                                                                x\n");
	nr_conditions = 0;
}
