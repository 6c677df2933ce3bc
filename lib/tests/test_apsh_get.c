// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: what is found in sound images, and what calls answer. */
#include "apsh_user.h"

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
	has_.areas[0] = new_area(has_.mm, has_.leaf, 1, 0x400000, 0x401000, 5,
				 has_.exe);
	has_.areas[1] =
		new_area(has_.mm, has_.leaf, 3, 0x600000, 0x602000, 3, 0);
	has_.areas[2] =
		new_area(has_.mm, has_.leaf, 5, 0x700000, 0x701000, 1, lib);
	has_.areas[3] = new_area(has_.mm, has_.leaf, 7, 0x701000 + 0x1000,
				 0x703000, 0x85, lib);
	pivots(has_.leaf)[8] = UINT64_MAX;
}

static void new_module(const char *name, u32 core, u32 init, u32 state)
{
	u64 module = object(512, 64);

	set_text(field_va(module, F_MODULE_NAME), name);
	set(module, F_MODULE_STATE, state);
	((u32 *)at_va(field_va(module, F_MODULE_MEM)))[0] = core;
	*(u32 *)at_va(field_va(module, F_MODULE_MEM) +
		      image.map.fields[F_MODULE_MEMORY_SIZE].offset) = core;
	*(u32 *)at_va(field_va(module, F_MODULE_MEM) +
		      image.map.fields[F_MODULE_MEMORY].size +
		      image.map.fields[F_MODULE_MEMORY_SIZE].offset) = init;
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

static const char id[] =
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static struct doca_apsh_system *set_up(int levels)
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

static void processes_at(int levels)
{
	struct doca_apsh_system *s = set_up(levels);
	struct doca_apsh_process *p = process_of(s, 10);

	EXPECT_EQ(s->kernel.levels, levels);
	EXPECT_EQ(s->kernel.delta, 0x6000000);
	EXPECT_EQ(nr_processes, 3);
	EXPECT(!processes[3]);
	EXPECT_EQ(PROCESS(processes[0], PID), 1);
	EXPECT_EQ(PROCESS(processes[2], PID), 20);
	EXPECT_STR(PROCESS(p, COMM), "ten");
	EXPECT_EQ(PROCESS(p, PPID), 0);
	EXPECT_EQ(PROCESS(p, LINUX_UID), 100);
	EXPECT_EQ(PROCESS(p, LINUX_GID), 101);
	EXPECT_EQ(PROCESS(p, LINUX_STATE), 33);
	EXPECT_EQ(PROCESS(p, CPU_TIME), (3 * 5 + 7) * 1000);
	EXPECT_EQ(PROCESS(p, LINUX_NS_PID), 4026531836);
	EXPECT_EQ(PROCESS(p, LINUX_NS_NET), 0);
	EXPECT_EQ(PROCESS(p, WINDOWS_OFFSET), 0);
	EXPECT(!doca_priv_apsh_hidden(p));
	EXPECT_SILENT();
	EXPECT(!__doca_apsh_process_info_get(p, 777));
	EXPECT_LOGGED("no attribute 777");
	EXPECT(!__doca_apsh_process_info_get(NULL, 0));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(processes_with_4_levels_of_tables)
{
	processes_at(4);
}

TEST(processes_with_5_levels_of_tables)
{
	processes_at(5);
}

TEST(threads)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_thread **list;
	int nr;

	OK(doca_apsh_threads_get(process_of(s, 10), &list, &nr));
	EXPECT_EQ(nr, 3);
	EXPECT_EQ(doca_apsh_thread_info_get(list[1], DOCA_APSH_THREAD_TID), 11);
	EXPECT_EQ(doca_apsh_thread_info_get(list[1], DOCA_APSH_THREAD_PID), 10);
	EXPECT_STR(doca_apsh_thread_info_get(
			   list[1], DOCA_APSH_THREAD_LINUX_THREAD_NAME),
		   "thread");
	EXPECT_STR(doca_apsh_thread_info_get(list[1],
					     DOCA_APSH_THREAD_LINUX_PROC_NAME),
		   "ten");
	doca_apsh_threads_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

#define VAD(o, attr) doca_apsh_vad_info_get(o, DOCA_APSH_VMA_##attr)

TEST(memory_areas)
{
	struct doca_apsh_system *s = set_up(5);
	struct doca_apsh_vad **list;
	int nr;

	OK(doca_apsh_vads_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 4);
	EXPECT_EQ(VAD(list[0], VM_START), 0x400000);
	EXPECT_EQ(VAD(list[0], VM_END), 0x401000);
	EXPECT_EQ(VAD(list[0], OFFSET), has_.areas[0]);
	EXPECT_STR(VAD(list[0], PROTECTION), "r-xp");
	EXPECT_STR(VAD(list[0], FILE_PATH), "/usr/prog");
	EXPECT_STR(VAD(list[1], FILE_PATH), "[heap]");
	EXPECT_STR(VAD(list[1], PROTECTION), "rw-p");
	EXPECT_STR(VAD(list[3], PROTECTION), "r-xs");
	EXPECT_STR(VAD(list[3], PROCESS_NAME), "ten");
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
	OK(doca_apsh_vads_get(process_of(s, 20), &list, &nr));
	EXPECT(!list && !nr); /* a kernel thread */
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
	EXPECT_SILENT();
	tear_down(s);
}

TEST(a_file_that_was_deleted_is_marked)
{
	struct doca_apsh_system *s;
	struct doca_apsh_vad **list;
	int nr;

	s = set_up(4);
	doca_apsh_system_destroy(s);
	*(u64 *)at_va(field_va(*(u64 *)at_va(field_va(has_.exe, F_FILE_DENTRY)),
			       F_DENTRY_PPREV)) = 0;
	s = started_system();
	OK(doca_apsh_vads_get(process_of(s, 10), &list, &nr));
	EXPECT_STR(VAD(list[0], FILE_PATH), "/usr/prog (deleted)");
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(libraries_are_what_is_executed_besides_the_program)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_lib **list;
	int nr;

	OK(doca_apsh_libs_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 1);
	EXPECT_STR(doca_apsh_lib_info_get(list[0], DOCA_APSH_LIB_LIBRARY_PATH),
		   "/usr/lib.so");
	/* where its lowest area is, which is not executable */
	EXPECT_EQ(doca_apsh_lib_info_get(list[0], DOCA_APSH_LIB_LOAD_ADRESS),
		  0x700000);
	doca_apsh_libs_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(modules)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_module **list;
	int nr;

	OK(doca_apsh_modules_get(s, &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(doca_apsh_module_info_get(list[0], DOCA_APSH_MODULES_NAME),
		   "first");
	EXPECT_EQ(doca_apsh_module_info_get(list[0], DOCA_APSH_MODULES_SIZE),
		  4196);
	EXPECT_STR(doca_apsh_module_info_get(list[1], DOCA_APSH_MODULES_NAME),
		   "second");
	doca_apsh_module_free(list);
	EXPECT_EQ(doca_apsh_sys_config(s, DOCA_APSH_MODULES_LIMIT, 1),
		  DOCA_ERROR_BAD_STATE);
	tear_down(s);
}

TEST(parameters)
{
	struct doca_apsh_system *s = set_up(5);
	struct doca_apsh_process_parameters *p;
	struct doca_apsh_process *ten;

	OK(doca_apsh_process_parameters_get(process_of(s, 10), &p));
	EXPECT_STR(doca_apsh_process_parameters_info_get(
			   p, DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE),
		   "prog -a bc");
	EXPECT_STR(doca_apsh_process_parameters_info_get(
			   p, DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH),
		   "/usr/prog");
	EXPECT_EQ(doca_apsh_process_parameters_info_get(
			  p, DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR),
		  0x400000);
	doca_apsh_process_parameters_free(p);
	doca_apsh_process_parameters_free(NULL);
	doca_apsh_processes_free(processes);
	logged();
	p = (void *)1;
	EXPECT_EQ(doca_apsh_process_parameters_get(process_of(s, 20), &p),
		  DOCA_ERROR_BAD_STATE);
	EXPECT(p == (void *)1);
	EXPECT_LOGGED("are not in memory");
	EXPECT_EQ(doca_apsh_process_parameters_get(NULL, &p),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_apsh_process_parameters_get(processes[0], NULL),
		  DOCA_ERROR_INVALID_VALUE);
	doca_apsh_processes_free(processes);
	ten = process_of(s, 10);
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_process_parameters_get(ten, &p),
		      NO_MEMORY, doca_apsh_process_parameters_free(p));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(environment_variables)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_envar **list;
	int nr;

	OK(doca_apsh_envars_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(doca_apsh_envar_info_get(list[1], DOCA_APSH_ENVARS_VARIABLE),
		   "B");
	EXPECT_STR(doca_apsh_envar_info_get(list[1], DOCA_APSH_ENVARS_VALUE),
		   "x=y");
	doca_apsh_envars_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(capabilities)
{
	struct doca_apsh_privilege **list;
	struct doca_apsh_system *s;
	u64 cred;
	int nr;

	s = set_up(4);
	doca_apsh_system_destroy(s);
	cred = *(u64 *)at_va(field_va(has_.ten, F_TASK_CRED));
	set(cred, F_CRED_PERMITTED, 1ULL << 12 | 1ULL << 63);
	set(cred, F_CRED_EFFECTIVE, 1ULL << 12);
	s = started_system();
	OK(doca_apsh_privileges_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(doca_apsh_privilege_info_get(list[0],
						DOCA_APSH_PRIVILEGES_NAME),
		   "CAP_NET_ADMIN");
	EXPECT(doca_apsh_privilege_info_get(list[0],
					    DOCA_APSH_PRIVILEGES_IS_ON));
	EXPECT_STR(doca_apsh_privilege_info_get(list[1],
						DOCA_APSH_PRIVILEGES_NAME),
		   "CAP_63");
	EXPECT(!doca_apsh_privilege_info_get(list[1],
					     DOCA_APSH_PRIVILEGES_IS_ON));
	doca_apsh_privileges_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

#define HANDLE(o, attr) doca_apsh_handle_info_get(o, DOCA_APSH_HANDLE_##attr)

TEST(open_files)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_handle **list;
	int nr;

	OK(doca_apsh_handles_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 2);
	EXPECT_EQ(HANDLE(list[1], VALUE), 7);
	EXPECT_STR(HANDLE(list[1], TYPE), "dir");
	EXPECT_STR(HANDLE(list[1], NAME), "/dev");
	EXPECT_STR(HANDLE(list[0], TYPE), "file");
	EXPECT_EQ(HANDLE(list[0], ACCESS), 1);
	EXPECT_EQ(HANDLE(list[0], TABLE_ENTRY), has_.exe);
	doca_apsh_handles_free(list);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(containers_and_their_processes)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_container **list;
	int nr;

	OK(doca_apsh_containers_get(s, &list, &nr));
	ASSERT(nr == 1);
	EXPECT_STR(doca_apsh_container_info_get(list[0],
						DOCA_APSH_CONTAINER_ID),
		   id);
	OK(doca_apsh_container_processes_get(list[0], &processes,
					     &nr_processes));
	EXPECT_EQ(nr_processes, 1);
	EXPECT_EQ(PROCESS(processes[0], PID), 10);
	doca_apsh_processes_free(processes);
	EXPECT_EQ(doca_apsh_container_processes_get(NULL, &processes, &nr),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_apsh_container_processes_get(list[0], &processes,
							&nr),
		      NO_MEMORY, doca_apsh_processes_free(processes));
	doca_apsh_system_destroy(s);
	EXPECT_EQ(doca_apsh_container_processes_get(list[0], &processes, &nr),
		  DOCA_ERROR_INITIALIZATION);
	doca_apsh_containers_free(list);
	tear_down_image();
}

typedef doca_error_t (*get_fn)(void *of, void *array, int *nr);

/* Functions of one form; calls of them are seen by their names. */
struct form {
	get_fn get;
	void (*drop)(void *array);
	doca_error_t gone;
};

#define FORM(name, drop, gone)                                             \
	{                                                                  \
		(get_fn)(void *) doca_apsh_##name##_get,                   \
			(void (*)(void *))(void *)doca_apsh_##drop##_free, \
			DOCA_ERROR_##gone                                  \
	}

static const struct form of_process[] = {
	FORM(threads, threads, INITIALIZATION),
	FORM(vads, vads, NOT_FOUND),
	FORM(libs, libs, INITIALIZATION),
	FORM(envars, envars, INITIALIZATION),
	FORM(privileges, privileges, INITIALIZATION),
	FORM(handles, handles, INITIALIZATION),
};

static const struct form of_system[] = {
	FORM(processes, processes, INITIALIZATION),
	FORM(modules, module, INITIALIZATION),
	FORM(containers, containers, INITIALIZATION),
};

TEST(calls_refuse_what_is_missing)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array = (void *)1;
	int nr = 9;

	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++) {
		const struct form *f = &of_process[i];

		EXPECT_EQ(f->get(NULL, &array, &nr), DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(f->get(p, NULL, &nr), DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(f->get(p, &array, NULL), DOCA_ERROR_INVALID_VALUE);
		f->drop(NULL);
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++) {
		const struct form *f = &of_system[i];

		EXPECT_EQ(f->get(NULL, &array, &nr), DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(f->get(s, NULL, &nr), DOCA_ERROR_INVALID_VALUE);
		f->drop(NULL);
	}
	EXPECT(array == (void *)1 && nr == 9);
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(calls_fail_before_the_start)
{
	struct doca_apsh_system *s;
	void *array = (void *)1;
	int nr = 9;

	set_up_image(4);
	s = new_system();
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		EXPECT_EQ(of_system[i].get(s, &array, &nr),
			  DOCA_ERROR_BAD_STATE);
	EXPECT(array == (void *)1 && nr == 9);
	tear_down(s);
}

TEST(calls_without_memory_leave_nothing)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++)
		EXPECT_FAULTS(FAULT_ALLOC, of_process[i].get(p, &array, &nr),
			      NO_MEMORY, of_process[i].drop(array));
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		EXPECT_FAULTS(FAULT_ALLOC, of_system[i].get(s, &array, &nr),
			      NO_MEMORY, of_system[i].drop(array));
	doca_apsh_processes_free(processes);
	tear_down(s);
}

/* Its place in the tree is another's now: the PID was used again. */
TEST(a_process_that_is_gone_is_not_found)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process_parameters *params;
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

	set(has_.ten, F_TASK_START, 5);
	write_image();
	for (size_t i = 0; i < ARRAY_SIZE(of_process); i++) {
		logged();
		EXPECT_EQ(of_process[i].get(p, &array, &nr),
			  of_process[i].gone);
		EXPECT_LOGGED("process 10, \"ten\", is gone");
	}
	EXPECT_EQ(doca_apsh_process_parameters_get(p, &params),
		  DOCA_ERROR_INITIALIZATION);
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
		EXPECT_EQ(of_process[i].get(p, &array, &nr),
			  DOCA_ERROR_INITIALIZATION);
	EXPECT_STR(PROCESS(p, COMM), "ten");
	doca_apsh_processes_free(processes);
	tear_down_image();
}

/* The file was cut while it was used: there is nothing to be read any more. */
TEST(a_target_that_is_gone_ends_calls)
{
	struct doca_apsh_system *s = set_up(4);
	void *array;
	int nr;

	if (truncate(image.ram, 4096))
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		EXPECT_EQ(of_system[i].get(s, &array, &nr),
			  DOCA_ERROR_INITIALIZATION);
	tear_down(s);
}

TEST(limits_end_lists_with_a_warning)
{
	struct doca_apsh_system *s;

	s = set_up(4);
	doca_apsh_system_destroy(s);
	s = new_system();
	OK(doca_apsh_sys_config(s, DOCA_APSH_PROCESS_LIMIT, 2));
	OK(doca_apsh_system_start(s));
	logged();
	OK(doca_apsh_processes_get(s, &processes, &nr_processes));
	EXPECT_EQ(nr_processes, 2);
	EXPECT_LOGGED("more processes than the limit of 2");
	doca_apsh_processes_free(processes);
	tear_down(s);
}

TEST(a_budget_ends_calls)
{
	struct doca_apsh_system *s = set_up(4);

	s->budget.bytes = 2048;
	logged();
	EXPECT_EQ(doca_apsh_processes_get(s, &processes, &nr_processes),
		  DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("DOCA_APSH_BUDGET");
	tear_down(s);
}

#define NEVER(name)                                            \
	{                                                      \
		(get_fn)(void *) doca_apsh_##name##_get, NULL, \
			DOCA_ERROR_NOT_SUPPORTED               \
	}

static const struct form never[] = {
	NEVER(sids),
	NEVER(ldrmodules),
	NEVER(process_netscan),
	NEVER(proc_files_details),
	NEVER(injection_detect),
};

TEST(what_is_not_supported_says_so)
{
	enum doca_apsh_yara_rule rule = DOCA_APSH_YARA_RULE_HELLO_WORLD;
	struct doca_apsh_attestation **attestation = NULL;
	struct doca_apsh_interface **interfaces;
	struct doca_apsh_netscan **sockets;
	struct doca_apsh_yara **yara;
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_process *p = process_of(s, 10);
	void *array;
	int nr;

#define NOT_SUPPORTED(call) EXPECT_EQ(call, DOCA_ERROR_NOT_SUPPORTED)
#define INVALID(call) EXPECT_EQ(call, DOCA_ERROR_INVALID_VALUE)
	for (size_t i = 0; i < ARRAY_SIZE(never); i++) {
		logged();
		NOT_SUPPORTED(never[i].get(p, &array, &nr));
		EXPECT(*logged());
		INVALID(never[i].get(NULL, &array, &nr));
		INVALID(never[i].get(p, NULL, &nr));
	}
	NOT_SUPPORTED(doca_apsh_interfaces_get(s, &interfaces, &nr));
	INVALID(doca_apsh_interfaces_get(s, NULL, &nr));
	NOT_SUPPORTED(doca_apsh_netscan_get(s, &sockets, &nr));
	INVALID(doca_apsh_netscan_get(NULL, &sockets, &nr));
	NOT_SUPPORTED(doca_apsh_yara_get(p, &rule, 1, DOCA_APSH_YARA_SCAN_VMA,
					 &yara, &nr));
	INVALID(doca_apsh_yara_get(p, NULL, 1, 1, &yara, &nr));
	INVALID(doca_apsh_yara_get(p, &rule, 0, 1, &yara, &nr));
	NOT_SUPPORTED(doca_apsh_attestation_get(p, "a", &attestation, &nr));
	INVALID(doca_apsh_attestation_get(p, NULL, &attestation, &nr));
	NOT_SUPPORTED(doca_apsh_attst_refresh(&attestation, &nr));
	INVALID(doca_apsh_attst_refresh(NULL, &nr));
	doca_apsh_sids_free(NULL);
	doca_apsh_ldrmodules_free(NULL);
	doca_apsh_yara_free(NULL);
	doca_apsh_attestation_free(NULL);
	doca_apsh_proc_files_details_free(NULL);
	doca_apsh_injection_detect_free(NULL);
	doca_apsh_interfaces_free(NULL);
	doca_apsh_netscan_free(NULL);
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

	stat(image.ram, &before);
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++) {
		OK(of_system[i].get(s, &array, &nr));
		of_system[i].drop(array);
	}
	stat(image.ram, &after);
	EXPECT(!memcmp(&before.st_mtim, &after.st_mtim, sizeof(after.st_mtim)));
	tear_down(s);
}
