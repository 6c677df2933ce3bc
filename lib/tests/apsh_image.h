/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A machine of 16 MiB in a file: page tables, and a kernel with contents from tests.
 * Objects are in its direct map, one behind the other. The kernel may also be elsewhere in
 * 2 GiB, most of which are a hole then.
 */
#ifndef DOCA_TESTS_APSH_IMAGE_H
#define DOCA_TESTS_APSH_IMAGE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apsh/arch/arch.h"
#include "apsh/call.h"
#include "apsh/private.h"
#include "apsh_map.h"
#include "clock.h"
#include "fault.h"
#include "ktap.h"
#include "logged.h"

#define IMAGE_SIZE (16ULL << 20)
#define WIDE_SIZE (2ULL << 30)
#define TEXT_SIZE (4ULL << 20)
/* Moved like by KASLR, unless a test moves it elsewhere. */
#define TEXT_PA (4ULL << 20)
#define TEXT_VA (MAP_TEXT + 0x6000000)
#define USER_VA 0x7f0000000000ULL
#define MAX_PID 4096

static struct image {
	u8 *mem;
	u64 size;
	u64 text_pa, text_va;
	struct map map;
	u64 direct; /* address of physical address 0 in the direct map */
	u64 next; /* the first free physical address */
	int levels;
	u64 pids; /* address of the xa_node for PIDs below 64 */
	u64 pids_above; /* address of the node above it, if there are other nodes */
	u64 signals[MAX_PID]; /* address of the signal_struct, by the leader's PID */
	char dir[64], ram[80], symbols[80], regions[80];
} image;

static u64 *at_pa(u64 pa)
{
	if (pa > image.size - 8)
		abort();
	return (u64 *)(void *)(image.mem + pa);
}

static u64 pa_of(u64 va)
{
	return va - image.text_va < TEXT_SIZE ? va - image.text_va + image.text_pa :
						va - image.direct;
}

static void *at_va(u64 va)
{
	return at_pa(pa_of(va));
}

/* Allocate a zeroed object at a multiple of @align. */
static u64 object(size_t size, size_t align)
{
	u64 pa = (image.next + align - 1) & ~(u64)(align - 1);

	image.next = pa + size;
	if (image.next > IMAGE_SIZE)
		abort();
	return image.direct + pa;
}

static u64 symbol(enum symbol s)
{
	return image.text_va + image_at[s];
}

static u64 field_va(u64 va, enum field f)
{
	return va + image.map.fields[f].offset;
}

static void set(u64 va, enum field f, u64 value)
{
	u32 size = image.map.fields[f].size;

	memcpy(at_va(field_va(va, f)), &value, size < 8 ? size : 8);
}

static void set_text(u64 va, const char *text)
{
	memcpy(at_va(va), text, strlen(text) + 1);
}

static void link_before(u64 head, u64 node)
{
	u64 *h = at_va(head), *n = at_va(node);
	u64 *last = at_va(h[1]);

	n[0] = head;
	n[1] = h[1];
	last[0] = node;
	h[1] = node;
}

static void list_init(u64 head)
{
	u64 *h = at_va(head);

	h[0] = head;
	h[1] = head;
}

static inline void set_up_tables(void)
{
	u64 top = image.text_pa + image_at[S_init_top_pgt];
	u64 p4d = top + 0x20000, pud = p4d + 4096, pmd = pud + 4096;
	u64 direct = pmd + 4096, shift = image.levels == 5 ? 48 : 39;
	u64 first = (image.text_va - START_KERNEL_MAP) >> 21;

	*at_pa(top + 511 * 8) = (image.levels == 5 ? p4d : pud) | 3;
	*at_pa(p4d + 511 * 8) = pud | 3;
	*at_pa(pud + 510 * 8) = pmd | 3;
	*at_pa(pmd + first * 8) = image.text_pa | 0x83;
	*at_pa(pmd + (first + 1) * 8) = (image.text_pa + (2 << 20)) | 0x83;
	*at_pa(top + (image.direct >> shift & 511) * 8) = direct | 3;
	if (image.levels == 5) {
		*at_pa(direct + (image.direct >> 39 & 511) * 8) = (direct + 4096) | 3;
		direct += 4096;
	}
	for (u64 i = 0; i << 30 < image.size; i++)
		*at_pa(direct + ((image.direct >> 30 & 511) + i) * 8) = i << 30 | 0x83;
}

static void new_task_at(u64 task, u32 pid, u32 tgid, const char *comm);

static void set_up_kernel(void)
{
	u64 head;

	set_text(symbol(S_linux_banner), BANNER);
	list_init(symbol(S_modules));
	head = field_va(symbol(S_init_task), F_TASK_TASKS);
	list_init(head);
	new_task_at(symbol(S_init_task), 0, 0, "swapper/0");
	image.pids = object(image.map.fields[F_XA_NODE_SIZE].size, 64);
	*(u64 *)at_va(field_va(symbol(S_init_pid_ns), F_PIDNS_IDR) +
		      image.map.fields[F_XARRAY_HEAD].offset) = image.pids + node_mark();
	set(symbol(S_init_pid_ns), F_PIDNS_INUM, 4026531836);
}

static void write_text(const char *path, const char *text)
{
	FILE *to = fopen(path, "w");

	if (!to || fputs(text, to) < 0 || fclose(to))
		abort();
}

static void write_settings(void)
{
	char regions[96];

	strcpy(image.dir, "/tmp/doca-apsh-XXXXXX");
	if (!mkdtemp(image.dir))
		abort();
	snprintf(image.ram, sizeof(image.ram), "%s/ram", image.dir);
	snprintf(image.symbols, sizeof(image.symbols), "%s/s.json", image.dir);
	snprintf(image.regions, sizeof(image.regions), "%s/m", image.dir);
	write_map(image.symbols, BANNER_64, -1);
	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu}}}",
		 (unsigned long long)image.size);
	write_text(image.regions, regions);
	if (isf_read(image.symbols, &image.map))
		abort();
}

static void make_image(u64 size, u64 text_pa, u64 text_va)
{
	clock_stop(0); /* a slow machine must not end a call */
	memset(&image, 0, sizeof(image));
	image.size = size;
	image.text_pa = text_pa;
	image.text_va = text_va;
	image.mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	image.next = 8 << 20;
	if (image.mem == MAP_FAILED)
		abort();
	write_settings();
}

static inline void set_up_moved_image(int levels, u64 size, u64 text_pa, u64 text_va)
{
	make_image(size, text_pa, text_va);
	image.levels = levels;
	image.direct = levels == 5 ? 0xff11000000000000ULL : 0xffff888000000000ULL;
	set_up_tables();
	*(u64 *)at_va(symbol(S_page_offset_base)) = image.direct;
	set_up_kernel();
}

static inline void set_up_image(int levels)
{
	set_up_moved_image(levels, IMAGE_SIZE, TEXT_PA, TEXT_VA);
}

static void tear_down_image(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -r %s", image.dir);
	if (system(command))
		abort();
	munmap(image.mem, image.size);
	logged();
}

static void write_part(int fd, u64 pa, u64 size)
{
	if (pwrite(fd, image.mem + pa, size, (off_t)pa) != (ssize_t)size)
		abort();
}

static void write_image(void)
{
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)image.size))
		abort();
	write_part(fd, 0, IMAGE_SIZE);
	if (image.text_pa >= IMAGE_SIZE)
		write_part(fd, image.text_pa, TEXT_SIZE);
	close(fd);
}

static struct target the_target;

/* Make a system for the image without starting it. */
static struct doca_apsh_system *new_system(void)
{
	struct doca_apsh_system *system;

	the_target = (struct target){ .memory = TARGET_FILE, .file.path = image.ram };
	strcpy(the_target.name, "test");
	system = doca_priv_apsh_system_of(&the_target);
	EXPECT_EQ(doca_apsh_sys_os_symbol_map_set(system, image.symbols), DOCA_SUCCESS);
	EXPECT_EQ(doca_apsh_sys_mem_region_set(system, image.regions), DOCA_SUCCESS);
	return system;
}

static inline struct doca_apsh_system *started_system(void)
{
	struct doca_apsh_system *system = new_system();

	write_image();
	EXPECT_EQ(doca_apsh_system_start(system), DOCA_SUCCESS);
	return system;
}

static u64 signal_of(u32 pid, u32 tgid)
{
	u64 *signal = &image.signals[tgid];

	if (pid == tgid) {
		*signal = object(64, 64);
		set(*signal, F_SIGNAL_RUNTIME, 7);
		list_init(field_va(*signal, F_SIGNAL_THREADS));
	}
	return *signal;
}

/* Fill in a task, without linking it anywhere. */
static void new_task_at(u64 task, u32 pid, u32 tgid, const char *comm)
{
	u64 cred = object(64, 64), signal = signal_of(pid, tgid);

	set(task, F_TASK_PID, pid);
	set(task, F_TASK_TGID, tgid);
	set_text(field_va(task, F_TASK_COMM), comm);
	set(task, F_TASK_PARENT, symbol(S_init_task));
	set(task, F_TASK_CRED, cred);
	set(task, F_TASK_SIGNAL, signal);
	set(task, F_TASK_START, 1000 + pid);
	set(task, F_TASK_RUNTIME, 5);
	link_before(field_va(signal, F_SIGNAL_THREADS), field_va(task, F_TASK_THREAD_NODE));
	set(cred, F_CRED_UID, pid * 10);
	set(cred, F_CRED_GID, pid * 10 + 1);
}

static u64 *slots_of(u64 node)
{
	return at_va(field_va(node, F_XA_NODE_SLOTS));
}

static void put_node(u64 node, u64 parent, u32 slot)
{
	set(node, F_XA_NODE_PARENT, parent);
	set(node, F_XA_NODE_OFFSET, slot);
	slots_of(parent)[slot] = node + node_mark();
}

/* Return the node that has the slot of a PID. */
static u64 leaf_of(u32 pid)
{
	u32 size = image.map.fields[F_XA_NODE_SIZE].size;

	if (pid < 64)
		return image.pids;
	if (!image.pids_above) {
		image.pids_above = object(size, 64);
		set(image.pids_above, F_XA_NODE_SHIFT, 6);
		put_node(image.pids, image.pids_above, 0);
		*(u64 *)at_va(field_va(symbol(S_init_pid_ns), F_PIDNS_IDR) +
			      image.map.fields[F_XARRAY_HEAD].offset) =
			image.pids_above + node_mark();
	}
	if (!slots_of(image.pids_above)[pid / 64])
		put_node(object(size, 64), image.pids_above, pid / 64);
	return slots_of(image.pids_above)[pid / 64] - node_mark();
}

static void in_tree(u64 task, u32 pid)
{
	u64 struct_pid = object(128, 64);

	set(struct_pid, F_PID_TASKS, field_va(task, F_TASK_PID_LINKS));
	*(u64 *)at_va(field_va(struct_pid, F_PID_NUMBERS) + image.map.fields[F_UPID_NS].offset) =
		symbol(S_init_pid_ns);
	set(task, F_TASK_THREAD_PID, struct_pid);
	slots_of(leaf_of(pid))[pid % 64] = struct_pid;
}

static void in_list(u64 task)
{
	link_before(field_va(symbol(S_init_task), F_TASK_TASKS), field_va(task, F_TASK_TASKS));
}

/* Make a complete task. PIDs are below MAX_PID. */
static inline u64 new_task(u32 pid, u32 tgid, const char *comm)
{
	u64 task = object(1024, 64);

	new_task_at(task, pid, tgid, comm);
	in_tree(task, pid);
	if (pid == tgid)
		in_list(task);
	return task;
}

/* The library's processes; the one searched for must exist. */
static struct doca_apsh_process **processes;
static int nr_processes;

static inline struct doca_apsh_process *process_of(struct doca_apsh_system *system, u32 pid)
{
	EXPECT_EQ(doca_apsh_processes_get(system, &processes, &nr_processes), DOCA_SUCCESS);
	for (int i = 0; i < nr_processes; i++)
		if (doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_PID) == pid)
			return processes[i];
	abort();
}

#endif /* DOCA_TESTS_APSH_IMAGE_H */
