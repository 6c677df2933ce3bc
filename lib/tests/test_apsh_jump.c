// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: jump labels in the kernel's code, which have to agree with their keys. */
#include "apsh_sites.h"

enum { OTHER = PLACE + 0x800, KEY = 0x300000, LOCK = 0x300800 };

/* How the table has a key: it jumps while the key is off; and what says nothing here. */
enum { BRANCH = 1, INIT = 2 };

#define IS_NO_JUMP "it does not jump, and its key says that it does"
#define IS_JUMP "it jumps, and its key says that it does not"

/* How many have switched it on; -1: it is being switched on. */
static void key_is(int32_t enabled)
{
	*(int32_t *)at_va(image.text_va + KEY) = enabled;
}

static void set_lock(u64 owner)
{
	set(image.text_va + LOCK, F_MUTEX_OWNER, owner);
}

/* A jump has 5 bytes, or 2. */
static void nothing(has_fn *has, u32 len)
{
	static const u8 nops[] = { 0x66, 0x90 }, long_nops[] = { NOPS_5 };

	has(PLACE, len == 2 ? nops : long_nops, len);
}

static void put_jump(u32 target, u32 key, u32 flags)
{
	begin_table("__start___jump_table");
	put_place(PLACE);
	put_place(target);
	put_long((u64)((int64_t)key - (TABLES_AT + vmlinux.tables_size)) | flags);
	end_table("__stop___jump_table");
}

static void set_up_key(int32_t enabled)
{
	set_up_vmlinux();
	name_at("jump_label_mutex", LOCK);
	set_lock(0);
	key_is(enabled);
}

/* The image has no jump, as the key is off in it; or with BRANCH, on. */
static void set_up_jump(u32 flags)
{
	set_up_key(flags & BRANCH);
	nothing(both_have, 5);
	put_jump(OTHER, KEY, flags);
}

static void label_is_tampered(const char *what)
{
	place_is_suspicious(what);
}

TEST(jump_labels)
{
	set_up_jump(0);
	code_is_clean();
	branch_is_tampered(0xe9, image.text_va + OTHER + 1);
	branch_is_tampered(0xe8, image.text_va + OTHER);
	branch_is_tampered(0xe9, EVIL_VA);
	memory_has(PLACE, BYTES(0xcc, 0x1f));
	code_is_unknown("some_function+0x0", "1 places are being changed");
	key_is(1);
	branch_is_known(0xe9, OTHER);
	is_known(BYTES(0xe9, 0xfb, 0x07, 0x00, 0x00));
	branch_is_tampered(0xe9, image.text_va + OTHER + 1);
	tear_down_image();
}

/* Each way, with bytes of the image, and with others. */
TEST(jump_labels_that_are_switched)
{
	set_up_jump(INIT);
	for (int32_t enabled = 1; enabled <= 2; enabled++) {
		key_is(enabled);
		nothing(memory_has, 5);
		label_is_tampered(IS_NO_JUMP);
		branch_is_known(0xe9, OTHER);
	}
	key_is(0);
	label_is_tampered(IS_JUMP);
	tear_down_image();
	/* its image has a jump, as its key is off */
	set_up_key(0);
	branch_at(both_have, PLACE, 0xe9, OTHER);
	put_jump(OTHER, KEY, BRANCH);
	code_is_clean();
	nothing(memory_has, 5);
	label_is_tampered(IS_NO_JUMP);
	key_is(1);
	code_is_clean();
	memory_branches(PLACE, 0xe9, image.text_va + OTHER);
	label_is_tampered(IS_JUMP);
	tear_down_image();
}

TEST(short_jump_labels)
{
	set_up_key(1);
	both_have(PLACE, BYTES(0xeb, 0x40));
	put_jump(PLACE + 0x42, KEY, 0);
	code_is_clean();
	is_tampered(BYTES(0xeb, 0x41));
	is_tampered(BYTES(0x31, 0xc0));
	nothing(memory_has, 2);
	label_is_tampered(IS_NO_JUMP);
	key_is(0);
	code_is_clean();
	tear_down_image();
}

/* Before 4.20. */
TEST(jump_labels_with_addresses)
{
	set_up_key(1);
	nothing(both_have, 5);
	begin_table("__start___jump_table");
	put_long(MAP_TEXT + PLACE);
	put_long(MAP_TEXT + OTHER);
	put_long((MAP_TEXT + KEY) | BRANCH);
	end_table("__stop___jump_table");
	code_is_clean();
	branch_is_tampered(0xe9, image.text_va + OTHER + 1);
	memory_branches(PLACE, 0xe9, image.text_va + OTHER);
	label_is_tampered(IS_JUMP);
	key_is(0);
	code_is_clean();
	tear_down_image();
}

/* A jump to what is behind it is as good as none. */
TEST(jump_labels_that_lead_nowhere)
{
	set_up_key(1);
	both_have(PLACE, BYTES(0xeb, 0));
	put_jump(PLACE + 2, KEY, 0);
	code_is_clean();
	nothing(memory_has, 2);
	code_is_clean();
	tear_down_image();
}

/* The code is changed behind a key that is switched off, and in front of one that is switched on. */
TEST(jump_labels_that_are_changing)
{
	set_up_jump(0);
	memory_branches(PLACE, 0xe9, image.text_va + OTHER);
	set_lock(code_va());
	code_is_unknown("some_function+0x0", "1 places are being changed");
	set_lock(0);
	label_is_tampered(IS_JUMP);
	key_is(-1);
	code_is_unknown("some_function+0x0", "1 places are being changed");
	nothing(memory_has, 5);
	code_is_unknown("some_function+0x0", "1 places are being changed");
	/* a lock that is held proves nothing for another jump */
	key_is(0);
	set_lock(code_va());
	branch_is_tampered(0xe9, image.text_va + OTHER + 1);
	tear_down_image();
}

TEST(jump_labels_whose_lock_is_not_known)
{
	set_up_jump(0);
	memcpy(strstr(vmlinux.symbols, "jump_label_mutex"), "jump_label_mutey", 16);
	key_is(1);
	code_is_unknown("some_function+0x0", "1 places are being changed");
	tear_down_image();
}

/* The key may have been written before the lock was, and the code behind it. */
TEST(jump_labels_in_an_image_that_took_time)
{
	struct doca_apsh_system *s;

	set_up_jump(0);
	key_is(1);
	s = system_with_image();
	s->source.drawn_out = true;
	cannot_tell_of(s, CODE, "some_function+0x0",
		       "1 places may have been changed while the image was");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* The key, the lock or the code is another one when all is over. */
TEST(jump_labels_that_begin_to_change)
{
	set_up_jump(0);
	key_is(1);
	label_is_tampered(IS_NO_JUMP);
	is_clean_if_changing(field_va(image.text_va + LOCK, F_MUTEX_OWNER));
	is_clean_if_changing(image.text_va + KEY);
	is_clean_if_changing(image.text_va + PLACE);
	tear_down_image();
}

TEST(jump_labels_whose_key_is_not_known)
{
	set_up_vmlinux();
	nothing(both_have, 5);
	put_jump(OTHER, 0x500000, 0);
	code_is_unknown("some_function+0x0", "1 jump labels have keys that are not known");
	memory_branches(PLACE, 0xe9, image.text_va + OTHER);
	code_is_unknown("some_function+0x0", "1 jump labels have keys that are not known");
	tear_down_image();
}

TEST(jump_labels_whose_key_is_missing)
{
	char regions[256];

	set_up_jump(0);
	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu},"
		 "\"1\":{\"start\":%llu,\"length\":%llu}}}",
		 TEXT_PA + KEY, TEXT_PA + KEY + PAGE, IMAGE_SIZE - (TEXT_PA + KEY + PAGE));
	write_text(image.regions, regions);
	code_is_unknown("some_function+0x0", "1 jump labels have keys that are not known");
	tear_down_image();
}

/* The kernel leaves one alone that its compiler has written in another way than its key says. */
TEST(jump_labels_that_never_agree)
{
	u32 key;

	set_up_key(0);
	nothing(both_have, 5);
	begin_table("first_key");
	key = TABLES_AT + vmlinux.tables_size;
	put_long(1);
	put_jump(OTHER, key, 0);
	*(u64 *)at_va(image.text_va + key) = 1;
	code_is_clean();
	memory_branches(PLACE, 0xe9, image.text_va + OTHER);
	code_is_clean();
	*(u64 *)at_va(image.text_va + key) = 0;
	label_is_tampered(IS_JUMP);
	tear_down_image();
}

/* There may be another alternative in its place. */
TEST(jump_labels_in_alternatives)
{
	static const u8 more[] = { 0, 0, 0, 0, 9, 5 };

	set_up_jump(0);
	image_has(REPLACEMENT_AT, BYTES(NOPS_5, 0x50));
	begin_table("__alt_instructions");
	put_place(PLACE - 2);
	put_place(REPLACEMENT_AT);
	put(more, sizeof(more));
	end_table("__alt_instructions_end");
	code_is_clean();
	key_is(1);
	code_is_unknown("some_function+0x0", "1 places have none of the forms that are known");
	tear_down_image();
}
