/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The code of a sound kernel, where apsh_map.h has it: functions of system calls, tables of them,
 * the functions that choose among them, and interrupts. Nothing hooks any of these.
 */
#ifndef DOCA_TESTS_APSH_CODE_H
#define DOCA_TESTS_APSH_CODE_H

#include "apsh_image.h"

enum { GATES = 256, GATES_IN_USE = 40 };

/* The function for numbers that are not used. */
#define UNUSED_CALL (MAP_ENTRIES - 1)

static u64 entry_va(int i)
{
	return image.text_va + MAP_ENTRY(i);
}

/* Some code of the kernel that is no system call. */
static u64 code_va(void)
{
	return image.text_va + 0x140000;
}

/* Where the next instruction goes. */
static u64 emit_va;

static void emit_bytes(const u8 *bytes, size_t len)
{
	memcpy(at_va(emit_va), bytes, len);
	emit_va += len;
}

#define EMIT(...) emit_bytes((const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

/* Behind the code of an instruction, put the distance to a target. */
static void emit_distance(u64 target)
{
	int32_t by = (int32_t)(target - (emit_va + 4));

	emit_bytes((const u8 *)&by, sizeof(by));
}

static void emit_jump(u8 code, u64 target)
{
	EMIT(code);
	emit_distance(target);
}

#define ENDBR 0xf3, 0x0f, 0x1e, 0xfa
#define NOP5 0x0f, 0x1f, 0x44, 0x00, 0x00

static inline int call_of(u32 number)
{
	return number + 1 < MAP_CALLS ? (int)number % UNUSED_CALL : UNUSED_CALL;
}

/* Leave by a jump, or a call as to what does not return, if the number is the one. */
static void emit_case(u8 number, u8 code)
{
	EMIT(0x83, 0xfe, number, 0x75, 5); /* cmp $number, %esi; jne behind the jump */
	emit_jump(code, entry_va(call_of(number)));
}

/* Numbers up to 3 are in one half, others in the other one. */
static void set_up_function(enum symbol s)
{
	u64 branch;

	emit_va = symbol(s);
	EMIT(ENDBR);
	EMIT(NOP5);
	EMIT(0x81, 0xfe, 3, 0, 0, 0); /* cmp $3, %esi */
	branch = emit_va;
	EMIT(0x77, 0); /* ja */
	EMIT(0x85, 0xf6, 0x0f, 0x84); /* test %esi, %esi; je */
	emit_distance(entry_va(call_of(0)));
	emit_case(1, 0xe9);
	emit_case(2, 0xe8);
	emit_case(3, 0xe9);
	*(u8 *)at_va(branch + 1) = (u8)(emit_va - (branch + 2));
	for (u8 i = 4; i + 1 < MAP_CALLS; i++)
		emit_case(i, 0xe9);
	emit_jump(0xe9, entry_va(UNUSED_CALL));
}

/* The place that is left for ftrace is at the beginning, or behind an endbr64. */
static void set_up_entries(void)
{
	for (int i = 0; i < MAP_ENTRIES; i++) {
		emit_va = entry_va(i);
		if (i % 2)
			EMIT(ENDBR);
		if (i == UNUSED_CALL)
			EMIT(0x48, 0xc7, 0xc0, 0xda, 0xff, 0xff, 0xff); /* mov $-38, %rax */
		else
			EMIT(NOP5);
		EMIT(0xc3);
	}
}

static u64 *table_of(enum symbol s)
{
	return at_va(symbol(s));
}

/* The last number is not in the table: it ends with what aligns the symbol behind it. */
static void set_up_call_table(enum symbol s)
{
	for (u32 i = 0; i + 1 < MAP_CALLS; i++)
		table_of(s)[i] = entry_va(call_of(i));
}

static void set_gate(u32 i, u64 handler)
{
	u8 *gate = (u8 *)at_va(symbol(S_idt_table)) + 16 * i;

	memcpy(gate, &handler, 2);
	gate[2] = 0x10;
	gate[5] = 0x8e;
	memcpy(gate + 6, (u8 *)&handler + 2, 6);
}

static void set_idt_descr(u64 address)
{
	u8 *descr = at_va(symbol(S_idt_descr));

	descr[0] = descr[1] = 0xff;
	memcpy(descr + 2, &address, sizeof(address));
}

static void set_up_code(void)
{
	set_up_entries();
	set_up_call_table(S_sys_call_table);
	set_up_call_table(S_ia32_sys_call_table);
	set_up_call_table(S_x32_sys_call_table);
	set_up_function(S_x64_sys_call);
	set_up_function(S_ia32_sys_call);
	set_up_function(S_x32_sys_call);
	for (u32 i = 0; i < GATES_IN_USE; i++)
		set_gate(i, code_va() + 16 * i);
	/* the processor has another address of it */
	set_idt_descr(image.direct + image.text_pa + image_at[S_idt_table]);
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = symbol(S_ftrace_list_end);
	set(symbol(S_ftrace_list_end), F_FTRACE_FUNC, code_va());
}

#endif /* DOCA_TESTS_APSH_CODE_H */
