// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: static calls in the kernel's code, which have to agree with their keys. */
#include "apsh_sites.h"

enum { OTHER = PLACE + 0x800, KEY = 0x300000, LOCK = 0x300800 };

/* Functions of the kernel's own. */
enum {
	ZERO = OTHER + 0x100,
	RETURN = OTHER + 0x140,
	RETURN_THUNK = OTHER + 0x180,
	TRAP = OTHER + 0x1c0,
	UNLOCK = OTHER + 0x200
};

/* The function of the key; 0: there is none. */
static void key_has(u64 function)
{
	*(u64 *)at_va(image.text_va + KEY) = function;
}

static void set_lock(u64 owner)
{
	set(image.text_va + LOCK, F_MUTEX_OWNER, owner);
}

static void set_up_names(void)
{
	set_up_vmlinux();
	name_at("__static_call_return0", ZERO);
	name_at("__static_call_return", RETURN);
	name_at("__x86_return_thunk", RETURN_THUNK);
	name_at("__WARN_trap", TRAP);
	name_at("__raw_callee_save___native_queued_spin_unlock", UNLOCK);
	name_at("static_call_mutex", LOCK);
	set_lock(0);
	name_at("first_function", OTHER);
	name_at("second_function", OTHER + 64);
	name_at("third_function", OTHER + 128);
}

static void put_static_call(u64 function)
{
	key_has(function);
	begin_table("__start_static_call_sites");
	put_place(PLACE);
	put_place(KEY | 1);
	end_table("__stop_static_call_sites");
	code_is_clean();
}

static void set_up_static_call(u8 code, u64 function)
{
	set_up_names();
	branch_at(both_have, PLACE, code, OTHER);
	put_static_call(function);
}

/* A jump with a condition has another byte in front. */
static void set_up_conditional(u64 function)
{
	set_up_names();
	both_have(PLACE, BYTES(0x0f));
	branch_at(both_have, PLACE + 1, 0x84, OTHER);
	put_static_call(function);
}

static void conditional_is(u8 code, u64 target, bool known)
{
	u8 bytes[6];

	memory_has(PLACE, BYTES(0x0f));
	memory_branches(PLACE + 1, code, target);
	memcpy(bytes, at_va(image.text_va + PLACE), sizeof(bytes));
	if (known)
		code_is_clean();
	else
		is_tampered(bytes, sizeof(bytes));
}

TEST(static_calls)
{
	set_up_static_call(0xe8, TEXT_VA + OTHER + 64);
	branch_is_known(0xe8, OTHER + 64);
	branch_is_tampered(0xe8, image.text_va + OTHER + 64 - 9);
	branch_is_known(0xe8, OTHER + 64);
	branch_is_tampered(0xe8, image.text_va + OTHER + 128);
	is_tampered(BYTES(0x31, 0xc0, 0x90, 0x90, 0x90));
	branch_is_tampered(0xe8, EVIL_VA + 8);
	memory_branches(PLACE, 0xe8, EVIL_VA + 8);
	code_is_suspicious("some_function+0x0", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

/* The key agrees, but nothing begins there, or what the kernel computes is there. */
TEST(static_calls_lead_to_functions)
{
	set_up_static_call(0xe8, TEXT_VA + OTHER + 65);
	branch_is_tampered(0xe8, image.text_va + OTHER + 65);
	key_has(image.text_va + OTHER + 128);
	branch_is_known(0xe8, OTHER + 128);
	one_place("__start_runtime_ptr_it", "__stop_runtime_ptr_it", OTHER + 124);
	branch_is_tampered(0xe8, image.text_va + OTHER + 128);
	tear_down_image();
}

/* A call does not become a jump, and comes back. */
TEST(static_calls_stay_calls)
{
	set_up_static_call(0xe8, TEXT_VA + OTHER + 64);
	branch_is_tampered(0xe9, image.text_va + OTHER + 64);
	key_has(0);
	is_known(BYTES(NOPS_5));
	is_tampered(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	branch_is_tampered(0xe8, image.text_va + RETURN_THUNK);
	branch_is_tampered(0xe9, image.text_va + RETURN_THUNK);
	is_tampered(BYTES(0x2e, 0x2e, 0x2e, 0x31, 0xc0));
	branch_is_tampered(0xe8, image.text_va + OTHER + 64);
	key_has(image.text_va + ZERO);
	is_known(BYTES(0x2e, 0x2e, 0x2e, 0x31, 0xc0));
	is_known(BYTES(0x66, 0x66, 0x48, 0x31, 0xc0));
	branch_is_known(0xe8, ZERO);
	branch_is_tampered(0xe9, image.text_va + ZERO);
	is_tampered(BYTES(NOPS_5));
	/* a warning */
	is_tampered(BYTES(0x67, 0x48, 0x0f, 0xb9, 0x3a));
	key_has(image.text_va + TRAP);
	is_known(BYTES(0x67, 0x48, 0x0f, 0xb9, 0x3a));
	is_tampered(BYTES(0x67, 0x48, 0x0f, 0xb9, 0x3b));
	branch_is_known(0xe8, TRAP);
	is_tampered(BYTES(0x3e, 0x3e, 0xc6, 0x07, 0x00));
	key_has(image.text_va + UNLOCK);
	is_known(BYTES(0x3e, 0x3e, 0xc6, 0x07, 0x00));
	is_tampered(BYTES(0x3e, 0x3e, 0xc6, 0x07, 0x01));
	tear_down_image();
}

TEST(static_jumps_stay_jumps)
{
	set_up_static_call(0xe9, TEXT_VA + OTHER + 64);
	branch_is_known(0xe9, OTHER + 64);
	branch_is_tampered(0xe8, image.text_va + OTHER + 64);
	branch_is_tampered(0xe9, image.text_va + OTHER + 64 - 9);
	is_tampered(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	key_has(image.text_va + ZERO);
	branch_is_known(0xe9, ZERO);
	is_tampered(BYTES(0x2e, 0x2e, 0x2e, 0x31, 0xc0));
	key_has(0);
	is_known(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	/* older kernels write a byte alone */
	is_known(BYTES(0xc3, 0xfb, 0x07, 0x00, 0x00));
	is_tampered(BYTES(0xc3, 0xfb, 0x07, 0x00, 0x70));
	branch_is_known(0xe9, RETURN_THUNK);
	branch_is_tampered(0xe8, image.text_va + RETURN_THUNK);
	branch_is_tampered(0xe9, image.text_va + RETURN);
	is_tampered(BYTES(NOPS_5));
	tear_down_image();
}

TEST(static_jumps_keep_their_condition)
{
	set_up_conditional(TEXT_VA + OTHER + 64);
	conditional_is(0x84, image.text_va + OTHER + 64, true);
	conditional_is(0x85, image.text_va + OTHER + 64, false);
	conditional_is(0x84, image.text_va + OTHER + 128, false);
	key_has(0);
	conditional_is(0x84, image.text_va + RETURN, true);
	conditional_is(0x84, image.text_va + RETURN_THUNK, true);
	conditional_is(0x85, image.text_va + RETURN, false);
	is_tampered(BYTES(0x66, NOPS_5));
	is_tampered(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc));
	tear_down_image();
}

/* The kernel lets modules take part in some, which is said. */
TEST(static_calls_of_modules)
{
	static const u64 functions[] = { EVIL_VA + 8, EVIL_VA + 0x10000 };

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		set_up_static_call(0xe8, functions[i]);
		memory_branches(PLACE, 0xe8, functions[i]);
		code_is_unknown("some_function+0x0",
				"1 static calls lead to other code than the kernel's");
		tear_down_image();
	}
}

TEST(trampolines_of_static_calls)
{
	set_up_names();
	name_at("__SCT__it", PLACE);
	name_at("__SCK__it", KEY);
	branch_at(both_have, PLACE, 0xe9, OTHER);
	code_is_clean();
	key_has(0);
	is_known(BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	branch_is_tampered(0xe9, EVIL_VA + 8);
	key_has(EVIL_VA + 8);
	memory_branches(PLACE, 0xe9, EVIL_VA + 8);
	code_is_unknown("__SCT__it+0x0", "static calls lead to other code");
	tear_down_image();
}

/* One without a function is a return in the image, and gets one. */
TEST(trampolines_that_are_returns)
{
	set_up_names();
	name_at("__SCT__it", PLACE);
	name_at("__SCK__it", KEY);
	both_have(PLACE, BYTES(0xc3, 0xcc, 0x90, 0x90, 0x90));
	code_is_clean();
	key_has(image.text_va + OTHER);
	branch_is_known(0xe9, OTHER);
	branch_is_tampered(0xe8, image.text_va + OTHER);
	tear_down_image();
}

/* A branch of another length runs into what is behind it. */
TEST(static_calls_that_are_short)
{
	set_up_names();
	name_at("__SCT__it", PLACE);
	branch_at(both_have, PLACE, 0xe9, OTHER);
	branch_is_known(0xe9, OTHER + 64);
	/* its key is not known */
	memory_branches(PLACE, 0xe9, image.text_va + OTHER + 65);
	code_is_unknown("__SCT__it+0x0", "none of the forms that are known");
	is_tampered(BYTES(0x70, 0x00, 0x0f, 0x0b, 0x31));
	is_tampered(BYTES(0xeb, 0x04, 0x90, 0x90, 0x90));
	tear_down_image();
}

/* The key is written first, and the code then, by the owner of a lock. */
TEST(static_calls_that_are_changing)
{
	static const u64 old[] = { TEXT_VA + OTHER + 64, EVIL_VA + 8 };

	for (size_t i = 0; i < ARRAY_SIZE(old); i++) {
		set_up_static_call(0xe8, TEXT_VA + OTHER + 128);
		memory_branches(PLACE, 0xe8, old[i]);
		set_lock(code_va());
		code_is_unknown("some_function+0x0", "1 places are being changed");
		set_lock(0);
		branch_is_tampered(0xe8, old[i]);
		tear_down_image();
	}
	/* a lock that nobody holds proves nothing for what is no static call */
	set_up_static_call(0xe8, 0);
	set_lock(code_va());
	is_tampered(BYTES(0x31, 0xc0, 0x90, 0x90, 0x90));
	tear_down_image();
}

TEST(static_calls_whose_lock_is_not_known)
{
	set_up_static_call(0xe8, TEXT_VA + OTHER + 128);
	memcpy(strstr(vmlinux.symbols, "static_call_mutex"), "static_call_mutey", 17);
	memory_branches(PLACE, 0xe8, image.text_va + OTHER + 64);
	code_is_unknown("some_function+0x0", "1 places are being changed");
	tear_down_image();
}

/* It was not, when the lock was read, and is when all is over. */
TEST(static_calls_that_begin_to_change)
{
	set_up_static_call(0xe8, TEXT_VA + OTHER + 128);
	memory_branches(PLACE, 0xe8, image.text_va + OTHER + 64);
	is_clean_if_changing(field_va(image.text_va + LOCK, F_MUTEX_OWNER));
	is_clean_if_changing(image.text_va + KEY);
	tear_down_image();
}
