// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: the kernel's code, compared with its image. */
#include "apsh_vmlinux.h"

TEST(code_that_is_as_in_its_image)
{
	set_up_vmlinux();
	code_is_clean();
	tear_down_image();
}

TEST(a_byte_that_was_changed)
{
	set_up_vmlinux();
	memory_has(PLACE, BYTES(0xcc));
	place_is_suspicious("cc is in place of 90 of the image");
	memory_has(PLACE, BYTES(0x90, 0x31, 0xc0, 0x90, 0xc3));
	code_is_suspicious("some_function+0x1", image.text_va + PLACE + 1,
			   "31 c0 90 c3 is in place of 90 90 90 90 of the image");
	tear_down_image();
}

/* The last byte of the code, and the first one. */
TEST(the_ends_of_the_code)
{
	set_up_vmlinux();
	name_at("last_function", CODE_AT + CODE_SIZE - 1);
	memory_has(CODE_AT + CODE_SIZE - 1, BYTES(0x11));
	code_is_suspicious("last_function+0x0", image.text_va + CODE_AT + CODE_SIZE - 1, "11 is");
	memory_has(CODE_AT + CODE_SIZE - 1, BYTES(0));
	memory_has(CODE_AT, BYTES(0x11));
	code_is_suspicious("_stext+0x0", image.text_va + CODE_AT, "11 is");
	tear_down_image();
}

TEST(code_that_leads_to_a_module)
{
	set_up_vmlinux();
	memory_branches(PLACE, 0xe9, EVIL_VA + 8);
	code_is_suspicious("some_function+0x0", EVIL_VA + 8, "leads to module evil");
	/* a call that is led elsewhere keeps its first byte */
	branch_at(both_have, PLACE, 0xe8, PLACE + 0x800);
	memory_branches(PLACE, 0xe8, EVIL_VA + 16);
	code_is_suspicious("some_function+0x1", EVIL_VA + 16, "leads to module evil");
	tear_down_image();
}

/* The last byte of a branch may be the only one that differs. */
TEST(code_whose_end_leads_to_a_module)
{
	set_up_vmlinux();
	/* behind a prefix, with a condition */
	both_have(PLACE, BYTES(0x2e, 0x0f));
	branch_at(both_have, PLACE + 2, 0x84, (u32)(EVIL_VA + 8 - (1U << 24) - image.text_va));
	memory_branches(PLACE + 2, 0x84, EVIL_VA + 8);
	code_is_suspicious("some_function+0x6", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

TEST(more_changes_than_are_told)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	for (u32 i = 0; i < 70; i++)
		memory_has(PLACE + 32 * i, BYTES(0xcc));
	s = system_with_image();
	if (find_all(s, CODE, 65)) {
		EXPECT_EQ(findings[64]->verdict, APSH_CANNOT_TELL);
		EXPECT_STR(findings[64]->what, "6 more places differ");
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* A branch to a module is one of them even where the kernel may have another form. */
TEST(a_module_behind_more_changes_than_are_told)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	begin_table("__parainstructions");
	put_long(MAP_TEXT + PLACE + 0xf00);
	put_long(7 << 8);
	end_table("__parainstructions_end");
	for (u32 i = 0; i < 64; i++)
		memory_has(PLACE + 32 * i, BYTES(0xcc));
	memory_branches(PLACE + 0xf00, 0xe8, EVIL_VA + 8);
	s = system_with_image();
	if (find_all(s, CODE, 65)) {
		EXPECT_STR(findings[64]->what, "1 more places differ");
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(addresses_that_move_with_the_kernel)
{
	static const u64 by = TEXT_VA - MAP_TEXT;
	u64 was = MAP_TEXT + 0x150000, now = was + by;
	u32 low = (u32)was, down = 0x1234;

	set_up_vmlinux();
	image_has(PLACE, (const u8 *)&was, 8);
	memory_has(PLACE, (const u8 *)&now, 8);
	image_has(PLACE + 16, (const u8 *)&low, 4);
	low = (u32)now;
	memory_has(PLACE + 16, (const u8 *)&low, 4);
	image_has(PLACE + 32, (const u8 *)&down, 4);
	down -= (u32)by;
	memory_has(PLACE + 32, (const u8 *)&down, 4);
	vmlinux.nr_words = 6;
	memcpy(vmlinux.words,
	       (const u32[]){ 0, (u32)MAP_TEXT + PLACE, 0, (u32)MAP_TEXT + PLACE + 32, 0,
			      (u32)MAP_TEXT + PLACE + 16 },
	       6 * sizeof(u32));
	code_is_clean();
	/* kernels whose per-CPU data is not at 0 have two lists */
	memory_has(PLACE + 32, BYTES(0x34, 0x12, 0, 0));
	vmlinux.nr_words = 4;
	vmlinux.words[3] = vmlinux.words[5];
	code_is_clean();
	low++;
	memory_has(PLACE + 16, (const u8 *)&low, 4);
	code_is_suspicious("some_function+0x10", image.text_va + PLACE + 16, "is in place of");
	tear_down_image();
}

TEST(an_image_that_does_not_tell_its_addresses)
{
	set_up_vmlinux();
	vmlinux.nr_words = 0;
	code_is_unknown("", "does not tell where it has addresses");
	vmlinux.words[0] = 1;
	vmlinux.nr_words = 2;
	code_is_unknown("", "does not tell where it has addresses");
	tear_down_image();
}

TEST(another_image)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	memory_has(NOTES_AT + 17, BYTES(9));
	code_is_unknown("", "another build id");
	memory_has(NOTES_AT, build_id, sizeof(build_id));
	s = system_with_image();
	s->kernel.map.banner[20]++;
	cannot_tell_of(s, CODE, "", "that of another kernel");
	doca_apsh_system_destroy(s);
	vmlinux.machine = EM_AARCH64;
	code_is_unknown("", "no kernel for x86-64");
	tear_down_image();
}

TEST(no_image)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	s = started_system();
	cannot_tell_of(s, CODE, "", "no image was given to compare with");
	OK(doca_priv_apsh_code_set(s, -1, "it is not here"));
	cannot_tell_of(s, CODE, "", "it is not here");
	EXPECT_EQ(doca_priv_apsh_code_set(s, -1, NULL), DOCA_ERROR_IO_FAILED);
	EXPECT_EQ(doca_priv_apsh_code_set(NULL, -1, NULL), DOCA_ERROR_INVALID_VALUE);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* A page of it is another one, which only the tables tell. */
TEST(code_that_is_mapped_elsewhere)
{
	struct doca_apsh_system *s;
	u64 pmd, table, page;

	set_up_vmlinux();
	s = system_with_image();
	/* the tables of set_up_tables() have one below the other */
	pmd = image.text_pa + image_at[S_init_top_pgt] + 0x20000 + 0x2000;
	table = pa_of(object(PAGE, PAGE));
	page = pa_of(object(PAGE, PAGE));
	for (u64 i = 0; i < 512; i++)
		*at_pa(table + 8 * i) = (image.text_pa + i * PAGE) | 3;
	*at_pa(pmd + ((image.text_va - START_KERNEL_MAP) >> 21) * 8) = table | 3;
	write_image();
	is_clean_of(s, CODE);
	*at_pa(table + 8 * (PLACE / PAGE)) = page | 3;
	write_image();
	one_finding_of(s, CODE, APSH_SUSPICIOUS, "some_function+0x0", image.text_va + PLACE,
		       "another page");
	for (u64 i = 0; i < 70; i++)
		*at_pa(table + 8 * (CODE_AT / PAGE + i)) = page | 3;
	write_image();
	if (find_all(s, CODE, 65)) {
		EXPECT_EQ(findings[64]->verdict, APSH_CANNOT_TELL);
		EXPECT_STR(findings[64]->what, "more of the kernel's code is mapped elsewhere");
		doca_priv_apsh_findings_free(findings);
	}
	for (u64 i = 0; i < 70; i++)
		*at_pa(table + 8 * (CODE_AT / PAGE + i)) = (image.text_pa + CODE_AT + i * PAGE) | 3;
	*at_pa(table + 8 * (PLACE / PAGE)) = 0;
	write_image();
	cannot_tell_of(s, CODE, "", "not all of the kernel's code is mapped");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(code_of_which_pages_are_missing)
{
	struct doca_apsh_system *s;
	struct view_stats stats;
	char regions[256];

	set_up_vmlinux();
	memory_has(PLACE, BYTES(0xcc));
	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu},"
		 "\"1\":{\"start\":%llu,\"length\":%llu}}}",
		 TEXT_PA + PLACE, TEXT_PA + PLACE + PAGE, IMAGE_SIZE - (TEXT_PA + PLACE + PAGE));
	write_text(image.regions, regions);
	s = system_with_image();
	if (find_all(s, CODE, 0)) {
		doca_priv_apsh_stats(s, &stats);
		EXPECT_EQ(stats.absent, 1);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* A difference at a page's end goes no further than memory that was read. */
TEST(code_in_front_of_a_missing_page)
{
	char regions[256];

	set_up_vmlinux();
	memory_has(PLACE + PAGE - 1, BYTES(0xe9));
	vmlinux.code[PLACE + PAGE - CODE_AT] = 0x55;
	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu},"
		 "\"1\":{\"start\":%llu,\"length\":%llu}}}",
		 TEXT_PA + PLACE + PAGE, TEXT_PA + PLACE + 2 * PAGE,
		 IMAGE_SIZE - (TEXT_PA + PLACE + 2 * PAGE));
	write_text(image.regions, regions);
	code_is_suspicious("some_function+0xfff", image.text_va + PLACE + PAGE - 1,
			   "e9 is in place of 90 of");
	tear_down_image();
}

TEST(code_without_memory)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	memory_has(PLACE, BYTES(0xcc));
	s = system_with_image();
	EXPECT_FAULTS(FAULT_ALLOC, CODE(s, &findings, &nr_findings), NO_MEMORY,
		      doca_priv_apsh_findings_free(findings));
	doca_apsh_system_destroy(s);
	tear_down_image();
}
