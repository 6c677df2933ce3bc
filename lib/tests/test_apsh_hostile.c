// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: targets with malicious memory. Each call ends, with an error. */
#include "apsh_user.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

static struct doca_apsh_system *s;
static u64 tasks[4];

static void set_up(void)
{
	set_up_image(4);
	for (u32 i = 0; i < 4; i++)
		tasks[i] = new_task(i + 1, i + 1, "task");
	set_up_root();
}

static void tear_down(void)
{
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static u64 *links(u64 task)
{
	return at_va(field_va(task, F_TASK_TASKS));
}

/* The end of a case: check the number of processes, and words of the log. */
static void expect_processes(int nr, const char *words)
{
	const char *text;

	s = started_system();
	logged();
	OK(doca_apsh_processes_get(s, &processes, &nr_processes));
	EXPECT_EQ(nr_processes, nr);
	text = logged();
	if (words && !strstr(text, words))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
	doca_apsh_processes_free(processes);
	tear_down();
}

TEST(a_task_that_points_at_itself)
{
	set_up();
	links(tasks[1])[0] = field_va(tasks[1], F_TASK_TASKS);
	expect_processes(4, "broken");
}

TEST(a_loop_of_two_tasks)
{
	set_up();
	links(tasks[2])[0] = field_va(tasks[1], F_TASK_TASKS);
	links(tasks[1])[1] = field_va(tasks[2], F_TASK_TASKS);
	expect_processes(4, "broken");
}

TEST(a_task_whose_links_lead_nowhere)
{
	set_up();
	links(tasks[2])[0] = 0x1234;
	links(tasks[2])[1] = UINT64_MAX;
	expect_processes(4, "broken");
}

TEST(a_task_that_left_the_list_is_hidden)
{
	set_up();
	links(tasks[1])[0] = field_va(tasks[3], F_TASK_TASKS);
	links(tasks[3])[1] = field_va(tasks[1], F_TASK_TASKS);
	expect_processes(4, "1 processes are in one list of the kernel alone");
}

TEST(a_task_that_left_the_tree_is_hidden)
{
	set_up();
	((u64 *)at_va(field_va(image.pids, F_XA_NODE_SLOTS)))[3] = 0;
	expect_processes(4, "1 processes are in one list of the kernel alone");
}

/* The task has left the tree, and has ids of no process, or a thread's. */
TEST(a_task_of_other_ids_is_hidden)
{
	struct doca_apsh_process **list;
	int nr;

	set_up();
	for (u32 i = 0; i < 2; i++) {
		u64 task = new_task(30 + i, 30 + i, "other");

		slots_of(leaf_of(30 + i))[30 + i] = 0;
		set(task, F_TASK_PID, i ? 31 : 0);
		set(task, F_TASK_TGID, i);
	}
	s = started_system();
	OK(doca_apsh_processes_get(s, &list, &nr));
	for (int i = 0; i < nr; i++)
		EXPECT_EQ(doca_priv_apsh_hidden(list[i]),
			  !strcmp(doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_COMM),
				  "other"));
	EXPECT_LOGGED("2 processes are in one list of the kernel alone");
	doca_apsh_processes_free(list);
	tear_down();
}

TEST(a_list_that_crosses_another_is_left)
{
	set_up();
	links(tasks[1])[0] = symbol(S_modules);
	expect_processes(4, "broken");
}

TEST(a_node_of_the_tree_that_is_its_own_child)
{
	u64 *slot;

	set_up();
	set(image.pids, F_XA_NODE_SHIFT, 6);
	slot = at_va(field_va(image.pids, F_XA_NODE_SLOTS));
	for (int i = 0; i < 64; i++)
		slot[i] = image.pids + 2;
	/* the list has them all */
	expect_processes(4, "broken");
}

TEST(a_tree_of_any_shift)
{
	for (u32 shift = 1; shift < 256; shift += 7) {
		set_up();
		set(image.pids, F_XA_NODE_SHIFT, shift);
		expect_processes(4, NULL);
	}
}

TEST(entries_of_the_tree_that_are_no_pids)
{
	static const u64 bad[] = { 1,
				   2,
				   3,
				   258 << 2 | 2,
				   4096,
				   4098,
				   8,
				   0x1000000000000008,
				   UINT64_MAX,
				   0xffff888000fffff8,
				   0xffff888000000000 };
	u64 *slot;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		set_up();
		slot = at_va(field_va(image.pids, F_XA_NODE_SLOTS));
		slot[40] = bad[i];
		slot[41] = slot[1]; /* twice */
		expect_processes(4, NULL);
	}
}

TEST(neither_a_tree_nor_a_list_is_no_kernel)
{
	set_up();
	s = started_system();
	memset(at_va(symbol(S_init_pid_ns)), 0xff, 512);
	memset(at_va(field_va(symbol(S_init_task), F_TASK_TASKS)), 0, 16);
	*(u64 *)at_va(field_va(symbol(S_init_pid_ns), F_PIDNS_IDR)) = 0;
	write_image();
	logged();
	EXPECT_EQ(doca_apsh_processes_get(s, &processes, &nr_processes), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("neither the tree of PIDs nor the list of tasks");
	tear_down();
}

TEST(a_name_without_an_end)
{
	set_up();
	memset(at_va(field_va(tasks[0], F_TASK_COMM)), 'A', 16);
	s = started_system();
	EXPECT_STR(doca_apsh_process_info_get(process_of(s, 1), DOCA_APSH_PROCESS_COMM),
		   "AAAAAAAAAAAAAAA");
	doca_apsh_processes_free(processes);
	tear_down();
}

/* Tables that lead back to themselves: five steps find an address or none. */
TEST(tables_that_are_their_own_entries)
{
	u64 leaf, page, mm, pgd;
	struct doca_apsh_envar **list;
	int nr;

	set_up();
	mm = new_mm(tasks[0], &leaf, &page);
	pgd = *(u64 *)at_va(field_va(mm, F_MM_PGD));
	for (int i = 0; i < 512; i++)
		((u64 *)at_va(pgd))[i] = pa_of(pgd) | 7;
	set(mm, F_MM_ENV_START, 0);
	set(mm, F_MM_ENV_END, 1 << 20);
	s = started_system();
	OK(doca_apsh_envars_get(process_of(s, 1), &list, &nr));
	doca_apsh_envars_free(list);
	doca_apsh_processes_free(processes);
	tear_down();
}

static int areas_of_first(const char *words)
{
	struct doca_apsh_vad **list;
	const char *text;
	int nr = -1;

	s = started_system();
	logged();
	OK(doca_apsh_vads_get(process_of(s, 1), &list, &nr));
	text = logged();
	if (words && !strstr(text, words))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
	tear_down();
	return nr;
}

TEST(a_maple_node_that_is_its_own_child)
{
	u64 mm, leaf, page;

	set_up();
	mm = new_mm(tasks[0], &leaf, &page);
	set(mm, F_MM_ROOT, leaf | 2 << 3 | 2);
	for (int i = 0; i < 16; i++) {
		slots(leaf)[i] = leaf | 2 << 3 | 4;
		if (i < 15)
			pivots(leaf)[i] = (u64)i * 4096 + 4095;
	}
	EXPECT_EQ(areas_of_first("broken"), 0);
}

TEST(maple_nodes_of_all_types_and_values)
{
	for (u32 type = 0; type < 16; type++) {
		u64 mm, leaf, page;

		set_up();
		mm = new_mm(tasks[0], &leaf, &page);
		new_area(mm, leaf, 1, 4096, 8192, 1, 0);
		set(mm, F_MM_ROOT, leaf | type << 3 | 2);
		memset(pivots(leaf) + 2, 0x80 + (int)type, 100);
		areas_of_first(NULL);
	}
}

TEST(areas_that_are_not_where_the_tree_has_them)
{
	u64 mm, leaf, page, area;

	set_up();
	mm = new_mm(tasks[0], &leaf, &page);
	area = new_area(mm, leaf, 1, 4096, 8192, 1, 0);
	set(area, F_VMA_START, 0);
	area = new_area(mm, leaf, 3, 0x10000, 0x11000, 1, 0);
	set(area, F_VMA_MM, 17);
	area = new_area(mm, leaf, 5, 0x20000, 0x21000, 1, 0);
	set(area, F_VMA_END, 0);
	new_area(mm, leaf, 7, 0x30000, 0x31000, 1, 0);
	EXPECT_EQ(areas_of_first("broken"), 1);
}

static void path_of_area(u64 file, const char *path)
{
	u64 mm, leaf, page;
	struct doca_apsh_vad **list;
	int nr;

	mm = new_mm(tasks[0], &leaf, &page);
	new_area(mm, leaf, 1, 4096, 8192, 1, file);
	s = started_system();
	OK(doca_apsh_vads_get(process_of(s, 1), &list, &nr));
	ASSERT(nr == 1);
	EXPECT_STR(doca_apsh_vad_info_get(list[0], DOCA_APSH_VMA_FILE_PATH), path);
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
	tear_down();
}

TEST(dentries_in_a_circle)
{
	u64 a, b;

	set_up();
	a = new_dentry(root_dentry, "a");
	b = new_dentry(a, "b");
	set(a, F_DENTRY_PARENT, b);
	path_of_area(new_file(a, 0100644), "");
}

TEST(mounts_in_a_circle)
{
	u64 other;

	set_up();
	other = object(256, 64);
	set(other, F_MOUNT_PARENT, root_mount);
	set(other, F_MOUNT_POINT, root_dentry);
	set(root_mount, F_MOUNT_PARENT, other);
	set(root_mount, F_MOUNT_POINT, root_dentry);
	set(field_va(other, F_MOUNT_MNT), F_VFSMOUNT_ROOT, root_dentry);
	path_of_area(new_file(new_dentry(root_dentry, "x"), 0100644), "");
}

TEST(a_dentry_whose_length_is_a_lie)
{
	u64 dentry;

	set_up();
	dentry = new_dentry(root_dentry, "name");
	set(dentry, F_DENTRY_LEN, 5);
	path_of_area(new_file(dentry, 0100644), "");
	set_up();
	dentry = new_dentry(root_dentry, "name");
	set(dentry, F_DENTRY_LEN, UINT32_MAX);
	path_of_area(new_file(dentry, 0100644), "");
}

TEST(a_file_that_is_nowhere)
{
	set_up();
	path_of_area(0xdeadbeef, "");
	set_up();
	path_of_area(image.direct + IMAGE_SIZE - 8, "");
}

TEST(a_table_of_2_32_files)
{
	u64 files, fdt;
	struct doca_apsh_handle **list;
	int nr;

	set_up();
	files = object(64, 64);
	fdt = object(64, 64);
	set(tasks[0], F_TASK_FILES, files);
	set(files, F_FILES_FDT, fdt);
	set(fdt, F_FDT_MAX, UINT32_MAX);
	set(fdt, F_FDT_FD, image.direct);
	s = started_system();
	OK(doca_apsh_handles_get(process_of(s, 1), &list, &nr));
	EXPECT(!list && !nr);
	doca_apsh_processes_free(processes);
	tear_down();
}

TEST(arguments_without_an_end)
{
	struct doca_apsh_process_parameters *p;
	u64 mm, leaf, page;

	set_up();
	mm = new_mm(tasks[0], &leaf, &page);
	memset(at_va(page), 'x', 4096);
	set(mm, F_MM_ARG_START, USER_VA);
	set(mm, F_MM_ARG_END, UINT64_MAX);
	s = started_system();
	OK(doca_apsh_process_parameters_get(process_of(s, 1), &p));
	EXPECT_EQ(strlen(doca_apsh_process_parameters_info_get(
			  p, DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE)),
		  4096);
	doca_apsh_process_parameters_free(p);
	doca_apsh_processes_free(processes);
	tear_down();
}

/* Make all calls on images with changed bytes: whatever the results are, they end. */
static void all_calls(void)
{
	struct doca_apsh_container **containers;
	struct doca_apsh_module **modules;
	struct doca_apsh_handle **handles;
	struct doca_apsh_envar **envars;
	struct doca_apsh_vad **vads;
	struct doca_apsh_lib **libs;
	int nr;

	if (!doca_apsh_modules_get(s, &modules, &nr))
		doca_apsh_module_free(modules);
	if (!doca_apsh_containers_get(s, &containers, &nr))
		doca_apsh_containers_free(containers);
	if (doca_apsh_processes_get(s, &processes, &nr_processes))
		return;
	for (int i = 0; i < nr_processes; i++) {
		if (!doca_apsh_vads_get(processes[i], &vads, &nr))
			doca_apsh_vads_free(vads);
		if (!doca_apsh_libs_get(processes[i], &libs, &nr))
			doca_apsh_libs_free(libs);
		if (!doca_apsh_envars_get(processes[i], &envars, &nr))
			doca_apsh_envars_free(envars);
		if (!doca_apsh_handles_get(processes[i], &handles, &nr))
			doca_apsh_handles_free(handles);
	}
	doca_apsh_processes_free(processes);
}

TEST(images_with_any_bytes_changed)
{
	u64 mm, leaf, page, end;
	u32 seed = 1;

	set_up();
	mm = new_mm(tasks[0], &leaf, &page);
	new_area(mm, leaf, 1, 4096, 8192, 5, new_file(new_dentry(root_dentry, "x"), 0100644));
	s = started_system();
	end = image.next;
	for (int round = 0; round < 40; round++) {
		u64 word, at;
		int fd = open(image.ram, O_WRONLY);

		for (int i = 0; i < 20; i++) {
			seed = seed * 1664525 + 1013904223;
			at = (8ULL << 20) + (seed >> 4) % (end - (8 << 20));
			at &= ~7ULL;
			seed = seed * 1664525 + 1013904223;
			word = seed & 1 ? seed * 0x100000001ULL :
					  image.direct + (8 << 20) + seed % 65536;
			if (pwrite(fd, &word, 8, (off_t)at) != 8)
				abort();
		}
		close(fd);
		all_calls();
	}
	EXPECT(true);
	tear_down();
}
