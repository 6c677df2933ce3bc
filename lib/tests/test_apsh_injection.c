// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: code that is in no file of its process. */
#include "apsh_suspect.h"

TEST(one_changed_byte_of_a_file_is_found)
{
	set_up_copy();
	expect_clean();
	((u8 *)at_va(has_.page))[4095] ^= 1;
	look();
	ASSERT(nr == 1);
	EXPECT_EQ(SUSPECT(found[0], PID), 10);
	EXPECT_EQ(SUSPECT(found[0], VAD_START), USER_VA);
	EXPECT_EQ(SUSPECT(found[0], VAD_END), USER_VA + 4096);
	EXPECT_STR(SUSPECT(found[0], VAD_PROTECTION), "r-xp");
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_START), USER_VA);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_END), USER_VA + 4096);
	EXPECT_STR(SUSPECT(found[0], VAD_TAG), "changed");
	EXPECT_STR(SUSPECT(found[0], VAD_FILE_PATH), "/usr/prog");
	EXPECT_SILENT();
	forget();
	/* a page of the file itself is not the process's, and data is no code */
	set(page_struct(has_.page), F_PAGE_MAPPING, mapping);
	expect_clean();
	set(page_struct(has_.page), F_PAGE_MAPPING, PRIVATE);
	set_area(9, has_.exe, 3);
	expect_clean();
	tear_down_image();
}

TEST(pages_behind_the_end_of_a_file_are_suspicious)
{
	set_up_copy();
	set(inode_of(has_.exe), F_INODE_SIZE, 4096);
	expect_one("changed", "/usr/prog");
	memset(at_va(has_.page), 0, 4096);
	expect_clean();
	tear_down_image();
}

TEST(code_without_a_file_is_found)
{
	u64 files[3];

	set_up_copy();
	files[0] = 0;
	files[1] = new_file(new_dentry(root_dentry, "zero"), 020666);
	files[2] = new_memfd();
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		static const char *const paths[] = { "", "/zero", "/memfd:x (deleted)" };

		set_area(9, files[i], 7);
		expect_one("code", paths[i]);
		memcpy(at_va(has_.page), "\177ELF", 4);
		expect_one("elf", paths[i]);
		memset(at_va(has_.page), 0, 4096);
		expect_clean();
		memset(at_va(has_.page), 2, 4096);
		/* a device's memory is not read */
		set(page_struct(has_.page), F_PAGE_MAPPING, mapping);
		if (i == 1)
			expect_unjudged();
		set(page_struct(has_.page), F_PAGE_MAPPING, PRIVATE);
		set_area(9, files[i], 3);
		expect_clean();
	}
	tear_down_image();
}

TEST(a_header_beside_code_is_found)
{
	u64 next;

	set_up_copy();
	set_area(9, 0, 1);
	memcpy(at_va(has_.page), "\177ELF", 4);
	expect_clean();
	next = map_next(10, 5);
	pivots(has_.leaf)[11] = UINT64_MAX;
	expect_one("elf", "");
	/* not where something is between the two */
	set(slots(has_.leaf)[10], F_VMA_START, USER_VA + 2 * 4096);
	set(slots(has_.leaf)[10], F_VMA_END, USER_VA + 3 * 4096);
	pivots(has_.leaf)[10] = USER_VA + 2 * 4096 - 1;
	slots(has_.leaf)[11] = slots(has_.leaf)[10];
	slots(has_.leaf)[10] = 0;
	pivots(has_.leaf)[11] = USER_VA + 3 * 4096 - 1;
	pivots(has_.leaf)[12] = UINT64_MAX;
	expect_clean();
	slots(has_.leaf)[10] = slots(has_.leaf)[11];
	slots(has_.leaf)[11] = 0;
	set(slots(has_.leaf)[10], F_VMA_START, USER_VA + 4096);
	set(slots(has_.leaf)[10], F_VMA_END, USER_VA + 2 * 4096);
	pivots(has_.leaf)[11] = UINT64_MAX;
	((u8 *)at_va(next))[9] = 1;
	look();
	ASSERT(nr == 2);
	EXPECT_STR(SUSPECT(found[0], VAD_TAG), "elf");
	EXPECT_STR(SUSPECT(found[0], VAD_PROTECTION), "r--p");
	EXPECT_EQ(SUSPECT(found[0], VAD_START), USER_VA);
	EXPECT_STR(SUSPECT(found[1], VAD_TAG), "code");
	EXPECT_EQ(SUSPECT(found[1], SUSPECTED_AREA_START), USER_VA + 4096);
	forget();
	/* data that is not a header is nothing */
	((u8 *)at_va(has_.page))[0] = 0;
	look();
	ASSERT(nr == 1);
	EXPECT_EQ(SUSPECT(found[0], VAD_START), USER_VA + 4096);
	end_of_look();
}

TEST(pages_that_follow_each_other_are_one_place)
{
	u64 page;

	set_up_copy();
	make_large(4, 5);
	for (int i = 1; i < 4; i++) {
		page = object(4096, 4096);
		((u8 *)at_va(page))[77] = i != 2;
		own_entry()[i] = pa_of(page) | 7;
	}
	look();
	ASSERT(nr == 2);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_START), USER_VA);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_END), USER_VA + 2 * 4096);
	EXPECT_EQ(SUSPECT(found[1], SUSPECTED_AREA_START), USER_VA + 3 * 4096);
	EXPECT_EQ(SUSPECT(found[1], SUSPECTED_AREA_END), USER_VA + 4 * 4096);
	EXPECT_EQ(SUSPECT(found[1], VAD_START), USER_VA);
	forget();
	tear_down_image();
}

/* The vdso is the kernel's until somebody writes to it. */
TEST(a_vdso_that_was_written_to_is_found)
{
	set_up_copy();
	set_area(9, 0, 5);
	set(slots(has_.leaf)[9], F_VMA_OPS, symbol(S_special_mapping_vmops));
	set(page_struct(has_.page), F_PAGE_MAPPING, 0);
	expect_clean();
	set(page_struct(has_.page), F_PAGE_MAPPING, 0xffff888000001001);
	expect_one("vdso", "");
	tear_down_image();
}

/* No verdict is not a good one. */
TEST(code_that_cannot_be_judged_is_told)
{
	set_up_copy();
	*own_entry() = 0x12340e; /* swapped out */
	expect_unjudged();
	*own_entry() = 0x60; /* no page, by an erratum of a processor */
	expect_clean();
	*own_entry() = pa_of(has_.page) | 7;
	set(slots(has_.leaf)[9], F_VMA_FILE, image.direct + (1ULL << 45));
	look();
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT(strstr(logged(), "cannot be judged"));
	end_of_look();
}

/* A process can drop its file's page from memory. */
TEST(a_copy_whose_file_is_not_in_memory_is_suspicious)
{
	set_up_copy();
	*slot(1) = 17; /* evicted */
	expect_one("copied", "/usr/prog");
	*slot(1) = 0;
	expect_one("copied", "/usr/prog");
	tear_down_image();
}

/* Content of such a file stays in memory, mapped or not. */
TEST(code_of_a_file_without_a_path_is_found_where_it_is_not_mapped)
{
	u64 file;

	set_up_copy();
	file = new_memfd();
	set_area(9, file, 5);
	set(inode_of(file), F_INODE_SIZE, 3 * 4096);
	set(inode_of(file), F_INODE_MAPPING, mapping);
	*own_entry() = 0;
	expect_one("code", "/memfd:x (deleted)");
	*slot(1) = 17; /* swapped out */
	expect_unjudged();
	*slot(1) = 0;
	expect_clean();
	/* a program on a tmpfs has a path */
	set(*(u64 *)at_va(field_va(file, F_FILE_DENTRY)), F_DENTRY_PPREV, 1);
	new_pages(0, 3, 1);
	expect_clean();
	/* a file with a path has it on the disk */
	set_area(9, has_.exe, 5);
	expect_clean();
	/* deleted, and shared: also on a disk */
	set(*(u64 *)at_va(field_va(has_.exe, F_FILE_DENTRY)), F_DENTRY_PPREV, 0);
	new_pages(0, 3, 1);
	expect_clean();
	set_area(9, has_.exe, 0x85);
	expect_one("code", "/usr/prog (deleted)");
	/* where it is not in memory, it is on the disk */
	*slot(1) = 0;
	expect_unjudged();
	tear_down_image();
}

static void rename_in_map(const char *from, const char *to)
{
	char command[160];

	snprintf(command, sizeof(command), "sed -i s/%s/%s/ %s", from, to, image.symbols);
	if (system(command))
		abort();
}

/* The first page of a large one says whose all are; the others have something else there. */
TEST(pages_of_a_large_one_are_its_owners)
{
	u64 head;

	set_up_copy();
	((u8 *)at_va(has_.page))[0] ^= 1;
	head = object(64, 64);
	set(page_struct(has_.page), F_PAGE_HEAD, head | 1);
	set(page_struct(has_.page), F_PAGE_MAPPING, 0xdead000000000400);
	set(head, F_PAGE_MAPPING, PRIVATE);
	expect_one("changed", "/usr/prog");
	set(page_struct(has_.page), F_PAGE_MAPPING, 0xffffffff);
	set(head, F_PAGE_MAPPING, mapping);
	expect_clean();
	/* since 7.1 it is called otherwise, and may be a mask for the page's own address */
	rename_in_map("compound_head", "compound_info");
	head = page_struct(has_.page) & ~4095ULL;
	EXPECT(head != page_struct(has_.page));
	set(page_struct(has_.page), F_PAGE_HEAD, ~4095ULL | 1);
	set(head, F_PAGE_MAPPING, PRIVATE);
	expect_one("changed", "/usr/prog");
	set(head, F_PAGE_MAPPING, mapping);
	expect_clean();
	tear_down_image();
}

static const struct source_ops *ops;
static u64 word_pa, first_value;

/* A word has another value when it is read first. */
static int read_moving(struct source *source, struct source_range *r, unsigned int n)
{
	int err = ops->read(source, r, n);

	for (unsigned int i = 0; i < n; i++)
		if (first_value && word_pa >= r[i].pa && word_pa + 8 <= r[i].pa + r[i].len) {
			memcpy((u8 *)r[i].to + (word_pa - r[i].pa), &first_value, 8);
			first_value = 0;
		}
	return err;
}

static void look_while_it_moves(u64 va, u64 value)
{
	struct source_ops mine;
	struct doca_apsh_process *ten;

	s = started_system();
	ten = process_of(s, 10);
	ops = s->source.ops;
	mine = *ops;
	mine.read = read_moving;
	s->source.ops = &mine;
	word_pa = pa_of(va);
	first_value = value;
	logged();
	OK(doca_apsh_injection_detect_get(ten, &found, &nr));
	EXPECT_EQ(first_value, 0);
	s->source.ops = ops;
}

/* A page that was another one's, beside one with code, and an area that has become data. */
TEST(what_is_suspicious_once_is_not_reported)
{
	u64 area, page;

	set_up_copy();
	area = slots(has_.leaf)[9];
	page = object(4096, 4096);
	((u8 *)at_va(page))[4095] = 1;
	own_entry()[1] = pa_of(page) | 7;
	make_large(2, 5);
	*own_entry() = 0;
	look_while_it_moves(own_entry_va(), pa_of(has_.page) | 7);
	ASSERT(nr == 1);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_START), USER_VA + 4096);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_END), USER_VA + 2 * 4096);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT_LOGGED("1 pages of code of process 10 cannot be judged");
	forget();
	set_area(9, 0, 3);
	look_while_it_moves(field_va(area, F_VMA_FLAGS), 5);
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	end_of_look();
}

/* 2^27 pages that the process may execute and does not have. */
TEST(holes_of_code_are_left_at_once)
{
	set_up_copy();
	new_area(has_.mm, has_.leaf, 11, USER_VA + (1 << 30), 0x7ffffffff000, 7, 0);
	pivots(has_.leaf)[12] = UINT64_MAX;
	expect_clean();
	tear_down_image();
}
