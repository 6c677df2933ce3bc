// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: alternatives in the kernel's code, by each form of their table. */
#include "apsh_sites.h"

enum { OTHER = PLACE + 0x800 };

/* How a kernel has an entry: with flags of 2 or 4 bytes, and perhaps with the length of the padding. */
enum table_form { LONG_FLAGS, SHORT_FLAGS, WITH_PADDING };

static void put_alternative(enum table_form form, u32 at, u8 len, u32 by, u8 by_len)
{
	u32 flags = 0x10070;
	u8 lengths[] = { len, by_len, 1 };

	put_place(at);
	put_place(by);
	put(&flags, form == LONG_FLAGS ? 4 : 2);
	put(lengths, form == WITH_PADDING ? 3 : 2);
}

static void set_up_alternatives(enum table_form form)
{
	set_up_vmlinux();
	/* mov %eax, %ebx; or: mov $1, %eax; or: a call */
	both_have(PLACE, BYTES(0x89, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90));
	image_has(REPLACEMENT_AT, BYTES(0xb8, 1, 0, 0, 0));
	branch_at(image_has, REPLACEMENT_AT + 5, 0xe8, OTHER);
	image_has(REPLACEMENT_AT + 10, BYTES(0x50));
	begin_table("__alt_instructions");
	put_alternative(form, PLACE, 7, REPLACEMENT_AT, 5);
	put_alternative(form, PLACE, 7, REPLACEMENT_AT + 5, 6);
	end_table("__alt_instructions_end");
	code_is_clean();
}

/* It may be a form that is not known here, and is no accusation. */
static void is_unknown(const u8 *bytes, size_t len)
{
	memory_has(PLACE, bytes, len);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
}

TEST(alternatives_of_each_form)
{
	for (enum table_form form = LONG_FLAGS; form <= WITH_PADDING; form++) {
		set_up_alternatives(form);
		/* the padding does nothing in fewer steps */
		is_known(BYTES(0x89, 0xc3, 0x0f, 0x1f, 0x44, 0x00, 0x00));
		is_known(BYTES(0xb8, 1, 0, 0, 0, 0x66, 0x90));
		memory_branches(PLACE, 0xe8, image.text_va + OTHER);
		memory_has(PLACE + 5, BYTES(0x50, 0x90));
		code_is_clean();
		/* calls are counted if the image says so */
		memory_branches(PLACE, 0xe8, image.text_va + OTHER - 10);
		code_is_unknown("some_function+0x0", "none of the forms");
		name_at("__call_sites", TABLES_AT);
		code_is_clean();
		memory_branches(PLACE, 0xe8, image.text_va + OTHER + 1);
		code_is_unknown("some_function+0x0", "none of the forms");
		is_unknown(BYTES(0xb8, 2, 0, 0, 0, 0x66, 0x90));
		is_unknown(BYTES(0xb8, 1, 0, 0, 0, 0x50, 0x90));
		memory_branches(PLACE, 0xe9, EVIL_VA);
		code_is_suspicious("some_function+0x0", EVIL_VA, "leads to module evil");
		tear_down_image();
	}
}

/* In place of instructions that do nothing may be a jump over breakpoints. */
TEST(long_padding_of_alternatives)
{
	u8 jump[32] = { 0x89, 0xc3, 0xeb, 28 };

	set_up_vmlinux();
	both_have(PLACE, BYTES(0x89, 0xc3));
	begin_table("__alt_instructions");
	put_alternative(LONG_FLAGS, PLACE, 32, REPLACEMENT_AT, 0);
	end_table("__alt_instructions_end");
	code_is_clean();
	memset(jump + 4, 0xcc, 28);
	is_known(jump, 32);
	jump[3] = 27;
	is_unknown(jump, 32);
	tear_down_image();
}

/* An address without a register has 4 bytes more, in which a jump could hide. */
TEST(padding_that_is_longer_than_it_looks)
{
	set_up_vmlinux();
	begin_table("__alt_instructions");
	put_alternative(LONG_FLAGS, PLACE, 17, REPLACEMENT_AT, 0);
	end_table("__alt_instructions_end");
	code_is_clean();
	is_known(BYTES(0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, NOPS_5, 0x90));
	is_known(BYTES(0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, 0x66, NOPS_5));
	is_unknown(BYTES(0x0f, 0x1f, 0x04, 0x25, 0x66, 0x0f, 0x1f, 0x80, 0xe9, 0x34, 0x12, 0, 0,
			 0x0f, 0x1f, 0x00, 0x90));
	is_unknown(BYTES(0x0f, 0x1f, 0x44, 0x25, 0x66, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
			 0x90, 0x90, 0x90, 0x90, 0x90));
	/* the processor runs none of 16 bytes */
	is_unknown(BYTES(0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
			 0x66, 0x66, 0x66, 0x90, 0x90));
	tear_down_image();
}

/* A short jump of 128 bytes and more leads back. */
TEST(short_jumps_over_much_padding)
{
	u8 jump[130];

	for (u8 len = 129; len <= 130; len++) {
		set_up_vmlinux();
		begin_table("__alt_instructions");
		put_alternative(LONG_FLAGS, PLACE, len, REPLACEMENT_AT, 0);
		end_table("__alt_instructions_end");
		code_is_clean();
		memset(jump, 0xcc, sizeof(jump));
		jump[0] = 0xeb;
		jump[1] = len - 2;
		if (len == 129)
			is_known(jump, len);
		else
			is_unknown(jump, len);
		tear_down_image();
	}
}

TEST(jumps_of_alternatives)
{
	set_up_vmlinux();
	both_have(PLACE, BYTES(0x90, 0x90, 0x90, 0x90, 0x90));
	branch_at(image_has, REPLACEMENT_AT, 0xe9, PLACE + 64);
	begin_table("__alt_instructions");
	put_alternative(LONG_FLAGS, PLACE, 5, REPLACEMENT_AT, 5);
	end_table("__alt_instructions_end");
	code_is_clean();
	memory_branches(PLACE, 0xe9, image.text_va + PLACE + 64);
	code_is_clean();
	is_known(BYTES(0xeb, 62, 0xcc, 0xcc, 0xcc));
	is_known(BYTES(0xeb, 62, 0x0f, 0x1f, 0x00));
	is_unknown(BYTES(0xeb, 61, 0xcc, 0xcc, 0xcc));
	is_unknown(BYTES(0xeb, 62, 0xcc, 0xcc, 0x50));
	tear_down_image();
}

static void set_up_pointer(void)
{
	set_up_vmlinux();
	name_at("BUG_func", OTHER);
	name_at("other_function", OTHER + 32);
	name_at("nop_func", OTHER + 64);
	both_lead_by_distance(PLACE, 0x15);
	branch_at(image_has, REPLACEMENT_AT, 0xe8, OTHER);
	begin_table("__alt_instructions");
	put_alternative(LONG_FLAGS, PLACE, 6, REPLACEMENT_AT, 5);
	end_table("__alt_instructions_end");
	pointer_has(image.text_va + OTHER + 32);
	code_is_clean();
}

static void calls(u64 function)
{
	memory_branches(PLACE, 0xe8, function);
	memory_has(PLACE + 5, BYTES(0x90));
}

static void call_is_unknown(u64 function)
{
	calls(function);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
}

/* A call by a pointer becomes one of its function. */
TEST(direct_calls_of_alternatives)
{
	set_up_pointer();
	calls(image.text_va + OTHER + 32);
	code_is_clean();
	is_unknown(BYTES(0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00));
	call_is_unknown(image.text_va + OTHER + 64);
	call_is_unknown(image.text_va + OTHER + 33);
	pointer_has(image.text_va + OTHER + 33);
	call_is_unknown(image.text_va + OTHER + 33);
	calls(EVIL_VA);
	code_is_suspicious("some_function+0x0", EVIL_VA, "leads to module evil");
	pointer_has(EVIL_VA);
	code_is_suspicious("some_function+0x0", EVIL_VA, "leads to module evil");
	tear_down_image();
}

/* It is as in the image, where a kernel that runs has none left, and the pointer tells the rest. */
TEST(calls_by_a_pointer_that_are_left)
{
	set_up_pointer();
	pointer_has(EVIL_VA);
	code_is_suspicious("some_function+0x0", EVIL_VA, "by a pointer that leads to module evil");
	pointer_has(image.text_va + OTHER + 33);
	code_is_unknown("some_function+0x0", "1 places go by a pointer that leads to no function");
	pointer_has(image.text_va + OTHER + 32);
	code_is_clean();
	tear_down_image();
}

TEST(a_pointer_that_is_missing)
{
	u64 page = TEXT_PA + (POINTER & ~(u64)(PAGE - 1));
	struct doca_apsh_system *s;
	char regions[256];

	set_up_pointer();
	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu},"
		 "\"1\":{\"start\":%llu,\"length\":%llu}}}",
		 (unsigned long long)page, (unsigned long long)page + PAGE,
		 (unsigned long long)(IMAGE_SIZE - page - PAGE));
	write_text(image.regions, regions);
	s = system_with_image();
	cannot_tell_of(s, CODE, "some_function+0x0",
		       "1 places go by a pointer that cannot be read");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* One that does nothing, and none at all. */
TEST(direct_calls_without_a_function)
{
	set_up_pointer();
	pointer_has(image.text_va + OTHER + 64);
	is_known(BYTES(0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00));
	call_is_unknown(image.text_va + OTHER + 64);
	pointer_has(0);
	is_unknown(BYTES(0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00));
	call_is_unknown(image.text_va + OTHER + 32);
	calls(image.text_va + OTHER);
	code_is_clean();
	is_known(BYTES(0x0f, 0x0b, 0x0f, 0x1f, 0x40, 0x00));
	is_unknown(BYTES(0x0f, 0x0b, 0x31, 0xc0, 0x31, 0xc0));
	tear_down_image();
}

/* The pointer is nowhere. */
TEST(direct_calls_by_what_cannot_be_read)
{
	set_up_pointer();
	both_have(PLACE, BYTES(0xff, 0x15, 0, 0, 0, 0x70));
	call_is_unknown(image.text_va + OTHER + 32);
	tear_down_image();
}

/* Constants that the kernel computes may be anything, also code. */
TEST(direct_calls_of_constants)
{
	set_up_pointer();
	name_at("a_constant", OTHER + 96);
	pointer_has(image.text_va + OTHER + 96);
	calls(image.text_va + OTHER + 96);
	code_is_clean();
	one_place("__start_runtime_ptr_it", "__stop_runtime_ptr_it", OTHER + 92);
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	tear_down_image();
}

/* A place of another kind is in both of what may be there. */
TEST(places_within_alternatives)
{
	set_up_vmlinux();
	both_have(PLACE, BYTES(0xf0, 0x31, 0xc0, 0x90));
	image_has(REPLACEMENT_AT, BYTES(0x50, 0xf0, 0x31, 0xc0));
	begin_table("__smp_locks");
	put_place(PLACE);
	put_place(REPLACEMENT_AT + 1);
	end_table("__smp_locks_end");
	begin_table("__alt_instructions");
	put_alternative(LONG_FLAGS, PLACE, 4, REPLACEMENT_AT, 4);
	end_table("__alt_instructions_end");
	code_is_clean();
	is_known(BYTES(0x3e, 0x31, 0xc0, 0x90));
	is_known(BYTES(0x50, 0xf0, 0x31, 0xc0));
	is_known(BYTES(0x50, 0x3e, 0x31, 0xc0));
	is_unknown(BYTES(0x50, 0x2e, 0x31, 0xc0));
	tear_down_image();
}

/* More of them than any kernel has would take long. */
TEST(many_alternatives_of_one_place)
{
	for (u32 nr = 64; nr <= 65; nr++) {
		set_up_vmlinux();
		begin_table("__alt_instructions");
		for (u32 i = 0; i < nr; i++)
			put_alternative(LONG_FLAGS, PLACE, 5, REPLACEMENT_AT + i, 1);
		end_table("__alt_instructions_end");
		if (nr == 64)
			code_is_clean();
		else
			code_is_unknown("", "__alt_instructions of the image is not understood");
		tear_down_image();
	}
}
