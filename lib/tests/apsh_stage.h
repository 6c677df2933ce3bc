/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A sound image of apsh_image.h, with objects of each kind. */
#ifndef DOCA_TESTS_APSH_STAGE_H
#define DOCA_TESTS_APSH_STAGE_H

#include "apsh_net.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define PROCESS(o, attr) doca_apsh_process_info_get(o, DOCA_APSH_PROCESS_##attr)

/* Four processes; 10 has threads, memory, and files. */
static struct {
	u64 ten, mm, leaf, page, areas[4], fds, exe;
} has_;

static void set_up_files(void)
{
	u64 files = object(64, 64), fdt = object(64, 64);

	has_.fds = object(64 * 8, 64);
	set(has_.ten, F_TASK_FILES, files);
	set(files, F_FILES_FDT, fdt);
	set(fdt, F_FDT_MAX, 64);
	set(fdt, F_FDT_FD, has_.fds);
}

static void set_fd(int fd, u64 file)
{
	((u64 *)at_va(has_.fds))[fd] = file;
}

static void set_up_memory(void)
{
	u64 usr, lib;

	set_up_root();
	usr = new_dentry(root_dentry, "usr");
	lib = new_file(new_dentry(usr, "lib.so"), 0100644);
	has_.exe = new_file(new_dentry(usr, "prog"), 0100755);
	has_.mm = new_mm(has_.ten, &has_.leaf, &has_.page);
	set(has_.mm, F_MM_EXE, has_.exe);
	set(has_.mm, F_MM_START_BRK, 0x600000);
	set(has_.mm, F_MM_BRK, 0x602000);
	set(has_.mm, F_MM_ARG_START, USER_VA);
	set(has_.mm, F_MM_ARG_END, USER_VA + 12);
	memcpy(at_va(has_.page), "prog\0-a\0bc\0", 12);
	set(has_.mm, F_MM_ENV_START, USER_VA + 64);
	set(has_.mm, F_MM_ENV_END, USER_VA + 64 + 17);
	memcpy((char *)at_va(has_.page) + 64, "A=1\0none\0B=x=y\0\0", 17);
	has_.areas[0] = new_area(has_.mm, has_.leaf, 1, 0x400000, 0x401000, 5, has_.exe);
	has_.areas[1] = new_area(has_.mm, has_.leaf, 3, 0x600000, 0x602000, 3, 0);
	has_.areas[2] = new_area(has_.mm, has_.leaf, 5, 0x700000, 0x701000, 1, lib);
	has_.areas[3] = new_area(has_.mm, has_.leaf, 7, 0x701000 + 0x1000, 0x703000, 0x85, lib);
	pivots(has_.leaf)[8] = UINT64_MAX;
}

static void new_module(const char *name, u32 core, u32 init, u32 state)
{
	u64 module = object(512, 64);

	set_text(field_va(module, F_MODULE_NAME), name);
	set(module, F_MODULE_STATE, state);
	set(field_va(module, F_MODULE_MEM), F_LAYOUT_SIZE, core);
	set(field_va(module, F_MODULE_MEM) + LAYOUT_BYTES, F_LAYOUT_SIZE, init);
	link_before(symbol(S_modules), field_va(module, F_MODULE_LIST));
}

static void set_cgroup(u64 task, const char *name)
{
	u64 set_ = object(64, 64), group = object(64, 64);
	u64 kn = object(64, 64), above = object(64, 64);

	set(task, F_TASK_CGROUPS, set_);
	set(set_, F_CSS_SET_CGROUP, group);
	set(group, F_CGROUP_KN, kn);
	set(kn, F_KN_NAME, string("inner"));
	set(kn, F_KN_PARENT, above);
	set(above, F_KN_NAME, string(name));
}

/* A log without messages. */
static void set_up_log(void)
{
	u64 ring = object(256, 64);

	*(u64 *)at_va(symbol(S_prb)) = ring;
	set(ring, F_PRB_COUNT_BITS, 1);
	set(ring, F_PRB_SIZE_BITS, 6);
	set(ring, F_PRB_DESCS, object(256, 64));
	set(ring, F_PRB_INFOS, object(256, 64));
	set(ring, F_PRB_DATA, object(64, 64));
}

static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static inline struct doca_apsh_system *set_up(int levels)
{
	char scope[96];

	set_up_image(levels);
	new_task(1, 1, "init");
	has_.ten = new_task(10, 10, "ten");
	new_task(11, 10, "thread");
	new_task(12, 10, "another");
	new_task(20, 20, "kthread");
	set(has_.ten, F_TASK_STATE, 1);
	set(has_.ten, F_TASK_EXIT_STATE, 32);
	set(has_.ten, F_TASK_PARENT, symbol(S_init_task));
	set_up_memory();
	set_up_files();
	set_up_net();
	set_up_log();
	set_fd(0, has_.exe);
	set_fd(7, new_file(new_dentry(root_dentry, "dev"), 040755));
	new_module("first", 4096, 100, 0);
	new_module("unformed", 4096, 0, 3);
	new_module("second", 8192, 0, 0);
	snprintf(scope, sizeof(scope), "docker-%s.scope", id);
	set_cgroup(has_.ten, scope);
	return started_system();
}

static void tear_down(struct doca_apsh_system *s)
{
	doca_apsh_system_destroy(s);
	tear_down_image();
}

#endif /* DOCA_TESTS_APSH_STAGE_H */
