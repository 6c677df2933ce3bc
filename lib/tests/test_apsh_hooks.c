// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: what functions of system calls begin with, and probes there. */
#include "apsh_hooks.h"

TEST(nothing_is_hooked)
{
	for (int levels = 4; levels <= 5; levels++) {
		set_up_sound(levels);
		is_clean(HOOKS);
		tear_down_image();
	}
}

/* Put bytes at the beginning of a function, and expect what is found there. */
static void begins_with(const u8 *bytes, size_t len, u64 target, const char *what)
{
	for (int i = 1; i < 3; i++) {
		set_up();
		emit_va = place_of_entry(i);
		emit_bytes(bytes, len);
		is_suspicious(HOOKS, i == 1 ? CALL : "__x64_sys_call2", target, what);
		tear_down_image();
	}
}

#define BEGINS_WITH(target, what, ...) \
	begins_with((const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }), target, what)

#define EVIL_BYTES 0x08, 0x00, 0x40, 0xc0

/* As a rootkit writes them. */
TEST(a_function_that_begins_with_a_jump)
{
	static const char what[] = "it begins with a jump to module evil";

	BEGINS_WITH(EVIL_VA + 8, what, 0x48, 0xb8, EVIL_BYTES, 0xff, 0xff, 0xff, 0xff, 0xff, 0xe0);
	BEGINS_WITH(EVIL_VA + 8, what, 0x49, 0xbb, EVIL_BYTES, 0xff, 0xff, 0xff, 0xff, 0x41, 0xff,
		    0xe3);
	BEGINS_WITH(EVIL_VA + 8, what, 0x48, 0xb8, EVIL_BYTES, 0xff, 0xff, 0xff, 0xff, 0x50, 0xc3);
	BEGINS_WITH(EVIL_VA + 8, what, 0x68, EVIL_BYTES, 0xc3);
	/* modules are where 4 bytes suffice */
	BEGINS_WITH(EVIL_VA + 8, what, 0x48, 0xc7, 0xc0, EVIL_BYTES, 0xff, 0xe0);
	BEGINS_WITH(EVIL_VA + 8, what, 0x49, 0xc7, 0xc3, EVIL_BYTES, 0x41, 0xff, 0xe3);
	BEGINS_WITH(EVIL_VA + 8, "it begins with a call of module evil", 0x48, 0xc7, 0xc0,
		    EVIL_BYTES, 0xff, 0xd0);
}

/* An instruction that only loads an address leads nowhere. */
TEST(a_function_that_begins_with_a_constant)
{
	set_up();
	emit_va = place_of_entry(1);
	EMIT(0x48, 0xb8, EVIL_BYTES, 0xff, 0xff, 0xff, 0xff, 0xff, 0xe1);
	cannot_tell(HOOKS, "", "1 functions do not begin");
	tear_down_image();
}

static void jumps(u8 code, u64 to, const char *what)
{
	set_up();
	emit_va = place_of_entry(1);
	emit_jump(code, to);
	if (what)
		is_suspicious(HOOKS, CALL, to, what);
	else
		is_clean(HOOKS);
	tear_down_image();
}

TEST(a_function_that_begins_with_a_relative_jump)
{
	jumps(0xe9, EVIL_VA + 8, "it begins with a jump to module evil");
	jumps(0xe9, EVIL_VA + 0x10000, "it begins with a jump to memory of no module");
	jumps(0xe9, symbol(S_idt_table), "it begins with a jump to the kernel's data");
	jumps(0xe8, EVIL_VA + 8, "it begins with a call of module evil");
	/* a tracer of the kernel's own */
	jumps(0xe8, TEXT_VA + 0x140000, NULL);
}

/* It may take the call away, as one to another system call does. */
TEST(a_function_that_begins_with_a_jump_within_the_kernel)
{
	set_up();
	emit_va = place_of_entry(1);
	emit_jump(0xe9, entry_va(UNUSED_CALL));
	cannot_tell(HOOKS, "", "for ftrace, the first is " CALL);
	tear_down_image();
}

static void leads_by_memory(u8 code, const char *what)
{
	u64 *pointer;

	set_up();
	pointer = at_va(code_va());
	*pointer = EVIL_VA + 8;
	emit_va = place_of_entry(1);
	EMIT(0xff, code);
	emit_distance(code_va());
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, what);
	tear_down_image();
}

TEST(a_function_that_begins_with_a_jump_by_memory)
{
	leads_by_memory(0x25, "it begins with a jump to module evil");
	leads_by_memory(0x15, "it begins with a call of module evil");
}

/* Kernels with 5 levels of page tables have memory below that of others. */
TEST(a_function_that_begins_with_a_jump_to_low_memory)
{
	set_up();
	emit_va = place_of_entry(1);
	EMIT(0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0xa0, 0xff, 0xff, 0xe0);
	is_suspicious(HOOKS, CALL, 0xffa0000000000000, "a jump to memory of no module");
	tear_down_image();
}

/* The function that chooses among calls may be hooked as well. */
TEST(the_function_that_chooses_is_hooked)
{
	set_up();
	emit_va = symbol(S_x64_sys_call) + 4;
	emit_jump(0xe8, EVIL_VA + 8);
	is_suspicious(HOOKS, "x64_sys_call", EVIL_VA + 8, "it begins with a call of module evil");
	tear_down_image();
}

/* As newer kernels have them: where its code leads is another check. */
TEST(a_function_that_chooses_and_is_not_traced)
{
	set_up();
	emit_va = symbol(S_x64_sys_call) + 4;
	EMIT(0x83, 0xfe, 3, 0x66, 0x90); /* cmp $3, %esi */
	is_clean(HOOKS);
	is_clean(doca_priv_apsh_system_calls_check);
	*(u8 *)at_va(symbol(S_x64_sys_call) + 5) = 0xee; /* sub */
	is_clean(HOOKS);
	/* others begin with nothing of that kind */
	emit_va = place_of_entry(1);
	EMIT(0x83, 0xfe, 3, 0x66, 0x90);
	cannot_tell(HOOKS, "", "1 functions do not begin");
	tear_down_image();
}

TEST(functions_whose_beginning_tells_nothing)
{
	set_up();
	/* those for numbers that are not used have no place for ftrace */
	emit_va = place_of_entry(UNUSED_CALL);
	EMIT(0x90);
	is_clean(HOOKS);
	emit_va = place_of_entry(1);
	EMIT(0x55, 0x90);
	emit_va = place_of_entry(2);
	EMIT(0xcc);
	cannot_tell(HOOKS, "", "2 functions do not begin");
	tear_down_image();
}

TEST(a_breakpoint_of_a_probe_of_the_kernel)
{
	set_up();
	emit_va = place_of_entry(1);
	EMIT(0xcc);
	new_probe(place_of_entry(1));
	new_probe(code_va());
	is_clean(HOOKS);
	tear_down_image();
}

/* Without ftrace the kernel makes it a jump to code of its own. */
TEST(a_jump_of_a_probe_of_the_kernel)
{
	struct doca_apsh_system *s;
	u64 around;

	set_up();
	emit_va = place_of_entry(1);
	emit_jump(0xe9, EVIL_VA + 0x10000);
	around = new_optimized_probe(place_of_entry(1), EVIL_VA + 0x10000);
	is_clean(HOOKS);
	s = started_system();
	s->kernel.map.symbols[S_aggr_pre_handler] = 0;
	cannot_tell_of(s, HOOKS, "", "1 functions do not begin");
	doca_apsh_system_destroy(s);
	/* code of nobody that is not that of the probe, or of a module */
	set(around, F_OPTPROBE_CODE, EVIL_VA + 0x20000);
	is_suspicious(HOOKS, CALL, EVIL_VA + 0x10000, "a jump to memory of no module");
	set(around, F_OPTPROBE_CODE, EVIL_VA + 8);
	emit_va = place_of_entry(1);
	emit_jump(0xe9, EVIL_VA + 8);
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "it begins with a jump to module evil");
	tear_down_image();
}

TEST(a_probe_that_calls_others)
{
	static const enum field handlers[] = { F_KPROBE_PRE, F_KPROBE_POST };

	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++) {
		set_up();
		set(new_probe(entry_va(1)), handlers[i], EVIL_VA + 8);
		/* one elsewhere is not looked for */
		set(new_probe(entry_va(1) + 16), handlers[i], EVIL_VA + 8);
		is_suspicious(HOOKS, CALL, EVIL_VA + 8, "a kprobe calls module evil");
		tear_down_image();
	}
}

/* One stands for all at its place. */
TEST(a_probe_behind_another_one)
{
	u64 first, second;

	set_up();
	first = new_probe(entry_va(1));
	second = object(512, 64);
	set(second, F_KPROBE_ADDR, entry_va(1));
	set(second, F_KPROBE_PRE, EVIL_VA + 8);
	link_before(field_va(first, F_KPROBE_LIST), field_va(second, F_KPROBE_LIST));
	is_suspicious(HOOKS, CALL, EVIL_VA + 8, "a kprobe calls module evil");
	tear_down_image();
}

TEST(a_probe_of_the_return)
{
	static const enum field handlers[] = { F_KRETPROBE_HANDLER, F_KRETPROBE_ENTRY };
	u64 probe;

	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++) {
		set_up();
		probe = new_probe(entry_va(1));
		set(probe, F_KPROBE_PRE, symbol(S_pre_handler_kretprobe));
		is_clean(HOOKS);
		set(probe, handlers[i], EVIL_VA + 8);
		is_suspicious(HOOKS, CALL, EVIL_VA + 8, "a kprobe calls module evil");
		/* nothing behind another probe is a handler */
		set(probe, F_KPROBE_PRE, code_va());
		is_clean(HOOKS);
		tear_down_image();
	}
}

/* Where ftrace does not trace a function, as one for numbers that are not used, it may be a probe's. */
TEST(a_jump_of_a_probe_that_is_not_known)
{
	u64 code = EVIL_VA + 0x10000;

	set_up();
	lose_probes();
	emit_va = place_of_entry(1);
	emit_jump(0xe9, code);
	is_suspicious(HOOKS, CALL, code, "a jump to memory of no module");
	new_forged_probe(place_of_entry(1), code);
	cannot_tell(HOOKS, "", "1 functions do not begin");
	lose_page(code);
	cannot_tell(HOOKS, "", "1 functions do not begin");
	emit_va = place_of_entry(1);
	EMIT(NOP5);
	emit_va = place_of_entry(UNUSED_CALL);
	emit_jump(0xe9, code);
	cannot_tell(HOOKS, "", "1 functions do not begin");
	tear_down_image();
}

/* A probe that its code does not name is none, although it is in the list. */
TEST(a_jump_of_a_probe_that_its_code_does_not_name)
{
	u64 code = EVIL_VA + 0x10000;

	set_up();
	emit_va = place_of_entry(1);
	emit_jump(0xe9, code);
	code_names(code, new_optimized_probe(place_of_entry(1), code) + 8);
	is_suspicious(HOOKS, CALL, code, "a jump to memory of no module");
	tear_down_image();
}

static const struct source_ops *ops;
static u64 probed, code_of_probe;
static bool comes;

/* The kernel makes it, or takes it and its jump away. */
static void change_probe(void)
{
	emit_va = probed;
	if (comes) {
		emit_jump(0xe9, code_of_probe);
		new_optimized_probe(probed, code_of_probe);
	} else {
		EMIT(NOP5);
		*(u64 *)at_va(symbol(S_kprobe_table) + 8 * 5) = 0;
	}
	probed = 0;
	write_image();
}

/* One comes when the list has just been read, or goes right before. */
static int read_what_is_probed(struct source *source, struct source_range *r, unsigned int n)
{
	bool reads = false;
	int err;

	for (unsigned int i = 0; i < n && probed; i++)
		reads |= r[i].pa == pa_of(symbol(S_kprobe_table));
	if (reads && !comes)
		change_probe();
	err = ops->read(source, r, n);
	if (reads && comes)
		change_probe();
	return err;
}

static void change_meanwhile(u64 where)
{
	struct doca_apsh_system *s;
	struct source_ops mine;

	set_up();
	comes = false;
	probed = where;
	code_of_probe = EVIL_VA + 0x10000;
	emit_va = where;
	emit_jump(0xe9, code_of_probe);
	new_optimized_probe(where, code_of_probe);
	s = started_system();
	ops = s->source.ops;
	mine = *ops;
	mine.read = read_what_is_probed;
	s->source.ops = &mine;
	is_clean_of(s, HOOKS);
	EXPECT_EQ(probed, 0);
	comes = true;
	probed = where;
	is_clean_of(s, HOOKS);
	EXPECT_EQ(probed, 0);
	s->source.ops = ops;
	is_clean_of(s, HOOKS);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* The kernel optimizes probes where it does not trace, also while it is looked at. */
TEST(a_probe_that_comes_or_goes_meanwhile)
{
	change_meanwhile(place_of_entry(1));
	change_meanwhile(symbol(S_x64_sys_call) + 4);
	change_meanwhile(symbol(S_x32_sys_call) + 4);
}
