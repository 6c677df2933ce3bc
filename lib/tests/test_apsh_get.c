// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: results for sound images. */
#include "apsh_stage.h"

static void end(struct doca_apsh_system *s)
{
	doca_apsh_processes_free(processes);
	tear_down(s);
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
	end(s);
}

TEST(processes_with_4_and_5_levels_of_tables)
{
	processes_at(4);
	processes_at(5);
}

#define THREAD(o, attr) doca_apsh_thread_info_get(o, DOCA_APSH_THREAD_##attr)

TEST(threads)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_thread **list;
	int nr;

	OK(doca_apsh_threads_get(process_of(s, 10), &list, &nr));
	EXPECT_EQ(nr, 3);
	EXPECT_EQ(THREAD(list[1], TID), 11);
	EXPECT_EQ(THREAD(list[1], PID), 10);
	EXPECT_STR(THREAD(list[1], LINUX_THREAD_NAME), "thread");
	EXPECT_STR(THREAD(list[1], LINUX_PROC_NAME), "ten");
	doca_apsh_threads_free(list);
	end(s);
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
	/* a deleted file is marked */
	*(u64 *)at_va(field_va(*(u64 *)at_va(field_va(has_.exe, F_FILE_DENTRY)), F_DENTRY_PPREV)) =
		0;
	write_image();
	OK(doca_apsh_vads_get(process_of(s, 10), &list, &nr));
	EXPECT_STR(VAD(list[0], FILE_PATH), "/usr/prog (deleted)");
	doca_apsh_vads_free(list);
	end(s);
}

#define LIBRARY(o, attr) doca_apsh_lib_info_get(o, DOCA_APSH_LIB_##attr)

TEST(libraries_are_what_is_executed_besides_the_program)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_lib **list;
	int nr;

	OK(doca_apsh_libs_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 1);
	EXPECT_STR(LIBRARY(list[0], LIBRARY_PATH), "/usr/lib.so");
	/* address of its lowest area, which is not executable */
	EXPECT_EQ(LIBRARY(list[0], LOAD_ADRESS), 0x700000);
	doca_apsh_libs_free(list);
	end(s);
}

#define MODULE(o, attr) doca_apsh_module_info_get(o, DOCA_APSH_MODULES_##attr)

TEST(modules)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_module **list;
	int nr;

	OK(doca_apsh_modules_get(s, &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(MODULE(list[0], NAME), "first");
	EXPECT_EQ(MODULE(list[0], SIZE), 4196);
	EXPECT_STR(MODULE(list[1], NAME), "second");
	doca_apsh_module_free(list);
	tear_down(s);
}

#define PARAMETER(o, attr) \
	doca_apsh_process_parameters_info_get(o, DOCA_APSH_PROCESS_PARAMETERS_##attr)

TEST(parameters)
{
	struct doca_apsh_system *s = set_up(5);
	struct doca_apsh_process_parameters *p;
	struct doca_apsh_process *ten;

	OK(doca_apsh_process_parameters_get(process_of(s, 10), &p));
	EXPECT_STR(PARAMETER(p, CMD_LINE), "prog -a bc");
	EXPECT_STR(PARAMETER(p, IMAGE_FULL_PATH), "/usr/prog");
	EXPECT_EQ(PARAMETER(p, IMAGE_BASE_ADDR), 0x400000);
	doca_apsh_process_parameters_free(p);
	doca_apsh_process_parameters_free(NULL);
	doca_apsh_processes_free(processes);
	logged();
	p = (void *)1;
	EXPECT_EQ(doca_apsh_process_parameters_get(process_of(s, 20), &p), DOCA_ERROR_BAD_STATE);
	EXPECT(p == (void *)1);
	EXPECT_LOGGED("are not in memory");
	doca_apsh_processes_free(processes);
	ten = process_of(s, 10);
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_process_parameters_get(ten, &p), NO_MEMORY,
		      doca_apsh_process_parameters_free(p));
	end(s);
}

#define ENVAR(o, attr) doca_apsh_envar_info_get(o, DOCA_APSH_ENVARS_##attr)

TEST(environment_variables)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_envar **list;
	int nr;

	OK(doca_apsh_envars_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(ENVAR(list[1], VARIABLE), "B");
	EXPECT_STR(ENVAR(list[1], VALUE), "x=y");
	doca_apsh_envars_free(list);
	end(s);
}

#define PRIVILEGE(o, attr) doca_apsh_privilege_info_get(o, DOCA_APSH_PRIVILEGES_##attr)

TEST(capabilities)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_privilege **list;
	u64 cred;
	int nr;

	cred = *(u64 *)at_va(field_va(has_.ten, F_TASK_CRED));
	set(cred, F_CRED_PERMITTED, 1ULL << 12 | 1ULL << 63);
	set(cred, F_CRED_EFFECTIVE, 1ULL << 12);
	write_image();
	OK(doca_apsh_privileges_get(process_of(s, 10), &list, &nr));
	ASSERT(nr == 2);
	EXPECT_STR(PRIVILEGE(list[0], NAME), "CAP_NET_ADMIN");
	EXPECT(PRIVILEGE(list[0], IS_ON));
	EXPECT_STR(PRIVILEGE(list[1], NAME), "CAP_63");
	EXPECT(!PRIVILEGE(list[1], IS_ON));
	doca_apsh_privileges_free(list);
	end(s);
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
	end(s);
}

/* Like pthread_exit() in main(). */
TEST(a_process_whose_leader_has_ended_has_memory_and_files)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_handle **fds;
	struct doca_apsh_vad **list;
	u64 threads, thread;
	int nr;

	doca_apsh_system_destroy(s);
	threads = field_va(image.signals[10], F_SIGNAL_THREADS);
	thread = ((u64 *)at_va(threads))[1] - image.map.fields[F_TASK_THREAD_NODE].offset;
	set(thread, F_TASK_MM, has_.mm);
	set(thread, F_TASK_FILES, *(u64 *)at_va(field_va(has_.ten, F_TASK_FILES)));
	set(has_.ten, F_TASK_MM, 0);
	set(has_.ten, F_TASK_FILES, 0);
	s = started_system();
	OK(doca_apsh_vads_get(process_of(s, 10), &list, &nr));
	EXPECT_EQ(nr, 4);
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
	OK(doca_apsh_handles_get(process_of(s, 10), &fds, &nr));
	EXPECT_EQ(nr, 2);
	doca_apsh_handles_free(fds);
	doca_apsh_processes_free(processes);
	EXPECT_SILENT();
	tear_down(s);
}

TEST(containers_and_their_processes)
{
	struct doca_apsh_system *s = set_up(4);
	struct doca_apsh_container **list;
	int nr;

	OK(doca_apsh_containers_get(s, &list, &nr));
	ASSERT(nr == 1);
	EXPECT_STR(doca_apsh_container_info_get(list[0], DOCA_APSH_CONTAINER_ID), id);
	OK(doca_apsh_container_processes_get(list[0], &processes, &nr_processes));
	EXPECT_EQ(nr_processes, 1);
	EXPECT_EQ(PROCESS(processes[0], PID), 10);
	doca_apsh_processes_free(processes);
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_container_processes_get(list[0], &processes, &nr),
		      NO_MEMORY, doca_apsh_processes_free(processes));
	doca_apsh_system_destroy(s);
	EXPECT_EQ(doca_apsh_container_processes_get(list[0], &processes, &nr),
		  DOCA_ERROR_INITIALIZATION);
	doca_apsh_containers_free(list);
	tear_down_image();
}
