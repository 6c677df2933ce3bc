// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: places at which the kernel changes its own code, each as it may be, and tampered with. */
#include "apsh_sites.h"

/* Functions of the kernel beside that of the tests. */
enum { OTHER = PLACE + 0x800, THUNKS = PLACE + 0xa00 };

TEST(prefixes_of_locks)
{
	set_up_vmlinux();
	both_have(PLACE, BYTES(0xf0));
	one_place("__smp_locks", "__smp_locks_end", PLACE);
	code_is_clean();
	is_known(BYTES(0x3e));
	is_tampered(BYTES(0x90));
	tear_down_image();
}

TEST(landings_of_indirect_calls)
{
	set_up_vmlinux();
	both_have(PLACE, BYTES(0xf3, 0x0f, 0x1e, 0xfa));
	one_place("__ibt_endbr_seal", "__ibt_endbr_seal_end", PLACE);
	code_is_clean();
	is_known(BYTES(0x66, 0x0f, 0x1f, 0x00));
	is_known(BYTES(0x0f, 0x1f, 0x40, 0xd6));
	is_tampered(BYTES(0x0f, 0x1f, 0x40, 0xd7));
	tear_down_image();
}

TEST(returns)
{
	set_up_vmlinux();
	name_at("__x86_return_thunk", OTHER);
	name_at("srso_return_thunk", OTHER + 32);
	name_at("other_function", OTHER + 64);
	branch_at(both_have, PLACE, 0xe9, OTHER);
	one_place("__return_sites", "__return_sites_end", PLACE);
	code_is_clean();
	is_known(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	branch_is_known(0xe9, OTHER + 32);
	branch_is_tampered(0xe9, image.text_va + OTHER + 64);
	branch_is_tampered(0xe9, EVIL_VA);
	is_tampered(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0x90));
	tear_down_image();
}

static void set_up_retpoline(u8 code)
{
	set_up_vmlinux();
	name_at("__x86_indirect_thunk_array", THUNKS);
	name_at("__x86_indirect_jump_thunk_array", THUNKS + 0x400);
	branch_at(both_have, PLACE, code, THUNKS + 11 * 32);
	one_place("__retpoline_sites", "__retpoline_sites_end", PLACE);
	code_is_clean();
}

TEST(jumps_by_a_register)
{
	set_up_retpoline(0xe9);
	is_known(BYTES(0x41, 0xff, 0xe3, 0xcc, 0xcc));
	is_known(BYTES(0x41, 0xff, 0xe3, 0xcc, 0x90));
	branch_is_known(0xe9, THUNKS + 0x400 + 11 * 32);
	/* by another register, or a call */
	branch_is_tampered(0xe9, image.text_va + THUNKS + 10 * 32);
	is_tampered(BYTES(0x41, 0xff, 0xe2, 0xcc, 0xcc));
	is_tampered(BYTES(0x41, 0xff, 0xd3, 0x90, 0x90));
	branch_is_tampered(0xe9, EVIL_VA);
	tear_down_image();
}

TEST(calls_by_a_register)
{
	set_up_retpoline(0xe8);
	is_known(BYTES(0x41, 0xff, 0xd3, 0x66, 0x90));
	is_known(BYTES(0x2e, 0x41, 0xff, 0xd3, 0x90));
	is_tampered(BYTES(0x41, 0xff, 0xe3, 0x66, 0x90));
	is_tampered(BYTES(0x41, 0xff, 0xd3, 0x50, 0x90));
	tear_down_image();
}

/* It becomes a jump over one by the register. */
TEST(conditional_jumps_by_a_register)
{
	set_up_vmlinux();
	name_at("__x86_indirect_thunk_array", THUNKS);
	both_have(PLACE, BYTES(0x0f));
	branch_at(both_have, PLACE + 1, 0x84, THUNKS);
	one_place("__retpoline_sites", "__retpoline_sites_end", PLACE);
	code_is_clean();
	is_known(BYTES(0x75, 0x04, 0xff, 0xe0, 0xcc, 0x90));
	is_tampered(BYTES(0x74, 0x04, 0xff, 0xe0, 0xcc, 0x90));
	is_tampered(BYTES(0x75, 0x02, 0xff, 0xe0, 0xcc, 0x90));
	tear_down_image();
}

/* Those of some processors have another size. */
TEST(thunks_in_other_cache_lines)
{
	set_up_retpoline(0xe9);
	name_at("__x86_indirect_its_thunk_array", THUNKS + 0x600);
	branch_is_known(0xe9, THUNKS + 0x600 + 11 * 64);
	branch_is_tampered(0xe9, EVIL_VA + 0x10000);
	tear_down_image();
}

TEST(calls_that_are_counted)
{
	set_up_vmlinux();
	branch_at(both_have, PLACE, 0xe8, OTHER + 64);
	one_place("__call_sites", "__call_sites_end", PLACE);
	code_is_clean();
	branch_is_known(0xe8, OTHER + 64 - 9);
	branch_is_known(0xe8, OTHER + 64 - 10);
	branch_is_tampered(0xe8, image.text_va + OTHER + 64 - 8);
	branch_is_tampered(0xe8, image.text_va + OTHER + 64 - 16);
	branch_is_tampered(0xe8, image.text_va + OTHER + 65);
	branch_is_tampered(0xe8, EVIL_VA);
	tear_down_image();
}

/* The end of another function, which may return, counts nothing. */
TEST(calls_in_front_of_a_function_that_is_not_counted)
{
	set_up_vmlinux();
	branch_at(both_have, PLACE, 0xe8, OTHER + 64);
	one_place("__call_sites", "__call_sites_end", PLACE);
	both_have(OTHER + 64 - 9, BYTES(0xc3));
	code_is_clean();
	branch_is_tampered(0xe8, image.text_va + OTHER + 64 - 9);
	tear_down_image();
}

/* The byte behind a shorter branch is run, too. */
TEST(branches_without_their_prefix)
{
	static const char *const tables[][2] = { { "__retpoline_sites", "__retpoline_sites_end" },
						 { "__call_sites", "__call_sites_end" } };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		set_up_vmlinux();
		name_at("__x86_indirect_thunk_array", THUNKS);
		name_at("__x86_indirect_call_thunk_array", THUNKS + 0x400);
		both_have(PLACE, BYTES(0x2e));
		branch_at(both_have, PLACE + 1, 0xe8, THUNKS);
		one_place(tables[i][0], tables[i][1], PLACE);
		code_is_clean();
		memory_branches(PLACE, 0xe8, image.text_va + THUNKS);
		memory_has(PLACE + 5, BYTES(0x90));
		code_is_clean();
		memory_has(PLACE + 5, BYTES(0x50));
		place_is_suspicious("is in place of");
		tear_down_image();
	}
}

/* They are counted by an instruction in front of each function. */
TEST(padding_in_front_of_functions)
{
	set_up_vmlinux();
	name_at("counted_function", PLACE + 16);
	both_have(PLACE + 16, BYTES(0xc3));
	branch_at(both_have, PLACE + 64, 0xe8, PLACE + 16);
	one_place("__call_sites", "__call_sites_end", PLACE + 64);
	code_is_clean();
	memory_has(PLACE + 7, BYTES(0x65, 0x48, 0xc1, 0x3d, 1, 2, 3, 4, 5));
	code_is_clean();
	memory_has(PLACE + 7, BYTES(0x65, 0x48, 0xc1, 0x3d, 1, 2, 3, 4, 6));
	code_is_suspicious("some_function+0x7", image.text_va + PLACE + 7, "65 48 c1");
	memory_has(PLACE + 7, BYTES(0x90, 0x90, 0x90, 0x90));
	memory_branches(PLACE + 11, 0xe9, EVIL_VA);
	code_is_suspicious("some_function+0xb", EVIL_VA, "leads to module evil");
	tear_down_image();
}

TEST(places_for_ftrace)
{
	u64 ops;

	set_up_traced(OTHER);
	is_known(BYTES(NOPS_5));
	is_known(BYTES(0x66, 0x66, 0x66, 0x66, 0x90));
	branch_is_known(0xe8, OTHER + 16);
	branch_is_tampered(0xe8, image.text_va + OTHER + 64);
	branch_is_tampered(0xe9, image.text_va + OTHER + 16);
	branch_is_tampered(0xe8, EVIL_VA);
	memory_branches(PLACE, 0xe8, EVIL_VA + 0x10000);
	code_is_unknown("some_function+0x0", "call memory of no module");
	ops = object(512, 64);
	set(ops, F_FTRACE_FUNC, code_va());
	set(ops, F_FTRACE_TRAMPOLINE, EVIL_VA + 0x10000);
	set(ops, F_FTRACE_NEXT, symbol(S_ftrace_list_end));
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = ops;
	code_is_clean();
	tear_down_image();
}

static void add_tracer(u64 function)
{
	u64 ops = object(512, 64);

	set(ops, F_FTRACE_FUNC, function);
	set(ops, F_FTRACE_TRAMPOLINE, 0);
	set(ops, F_FTRACE_NEXT, symbol(S_ftrace_list_end));
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = ops;
}

static void set_up_tracer(void)
{
	set_up_vmlinux();
	name_at("ftrace_call", PLACE);
	name_at("ftrace_stub", OTHER);
	name_at("arch_ftrace_ops_list_func", OTHER + 32);
	name_at("other_function", OTHER + 64);
	branch_at(both_have, PLACE, 0xe8, OTHER);
	code_is_clean();
}

TEST(calls_of_ftrace_itself)
{
	set_up_tracer();
	branch_is_known(0xe8, OTHER + 32);
	memory_branches(PLACE, 0xe8, image.text_va + OTHER + 64);
	code_is_unknown("ftrace_call+0x0", "none of the forms that are known");
	branch_is_tampered(0xe8, image.text_va + OTHER + 65);
	branch_is_tampered(0xe8, EVIL_VA + 8);
	is_tampered(BYTES(0x70, 0x00, 0x0f, 0x0b, 0x31));
	/* a tracer leaves the list first */
	set(symbol(S_ftrace_lock), F_MUTEX_OWNER, code_va());
	memory_branches(PLACE, 0xe8, EVIL_VA + 8);
	code_is_unknown("ftrace_call+0x0", "1 places are being changed");
	tear_down_image();
}

TEST(calls_of_ftrace_of_a_tracer)
{
	set_up_tracer();
	add_tracer(image.text_va + OTHER + 64);
	branch_is_known(0xe8, OTHER + 64);
	/* a constant is no tracer, although the list has it */
	one_place("__start_runtime_ptr_it", "__stop_runtime_ptr_it", OTHER + 60);
	branch_is_tampered(0xe8, image.text_va + OTHER + 64);
	tear_down_image();
}

TEST(constants_of_the_kernel)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	one_place("__start_runtime_ptr_it", "__stop_runtime_ptr_it", PLACE);
	one_place("__start_runtime_shift_it", "__stop_runtime_shift_it", PLACE + 32);
	/* bytes that are as they were are not counted */
	memory_has(PLACE, BYTES(1));
	memory_has(PLACE + 32, BYTES(1));
	s = system_with_image();
	if (find_all(s, CODE, 1)) {
		EXPECT_EQ(findings[0]->verdict, APSH_NOTE);
		EXPECT_STR(findings[0]->what, "of 524288 bytes 2 could not be compared: "
					      "the kernel writes there itself");
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	memory_has(PLACE + 8, BYTES(1));
	memory_has(PLACE + 33, BYTES(1));
	s = system_with_image();
	if (find_all(s, CODE, 3))
		doca_priv_apsh_findings_free(findings);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* The last entry has less than 16 bytes, for nothing comes behind it. */
static void put_paravirt(u32 at, u8 len)
{
	const u8 rest[2] = { 0, len };

	begin_table("__parainstructions");
	put_long(MAP_TEXT + PLACE + 0x800);
	put_long((u64)len << 8);
	put_long(MAP_TEXT + at);
	put(rest, sizeof(rest));
	end_table("__parainstructions_end");
}

static void set_up_paravirt(u8 code)
{
	set_up_vmlinux();
	name_at("_paravirt_nop", OTHER);
	name_at("other_function", OTHER + 32);
	pointer_has(image.text_va + OTHER + 32);
	both_lead_by_address(PLACE, code);
	put_paravirt(PLACE, 7);
	code_is_clean();
}

static void paravirt_is_unknown(const u8 *bytes, size_t len)
{
	memory_has(PLACE, bytes, len);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
}

/* A branch, and what is behind it. */
static void paravirt_is(u8 code, u64 target, bool known)
{
	memory_branches(PLACE, code, target);
	memory_has(PLACE + 5, BYTES(0x66, 0x90));
	if (known)
		code_is_clean();
	else
		code_is_unknown("some_function+0x0", "none of the forms that are known");
}

TEST(calls_of_paravirt)
{
	set_up_paravirt(0x14);
	paravirt_is(0xe8, image.text_va + OTHER + 32, true);
	paravirt_is(0xe8, image.text_va + OTHER, false);
	paravirt_is(0xe9, image.text_va + OTHER + 32, false);
	paravirt_is_unknown(BYTES(0x0f, 0x1f, 0x80, 0, 0, 0, 0));
	pointer_has(image.text_va + OTHER);
	is_known(BYTES(0x0f, 0x1f, 0x80, 0, 0, 0, 0));
	memory_branches(PLACE, 0xe8, EVIL_VA);
	code_is_suspicious("some_function+0x0", EVIL_VA, "leads to module evil");
	tear_down_image();
}

/* Instructions of a real machine, as kernels have copied them in place of these functions. */
static const struct {
	const char *function;
	u8 bytes[7];
} natives[] = {
	{ "native_irq_disable", { 0xfa, 0x66, NOPS_5 } },
	{ "native_irq_enable", { 0xfb, 0x66, NOPS_5 } },
	{ "native_save_fl", { 0x9c, 0x58, NOPS_5 } },
	{ "native_restore_fl", { 0x57, 0x9d, NOPS_5 } },
	{ "native_read_cr2", { 0x0f, 0x20, 0xd0, 0x0f, 0x1f, 0x40, 0x00 } },
	{ "__native_read_cr3", { 0x0f, 0x20, 0xd8, 0x0f, 0x1f, 0x40, 0x00 } },
	{ "native_write_cr3", { 0x0f, 0x22, 0xdf, 0x0f, 0x1f, 0x40, 0x00 } },
	{ "native_wbinvd", { 0x0f, 0x09, NOPS_5 } },
	{ "native_swapgs", { 0x0f, 0x01, 0xf8, 0x0f, 0x1f, 0x40, 0x00 } },
	{ "native_usergs_sysret64", { 0x0f, 0x01, 0xf8, 0x48, 0x0f, 0x07, 0x90 } },
	{ "_paravirt_ident_64", { 0x48, 0x89, 0xf8, 0x0f, 0x1f, 0x40, 0x00 } },
	{ "_paravirt_ident_32", { 0x89, 0xf8, NOPS_5 } },
	{ "__raw_callee_save___native_queued_spin_unlock",
	  { 0xc6, 0x07, 0x00, 0x0f, 0x1f, 0x40, 0x00 } },
	{ "__raw_callee_save___native_vcpu_is_preempted", { 0x31, 0xc0, NOPS_5 } },
};

enum { NATIVES = OTHER + 64 };

static void set_up_natives(void)
{
	set_up_paravirt(0x14);
	for (u32 i = 0; i < ARRAY_SIZE(natives); i++)
		name_at(natives[i].function, NATIVES + i);
}

TEST(instructions_of_paravirt)
{
	u32 nr = ARRAY_SIZE(natives);

	set_up_natives();
	pointer_has(image.text_va + NATIVES);
	paravirt_is_unknown(natives[0].bytes, 7);
	name_at("native_patch", OTHER + 48);
	for (u32 i = 0; i < nr; i++) {
		pointer_has(image.text_va + NATIVES + i);
		is_known(natives[i].bytes, 7);
		/* a copy for another function */
		pointer_has(image.text_va + NATIVES + (i + 1) % nr);
		paravirt_is_unknown(natives[i].bytes, 7);
	}
	pointer_has(image.text_va + NATIVES + nr - 1);
	paravirt_is_unknown(BYTES(0x31, 0xdb, NOPS_5));
	paravirt_is_unknown(BYTES(0x31, 0xc0, 0x31, 0xc0, 0x0f, 0x1f, 0x00));
	/* a function whose name has another one in it */
	name_at("not_native_irq_disable", OTHER + 32);
	pointer_has(image.text_va + OTHER + 32);
	paravirt_is_unknown(natives[0].bytes, 7);
	tear_down_image();
}

/* The pointer is nowhere. */
TEST(instructions_of_paravirt_by_what_cannot_be_read)
{
	set_up_natives();
	name_at("native_patch", OTHER + 48);
	both_have(PLACE, BYTES(0xff, 0x14, 0x25, 0, 0, 0, 0x70));
	paravirt_is_unknown(natives[0].bytes, 7);
	tear_down_image();
}

TEST(jumps_of_paravirt)
{
	set_up_paravirt(0x24);
	paravirt_is(0xe9, image.text_va + OTHER + 32, true);
	paravirt_is(0xe9, image.text_va + OTHER, false);
	paravirt_is(0xe8, image.text_va + OTHER + 32, false);
	/* a jump that does nothing runs into what is behind it */
	pointer_has(image.text_va + OTHER);
	paravirt_is_unknown(BYTES(0x0f, 0x1f, 0x80, 0, 0, 0, 0));
	memory_branches(PLACE, 0xe9, EVIL_VA);
	code_is_suspicious("some_function+0x0", EVIL_VA, "leads to module evil");
	tear_down_image();
}

/* As 5.10 leaves interrupts. */
TEST(jumps_of_paravirt_by_a_distance)
{
	set_up_vmlinux();
	name_at("other_function", OTHER + 32);
	pointer_has(image.text_va + OTHER + 32);
	both_lead_by_distance(PLACE, 0x25);
	put_paravirt(PLACE, 6);
	memory_has(PLACE + 5, BYTES(0x90));
	branch_is_known(0xe9, OTHER + 32);
	memory_branches(PLACE, 0xe9, image.text_va + OTHER);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	tear_down_image();
}
