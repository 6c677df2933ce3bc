/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A map of symbols for images of apsh_image.h, made of the library's own table of fields:
 * each takes 64 bytes, or its size, behind the one before it.
 */
#ifndef DOCA_TESTS_APSH_MAP_H
#define DOCA_TESTS_APSH_MAP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apsh/kernel/isf.h"

#define BANNER "Linux version 6.66.0-test (nobody@nowhere)\n"
#define BANNER_64 "TGludXggdmVyc2lvbiA2LjY2LjAtdGVzdCAobm9ib2R5QG5vd2hlcmUpCgA="

#define MAP_TEXT 0xffffffff81000000ULL

/* Offsets of the symbols from _text. */
static const u32 image_at[NR_SYMBOLS] = {
	[S__text] = 0,
	[S_init_top_pgt] = 0x1000,
	[S_linux_banner] = 0x2ff0, /* across a page */
	[S_init_task] = 0x5000,
	[S_init_pid_ns] = 0x9000,
	[S_modules] = 0xa000,
	[S_swapper_pg_dir] = 0x20000,
	[S_kimage_voffset] = 0xdb00,
	[S_memstart_addr] = 0xdb10,
	[S_mem_section] = 0xdb20,
	[S_page_offset_base] = 0xa100,
	[S_special_mapping_vmops] = 0xd200,
	[S_vmemmap_base] = 0xd300,
	[S_net_namespace_list] = 0xd400,
	[S_udp_table] = 0xd500,
	[S_socket_file_ops] = 0xd600,
	[S_module_kset] = 0xd700,
	[S_pids_cgrp_subsys] = 0xd800,
	[S_memory_cgrp_subsys] = 0xd900,
	[S_prb] = 0xda00,
	[S_log_buf] = 0xda10,
	[S_log_buf_len] = 0xda20,
	[S_log_first_seq] = 0xda30,
	[S_log_first_idx] = 0xda40,
	[S_log_next_seq] = 0xda50,
	[S_raw_v4_hashinfo] = 0xe000,
	[S_raw_v6_hashinfo] = 0xf000,
	[S_mod_tree] = 0xdf00,
	[S_ftrace_ops_list] = 0xdc00,
	[S_ftrace_list_end] = 0xdd00,
	[S_ftrace_lock] = 0xde00,
	[S_fprobe_graph_ops] = 0xe800,
	[S_fgraph_array] = 0xdc80,
	/* data and code that have a size of their own */
	[S_idt_table] = 0x80000,
	[S_idt_descr] = 0x82000,
	[S_sys_call_table] = 0x83000,
	[S_ia32_sys_call_table] = 0x84000,
	[S_x32_sys_call_table] = 0x85000,
	[S_kprobe_table] = 0x86000,
	[S__stext] = 0x100000,
	[S_x64_sys_call] = 0x110000,
	[S_ia32_sys_call] = 0x114000,
	[S_x32_sys_call] = 0x118000,
	[S_fprobe_handler] = 0x11c000,
	[S_pre_handler_kretprobe] = 0x11c100,
	[S_fprobe_kprobe_handler] = 0x11c200,
	[S_fprobe_ftrace_entry] = 0x11c300,
	[S_call_direct_funcs] = 0x11c400,
	[S_klp_ftrace_handler] = 0x11c500,
	[S_aggr_pre_handler] = 0x11c600,
	[S__etext] = 0x180000,
	[S_early_idt_handler_array] = 0x190000,
	[S__end] = 0x400000,
};

/* A part of a module: its base, its size, and its node of the tree. */
enum { LAYOUT_BYTES = 8 + 8 + 8 + 48 };

/* Make the map of a kernel before 4.20: it has fields of its own, and lacks others. */
static bool map_is_old;

/* Make the map of a kernel whose mutexes are those of PREEMPT_RT. */
static bool map_is_rt;

/* Make the map of a kernel for arm64. */
static bool map_is_arm64;

static bool is_of_machine(int symbol)
{
	if (symbol >= S_init_top_pgt && symbol <= S_vmemmap_base)
		return !map_is_arm64;
	return symbol < S_swapper_pg_dir || symbol > S_mem_section || map_is_arm64;
}

/* A field that has 8 bytes more than it should have. */
static int map_resized = -1;

static u32 size_as_known(int i)
{
	switch (i) {
	case F_MOUNT_MNT:
	case F_TASK_PID_LINKS:
	case F_NET_DEATH_ROW:
	case F_FPROBE_OPS:
	case F_GRAPH_OPS:
		return 64;
	case F_OPTPROBE_KPROBE:
		return 256;
	case F_PID_TASKS:
		return 32;
	case F_SK_PROTOCOL:
		return 2;
	case F_HASH_LISTENING:
		return 32 * 8;
	case F_TASK_STATE:
		return 4;
	case F_UPID_SIZE:
		return 0; /* the size follows from its fields */
	case F_MR64_PIVOTS:
		return 15 * 8;
	case F_MR64_SLOTS:
		return 16 * 8;
	case F_MA64_PIVOTS:
		return 9 * 8;
	case F_MA64_SLOTS:
		return 10 * 8;
	case F_MODULE_MEM:
		return 2 * LAYOUT_BYTES;
	case F_MODULE_INIT:
		return LAYOUT_BYTES;
	case F_CSS_SET_SUBSYS:
		return 4 * 8;
	case F_RAW_TABLE:
		return 256 * 8;
	default:
		return field_specs[i].size ? field_specs[i].size : 8;
	}
}

static u32 map_size_of(int i)
{
	return size_as_known(i) + 8 * (i == map_resized);
}

/* The mark of a tree's node. */
static inline u64 node_mark(void)
{
	return map_is_old ? 1 : 2;
}

static bool left_out(int i, int without)
{
	bool maple = i == F_MM_ROOT || (i >= F_MAPLE_SIZE && i <= F_MA64_SLOTS);
	bool late = i >= F_PRB_COUNT_BITS && i <= F_MOUNT_UNIQUE;
	bool old = i >= F_VMA_RB && i <= F_HASH_LISTENING;

	/* this is another name of a field that is always there */
	return i == without || i == F_RADIX_ROOT || (map_is_old ? maple || late : old);
}

/* Return one of the names that a type or a field can have. */
static const char *pick(const char *names)
{
	static char name[64];
	const char *last = strrchr(names, '|');

	snprintf(name, sizeof(name), "%s",
		 map_is_old && last && !strchr(last, '.') && !strncmp(names, "xa", 2) ? last + 1 :
											names);
	name[strcspn(name, ".|")] = '\0';
	return map_is_rt && names == field_specs[F_MUTEX_OWNER].path ? "rtmutex" : name;
}

/* Fields of a type whose paths have the same beginning are members of one structure. */
static bool begins_alike(int a, int b)
{
	const char *x = field_specs[a].path, *y = field_specs[b].path;
	size_t len = strcspn(x, ".|");

	return !strcmp(field_specs[a].type, field_specs[b].type) && *x && len == strcspn(y, ".|") &&
	       !strncmp(x, y, len);
}

static int first_alike(int i)
{
	int k = 0;

	while (!begins_alike(k, i))
		k++;
	return k;
}

static void put_field(FILE *to, u32 offset, u32 size)
{
	fprintf(to,
		"{\"offset\":%u,\"type\":{\"kind\":\"array\",\"count\":%u,"
		"\"subtype\":{\"kind\":\"base\",\"name\":\"u8\"}}}",
		offset, size);
}

/* Write the structure that a path with a dot leads into. */
static u32 put_inner(FILE *to, int first, int without)
{
	bool any = false;
	u32 at = 0;

	fprintf(to, "\"in_%d\":{\"kind\":\"struct\",\"fields\":{", first);
	for (int i = first; i < NR_FIELDS; i++) {
		const char *name = strchr(field_specs[i].path, '.');

		if (!name || !begins_alike(first, i) || left_out(i, without))
			continue;
		fprintf(to, "%s\"%s\":", any ? "," : "", name + 1);
		put_field(to, at, map_size_of(i));
		at += (map_size_of(i) + 7) & ~7U;
		any = true;
	}
	fprintf(to, "},\"size\":%u},", at);
	return at;
}

/* Kinds of sockets begin with the fields that all of them have, and a kretprobe with a kprobe. */
static u32 start_of(const char *type)
{
	if (!strcmp(type, "sock") || !strcmp(type, "inet_timewait_sock") ||
	    !strcmp(type, "kretprobe"))
		return 256;
	return strcmp(type, "tcp_sock") && strcmp(type, "unix_sock") ? 0 : 512;
}

static void put_type(FILE *to, int first, int without)
{
	const char *type = field_specs[first].type;
	u32 at = start_of(type), inner[NR_FIELDS] = { 0 };
	bool any = false;

	for (int i = first; i < NR_FIELDS; i++)
		if (!strcmp(field_specs[i].type, type) && strchr(field_specs[i].path, '.') &&
		    first_alike(i) == i)
			inner[i] = put_inner(to, i, without);
	fprintf(to, "\"%s\":{\"kind\":\"struct\",\"fields\":{", pick(type));
	for (int i = first; i < NR_FIELDS; i++) {
		const char *path = field_specs[i].path;

		if (strcmp(field_specs[i].type, type) != 0 || !*path || first_alike(i) != i ||
		    (!inner[i] && left_out(i, without)))
			continue;
		fprintf(to, "%s\"%s\":", any ? "," : "", pick(path));
		any = true;
		if (inner[i])
			fprintf(to,
				"{\"offset\":%u,\"type\":{\"kind\":\"struct\","
				"\"name\":\"in_%d\"}}",
				at, i);
		else
			put_field(to, at, map_size_of(i));
		at += inner[i] ? inner[i] : (map_size_of(i) + 7) & ~7U;
	}
	fprintf(to, "},\"size\":%u}", strcmp(type, "maple_node") ? at : 256);
}

static void put_types(FILE *to, int without)
{
	for (int i = 0; i < NR_FIELDS; i++) {
		int k = 0;

		while (strcmp(field_specs[k].type, field_specs[i].type) != 0)
			k++;
		if (k != i || i == F_RADIX_ROOT)
			continue;
		if (i)
			fputs(",", to);
		put_type(to, i, without);
	}
}

/* Sizes of tables, in pointers, as the symbols behind them tell. */
enum { MAP_CALLS = 8 };

/* Functions of system calls, each of 64 bytes; the last one is for numbers that are not used. */
enum { MAP_ENTRIES = 6 };

#define MAP_ENTRY(i) (0x120000 + (i)*64)

static bool map_without_entries;
static int map_more_entries;
static int map_table_calls = MAP_CALLS;

static void put_table(FILE *to, int i)
{
	if (i == S_sys_call_table || i == S_ia32_sys_call_table || i == S_x32_sys_call_table)
		fprintf(to,
			",\"type\":{\"kind\":\"array\",\"count\":%d,\"subtype\":{"
			"\"kind\":\"pointer\",\"subtype\":{}}}",
			map_table_calls);
}

static void put_entries(FILE *to)
{
	for (int i = 0; i + 1 < MAP_ENTRIES; i++)
		fprintf(to, ",\"__x64_sys_call%d\":{\"address\":%llu}", i, MAP_TEXT + MAP_ENTRY(i));
	fprintf(to, ",\"__x64_sys_ni_syscall\":{\"address\":%llu}",
		MAP_TEXT + MAP_ENTRY(MAP_ENTRIES - 1));
	for (int i = 0; i < map_more_entries; i++)
		fprintf(to, ",\"__ia32_sys_more%d\":{\"address\":%llu}", i,
			MAP_TEXT + 0x150000 + 16 * i);
	/* no entries: a part of one, and another function */
	fprintf(to, ",\"__x64_sys_call1.cold\":{\"address\":%llu}", MAP_TEXT + 0x130000);
	fprintf(to, ",\"sys_call\":{\"address\":%llu}", MAP_TEXT + 0x130040);
}

/* Write a map without one of the fields, or with all of them (-1). */
static void write_map(const char *path, const char *banner, int without)
{
	FILE *to = fopen(path, "w");

	if (!to)
		abort();
	fputs("{\"metadata\":{\"format\":\"6.2.0\"},\"enums\":{},"
	      "\"base_types\":{\"u8\":{\"size\":1}},\"user_types\":{",
	      to);
	put_types(to, without);
	fputs("},\"symbols\":{", to);
	for (int i = 0; i < NR_SYMBOLS; i++) {
		if (!is_of_machine(i))
			continue;
		fprintf(to, "%s\"%s\":{\"address\":%llu", i ? "," : "", symbol_specs[i].name,
			MAP_TEXT + image_at[i]);
		if (i == S_linux_banner)
			fprintf(to, ",\"constant_data\":\"%s\"", banner);
		put_table(to, i);
		fputs("}", to);
	}
	if (!map_without_entries)
		put_entries(to);
	fputs("}}", to);
	fclose(to);
}

#endif /* DOCA_TESTS_APSH_MAP_H */
