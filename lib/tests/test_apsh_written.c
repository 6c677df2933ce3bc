// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: places at which others than the kernel's own linker write code: CFI, BPF and hypervisors. */
#include "apsh_sites.h"

enum { OTHER = PLACE + 0x800, THUNKS = PLACE + 0xa00 };

static void is_unknown(const u8 *bytes, size_t len)
{
	memory_has(PLACE, bytes, len);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
}

/* A function is behind its hash. */
static void set_up_check(void)
{
	set_up_vmlinux();
	both_have(PLACE, BYTES(0xb8, 1, 2, 3, 4));
	both_have(PLACE + 16, BYTES(0xf3, 0x0f, 0x1e, 0xfa, NOPS_5));
	one_place("__cfi_sites", "__cfi_sites_end", PLACE);
	begin_table("__start_mcount_loc");
	put_long(MAP_TEXT + PLACE + 20);
	end_table("__stop_mcount_loc");
	code_is_clean();
}

TEST(checks_in_front_of_functions)
{
	set_up_check();
	is_known(BYTES(0xb8, 5, 6, 7, 8));
	memory_has(PLACE + 16, BYTES(0x66, 0x0f, 0x1f, 0x00));
	is_unknown(BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x81, 0xea, 5, 6, 7, 8, 0x75, 0x02));
	is_unknown(BYTES(0x31, 0xc0, 0xc3));
	memory_branches(PLACE + 8, 0xe9, EVIL_VA + 8);
	code_is_suspicious("some_function+0x8", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

/* FineIBT of Linux since 6.2, 6.15 and 6.18, also for functions that are not called so. */
TEST(checks_by_fineibt)
{
	static const u8 landings[][4] = { { 0xf3, 0x0f, 0x1e, 0xfa },
					  { 0x66, 0x0f, 0x1f, 0x00 },
					  { 0x0f, 0x1f, 0x40, 0xd6 } };
	static const u8 checks[][12] = {
		{ 0x41, 0x81, 0xea, 5, 6, 7, 8, 0x74, 0x03, 0x0f, 0x0b, 0x90 },
		{ 0x41, 0x81, 0xea, 5, 6, 7, 8, 0x75, 0xf9, 0x0f, 0x1f, 0x00 },
		{ 0x2d, 5, 6, 7, 8, 0x2e, 0x0f, 0x85, 0x03, 0, 0, 0 },
	};

	set_up_check();
	memory_has(PLACE + 16, BYTES(0x0f, 0x1f, 0x40, 0xd6));
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		u8 jump = checks[i][8];

		for (size_t k = 0; k < ARRAY_SIZE(landings); k++) {
			memory_has(PLACE, landings[k], 4);
			memory_has(PLACE + 4, checks[i], 12);
			code_is_clean();
		}
		/* it goes elsewhere */
		jump ^= 1;
		memory_has(PLACE + 12, &jump, 1);
		code_is_unknown("some_function+0x0", "none of the forms that are known");
	}
	/* with "bhi": in place, or by a call */
	memory_has(PLACE + 4, BYTES(0x41, 0x81, 0xea, 5, 6, 7, 8, 0x49, 0x0f, 0x45, 0xfa, 0x75));
	code_is_clean();
	memory_branches(PLACE + 11, 0xe8, image.text_va + THUNKS + 3 * 32);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	name_at("__bhi_args", THUNKS);
	code_is_clean();
	memory_branches(PLACE + 11, 0xe8, image.text_va + THUNKS + 3 * 32 + 1);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	memory_branches(PLACE + 11, 0xe8, image.text_va + THUNKS + 8 * 32);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	/* both, as of Linux 6.18 */
	memory_has(PLACE + 4, BYTES(0x2d, 5, 6, 7, 8, 0x2e, 0x2e));
	memory_branches(PLACE + 11, 0xe8, image.text_va + THUNKS + 3 * 32);
	code_is_clean();
	memory_has(PLACE + 10, BYTES(0x2f));
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	memory_has(PLACE + 9, BYTES(0x48, 0x0f, 0x45, 0xf8, 0x2e, 0x75, 0x03));
	code_is_clean();
	memory_has(PLACE + 9, BYTES(0x2e, 0x48, 0x0f, 0x45, 0xf8, 0x75, 0x03));
	code_is_clean();
	memory_has(PLACE + 14, BYTES(0xeb));
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	tear_down_image();
}

/* The hash is in the register that tells the number of arguments. */
TEST(checks_by_other_registers)
{
	set_up_check();
	both_have(PLACE, BYTES(0xba, 1, 2, 3, 4));
	is_known(BYTES(0xba, 5, 6, 7, 8));
	is_unknown(BYTES(0xb8, 5, 6, 7, 8));
	tear_down_image();
}

/* Functions that are aligned to 64 bytes have space for another check in front. */
TEST(checks_far_in_front_of_functions)
{
	set_up_vmlinux();
	both_have(PLACE, BYTES(0xb8, 1, 2, 3, 4));
	both_have(PLACE + 64, BYTES(0xf3, 0x0f, 0x1e, 0xfa));
	one_place("__cfi_sites", "__cfi_sites_end", PLACE);
	code_is_clean();
	memory_has(PLACE + 64, BYTES(0x0f, 0x1f, 0x40, 0xd6));
	is_known(BYTES(0xb8, 5, 6, 7, 8));
	memory_has(PLACE + 48, BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0x2d, 5, 6, 7, 8));
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	tear_down_image();
}

/* A check in front of a function does not hide what is at its begin. */
TEST(functions_behind_a_check)
{
	for (u8 code = 0xe8; code <= 0xe9; code++) {
		set_up_check();
		memory_branches(PLACE + 20, code, EVIL_VA + 8);
		code_is_suspicious("some_function+0x14", EVIL_VA + 8, "leads to module evil");
		tear_down_image();
	}
	set_up_check();
	memory_branches(PLACE + 16, 0xe9, EVIL_VA + 8);
	code_is_suspicious("some_function+0x10", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

static void set_up_check_of(u32 reg, u8 code)
{
	both_have(PLACE, BYTES(0x41, 0xba, 1, 2, 3, 4, 0x45, 0x03, 0x53, 0xf1, 0x74, 0x02, 0x0f,
			       0x0b, 0x2e));
	branch_at(both_have, PLACE + 15, code, THUNKS + reg * 32);
	one_place("__retpoline_sites", "__retpoline_sites_end", PLACE + 14);
	one_place("__cfi_sites", "__cfi_sites_end", PLACE + 0x400);
	both_have(PLACE + 0x400, BYTES(0xb8, 1, 2, 3, 4));
	code_is_clean();
}

/* An indirect call by r11 is behind its hash. */
static void set_up_caller(u8 code)
{
	set_up_vmlinux();
	name_at("__x86_indirect_thunk_array", THUNKS);
	set_up_check_of(11, code);
}

TEST(checks_in_front_of_indirect_calls)
{
	set_up_caller(0xe8);
	is_known(BYTES(0x41, 0xba, 5, 6, 7, 8));
	is_known(BYTES(0x41, 0xba, 5, 6, 7, 8, 0x49, 0x83, 0xeb, 0x10, 0x0f, 0x1f, 0x40, 0x00));
	is_known(BYTES(0xeb, 0x0c, 1, 2, 3, 4, 0x45, 0x03, 0x53, 0xf1, 0x74, 0x02, 0x0f, 0x0b));
	/* since Linux 6.15 and 6.18 */
	is_known(BYTES(0x41, 0xba, 5, 6, 7, 8, 0x4d, 0x8d, 0x5b, 0xf0, 0x0f, 0x1f, 0x40, 0x00));
	is_known(BYTES(0xb8, 5, 6, 7, 8, 0x4d, 0x8d, 0x5b, 0xf0, 0x0f, 0x1f, 0x44, 0x00, 0x00));
	is_known(BYTES(0x41, 0xba, 5, 6, 7, 8, 0x45, 0x03, 0x53, 0xf1, 0x75, 0x01, 0xa8, 0xd6));
	is_unknown(BYTES(0x41, 0xba, 5, 6, 7, 8, 0x45, 0x03, 0x53, 0xf1, 0x75, 0x02, 0xa8, 0xd6));
	memory_has(PLACE,
		   BYTES(0xeb, 0x0c, 1, 2, 3, 4, 0x45, 0x03, 0x53, 0xf1, 0x74, 0x02, 0x0f, 0x0b));
	is_unknown(BYTES(0xeb, 0x0d));
	memory_has(PLACE, BYTES(0x41, 0xba));
	memory_branches(PLACE + 8, 0xe8, EVIL_VA + 8);
	code_is_suspicious("some_function+0x8", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

#define OLD_CHECK 0x41, 0xba, 5, 6, 7, 8, 0x45, 0x3b, 0x53, 0xf7, 0x4d, 0x8d, 0x5b, 0xf0
#define NEW_CHECK 0xb8, 5, 6, 7, 8, 0x41, 0x3b, 0x43, 0xf5, 0x2e, 0x4d, 0x8d, 0x5b, 0xf0

/* The call begins with a jump into the end of its check. */
TEST(checks_with_the_indirect_call)
{
	set_up_caller(0xe8);
	is_known(BYTES(OLD_CHECK, 0x75, 0xfd, 0x41, 0xff, 0xd3, 0x90));
	is_known(BYTES(NEW_CHECK, 0x75, 0xfd, 0x2e, 0x41, 0xff, 0xd3));
	is_unknown(BYTES(OLD_CHECK, 0x75, 0xfd, 0x41, 0xff, 0xe3, 0x90));
	is_unknown(BYTES(NEW_CHECK, 0x75, 0xfc, 0x41, 0xff, 0xd3, 0x90));
	tear_down_image();
	set_up_caller(0xe9);
	is_known(BYTES(OLD_CHECK, 0x75, 0xfd, 0x41, 0xff, 0xe3, 0x90));
	is_unknown(BYTES(OLD_CHECK, 0x75, 0xfd, 0x41, 0xff, 0xd3, 0x90));
	tear_down_image();
}

/* The thunk of another register, which the check is not of. */
TEST(checks_with_another_register)
{
	for (u32 reg = 10; reg <= 11; reg++) {
		set_up_vmlinux();
		name_at("__x86_indirect_thunk_array", THUNKS);
		set_up_check_of(reg, 0xe8);
		memory_has(PLACE, BYTES(OLD_CHECK, 0x75, 0xfd, 0x41, 0xff, 0xd3, 0x90));
		if (reg == 11)
			code_is_clean();
		else
			code_is_unknown("some_function+0x0", "none of the forms that are known");
		tear_down_image();
	}
}

enum { ITS_THUNKS = THUNKS + 0x400, MADE_PA = 14 << 20, MADE_AT = 0x100 };

/* Memory of no module. */
#define MADE_VA (START_KERNEL_MAP + (500ULL << 21))

static void map_made(void)
{
	u64 pmd = image.text_pa + image_at[S_init_top_pgt] + 0x20000 + 8192;

	*at_pa(pmd + 500 * 8) = MADE_PA | 0x83;
}

/* In front of the thunk, too, is a byte. */
static void thunk_has(const u8 *bytes, size_t len)
{
	memcpy(at_pa(MADE_PA + MADE_AT), bytes, len);
}

static void thunk_is(u64 va, bool known)
{
	struct doca_apsh_system *s;

	memory_has(PLACE, BYTES(NEW_CHECK, 0x2e));
	memory_branches(PLACE + 15, 0xe8, va);
	s = system_with_image();
	if (known) {
		is_clean_of(s, CODE);
	} else if (find_all(s, CODE, 2)) {
		EXPECT_EQ(findings[0]->verdict, APSH_SUSPICIOUS);
		EXPECT_STR(findings[0]->where, "some_function+0x10");
		EXPECT_EQ(findings[1]->verdict, APSH_CANNOT_TELL);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
}

TEST(checks_with_a_thunk)
{
	u64 thunk = ITS_THUNKS + 11 * 64 - 2;

	set_up_caller(0xe8);
	thunk_is(image.text_va + thunk, false);
	memory_has(PLACE, vmlinux.code + PLACE - CODE_AT, 20);
	name_at("__x86_indirect_its_thunk_array", ITS_THUNKS);
	thunk_is(image.text_va + thunk, false);
	for (u8 first = 0xd6; first < 0xea; first += 0xea - 0xd6) {
		both_have((u32)thunk - 1, BYTES(first, 0x75, 0xfd, 0x41, 0xff, 0xe3));
		thunk_is(image.text_va + thunk, true);
	}
	thunk_is(image.text_va + thunk - 64, false);
	tear_down_image();
}

TEST(checks_with_a_thunk_that_was_made)
{
	u64 made = MADE_VA + MADE_AT + 1;

	set_up_caller(0xe8);
	map_made();
	name_at("__x86_indirect_its_thunk_array", ITS_THUNKS);
	thunk_is(made, false);
	thunk_has(BYTES(0xea, 0x75, 0xfd, 0x41, 0xff, 0xe3));
	thunk_is(made, true);
	thunk_has(BYTES(0xd6, 0x75, 0xfd, 0x41, 0xff, 0xe3));
	thunk_is(made, true);
	thunk_has(BYTES(0x90));
	thunk_is(made, false);
	thunk_has(BYTES(0xea, 0x75, 0xfd, 0x41, 0xff, 0xe2));
	thunk_is(made, false);
	thunk_is(EVIL_VA + 8, false);
	tear_down_image();
}

/* A check that may have any form is no excuse for a call behind it that has none. */
TEST(calls_behind_their_check)
{
	set_up_caller(0xe8);
	memory_branches(PLACE + 15, 0xe8, image.text_va + OTHER);
	code_is_suspicious("some_function+0x10", image.text_va + PLACE + 16, "is in place of");
	memory_has(PLACE, BYTES(0x41, 0xba, 5, 6, 7, 8));
	code_is_suspicious("some_function+0x10", image.text_va + PLACE + 16, "is in place of");
	tear_down_image();
}

TEST(calls_behind_a_check_that_is_not_known)
{
	const u64 targets[] = { TEXT_VA + OTHER, MADE_VA };
	struct doca_apsh_system *s;

	/* with the prefix, or without it */
	for (size_t i = 0; i < 2 * ARRAY_SIZE(targets); i++) {
		u32 at = i % 2 ? 14 : 15;

		set_up_caller(0xe8);
		is_unknown(BYTES(0x31, 0xc0, 0x90));
		memory_branches(PLACE + at, 0xe8, targets[i / 2]);
		s = system_with_image();
		if (find_all(s, CODE, 2)) {
			EXPECT_EQ(findings[0]->verdict, APSH_SUSPICIOUS);
			doca_priv_apsh_findings_free(findings);
		}
		doca_apsh_system_destroy(s);
		tear_down_image();
	}
}

TEST(dispatchers_of_bpf)
{
	set_up_vmlinux();
	name_at("bpf_dispatcher_xdp_func", PLACE);
	both_have(PLACE, BYTES(NOPS_5, 1, 2, 3, 4));
	code_is_clean();
	memory_branches(PLACE, 0xe9, EVIL_VA + 0x10000);
	code_is_unknown("bpf_dispatcher_xdp_func+0x0", "call memory of no module");
	memory_branches(PLACE, 0xe9, EVIL_VA + 8);
	code_is_suspicious("bpf_dispatcher_xdp_func+0x0", EVIL_VA + 8, "leads to module evil");
	memory_branches(PLACE, 0xe9, EVIL_VA + 0x10000);
	memory_has(PLACE + 5, BYTES(5, 6, 7, 8));
	code_is_suspicious("bpf_dispatcher_xdp_func+0x0", image.text_va + PLACE, "is in place of");
	tear_down_image();
}

/* The jump is written behind a breakpoint, which is at its begin. */
TEST(dispatchers_that_are_changing)
{
	set_up_vmlinux();
	name_at("bpf_dispatcher_xdp_func", PLACE);
	both_have(PLACE, BYTES(0xf3, 0x0f, 0x1e, 0xfa, NOPS_5));
	code_is_clean();
	memory_has(PLACE + 4, BYTES(0xcc, 1, 2, 3, 4));
	code_is_unknown("bpf_dispatcher_xdp_func+0x0", "1 places are being changed");
	memory_has(PLACE, BYTES(0xcc));
	code_is_suspicious("bpf_dispatcher_xdp_func+0x0", image.text_va + PLACE, "cc 0f 1e fa");
	tear_down_image();
}

/* Each has 32 bytes, and its number. */
TEST(hypercalls)
{
	set_up_vmlinux();
	name_at("hypercall_page", PLACE + 64);
	code_is_clean();
	memory_has(PLACE + 64, BYTES(0xb8, 0, 0, 0, 0, 0x0f, 0x01, 0xc1, 0xc3, 0xcc));
	memory_has(PLACE + 96, BYTES(0xb8, 1, 0, 0, 0, 0x0f, 0x01, 0xd9, 0xc3, 0xcc));
	memory_has(PLACE + 128,
		   BYTES(0x51, 0x41, 0x53, 0xb8, 2, 0, 0, 0, 0x0f, 0x05, 0x41, 0x5b, 0x59, 0xc3));
	memory_has(PLACE + 160, BYTES(0x0f, 0x0b));
	memory_has(PLACE + 192, BYTES(0xcc, 0xcc, 0xcc));
	code_is_clean();
	memory_has(PLACE + 96, BYTES(0xb8, 2));
	code_is_unknown("hypercall_page+0x20", "1 places have none of the forms");
	memory_has(PLACE + 96, BYTES(0xb8, 1));
	memory_has(PLACE + 120, BYTES(0x50));
	code_is_unknown("hypercall_page+0x20", "1 places have none of the forms");
	memory_has(PLACE + 120, BYTES(0x90));
	memory_has(PLACE + 256, BYTES(0x48, 0x31, 0xc0, 0xc3));
	code_is_unknown("hypercall_page+0xc0", "1 places have none of the forms");
	memory_branches(PLACE + 260, 0xe8, EVIL_VA + 8);
	code_is_suspicious("hypercall_page+0xc4", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

/* Bytes that are not compared may lead nowhere, but by chance to memory that is not there. */
TEST(constants_that_lead_out)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	one_place("__start_runtime_ptr_it", "__stop_runtime_ptr_it", PLACE);
	memory_branches(PLACE, 0xe9, EVIL_VA + 8);
	code_is_suspicious("some_function+0x0", EVIL_VA + 8, "leads to module evil");
	map_made();
	memory_branches(PLACE + 3, 0xe8, MADE_VA);
	memory_has(PLACE, BYTES(0x90, 0x90, 0x90));
	/* also in front of what differs */
	s = system_with_image();
	if (find_all(s, CODE, 2)) {
		EXPECT_EQ(findings[0]->verdict, APSH_CANNOT_TELL);
		EXPECT_STR(findings[0]->where, "some_function+0x0");
		EXPECT_EQ(findings[1]->verdict, APSH_NOTE);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	memory_branches(PLACE + 3, 0xe8, MADE_VA + (2 << 20));
	s = system_with_image();
	if (find_all(s, CODE, 1)) {
		EXPECT_EQ(findings[0]->verdict, APSH_NOTE);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* It is in what the kernel has copied there. */
TEST(constants_in_alternatives_that_lead_out)
{
	static const u8 more[] = { 0, 0, 0, 0, 10, 10 };

	set_up_vmlinux();
	image_has(REPLACEMENT_AT, BYTES(0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8));
	one_place("__start_runtime_ptr_it", "__stop_runtime_ptr_it", REPLACEMENT_AT + 2);
	begin_table("__alt_instructions");
	put_place(PLACE);
	put_place(REPLACEMENT_AT);
	put(more, sizeof(more));
	end_table("__alt_instructions_end");
	map_made();
	is_known(BYTES(0x48, 0xb8, 8, 7, 6, 5, 4, 3, 2, 1));
	memory_branches(PLACE + 4, 0xe9, image.text_va + OTHER);
	code_is_clean();
	memory_branches(PLACE + 4, 0xe9, MADE_VA + (2 << 20));
	code_is_clean();
	memory_branches(PLACE + 4, 0xe9, MADE_VA);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	memory_branches(PLACE + 4, 0xe9, EVIL_VA + 8);
	code_is_suspicious("some_function+0x4", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}
