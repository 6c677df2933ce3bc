// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: contents of files and code, in sound images and in hostile ones. */
#include <openssl/evp.h>

#include "apsh_content.h"

#define DETAIL(o, attr) \
	doca_apsh_proc_file_details_info_get(o, DOCA_APSH_PROCESS_FILE_DETAILS_##attr)
#define AREA(o, attr) doca_apsh_attst_info_get(o, DOCA_APSH_ATTESTATION_##attr)

static struct doca_apsh_attestation **list;
static char hashes[80];

static void sum_of(const void *data, size_t len, const char *name, char text[129])
{
	u8 sum[EVP_MAX_MD_SIZE];
	unsigned int n;

	if (!EVP_Digest(data, len, sum, &n, EVP_get_digestbyname(name), NULL))
		abort();
	for (unsigned int i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", sum[i]);
}

static struct doca_apsh_proc_file_details **files(void)
{
	struct doca_apsh_proc_file_details **found;

	s = started_system();
	logged();
	OK(doca_apsh_proc_files_details_get(process_of(s, 10), &found, &nr));
	return found;
}

TEST(files_are_there_with_what_is_in_them)
{
	struct doca_apsh_proc_file_details **found;
	char text[129];
	u8 *content;
	u64 va;

	begin(5000);
	va = new_pages(0, 2, 1); /* one folio */
	content = at_va(va);
	memcpy(content, "\177ELF", 4);
	content[16] = 3;
	content[17] = 0;
	set(inode_of(*(u64 *)at_va(field_va(has_.areas[3], F_VMA_FILE))), F_INODE_SIZE, 4096);
	found = files();
	ASSERT(nr == 2);
	EXPECT_STR(DETAIL(found[0], PATH), "/usr/prog");
	EXPECT_EQ(DETAIL(found[0], PID), 10);
	EXPECT_EQ(DETAIL(found[0], SIZE), 5000);
	EXPECT_EQ(DETAIL(found[0], INODE), 4711);
	EXPECT_EQ(DETAIL(found[0], INODE_ADDRESS), inode_of(has_.exe));
	EXPECT_STR(DETAIL(found[0], ELF_TYPE), "ET_DYN");
	sum_of(content, 5000, "SHA1", text);
	EXPECT_STR(DETAIL(found[0], SHA1), text);
	sum_of(content, 5000, "SHA256", text);
	EXPECT_STR(DETAIL(found[0], SHA256), text);
	/* nothing of it is in memory */
	EXPECT_STR(DETAIL(found[1], PATH), "/usr/lib.so");
	EXPECT_STR(DETAIL(found[1], SHA256), "");
	EXPECT_STR(DETAIL(found[1], ELF_TYPE), "");
	EXPECT_SILENT();
	doca_apsh_proc_files_details_free(found);
	end();
}

static void no_sum_of(u64 size, const char *words)
{
	struct doca_apsh_proc_file_details **found;
	const char *text;

	set(inode_of(has_.exe), F_INODE_SIZE, size);
	found = files();
	text = logged();
	ASSERT(nr == 2);
	EXPECT_STR(DETAIL(found[0], SHA256), "");
	EXPECT_STR(DETAIL(found[0], SHA1), "");
	if (words ? !strstr(text, words) : !!*text)
		KTAP_SAY_("logged \"%s\"", text);
	doca_apsh_proc_files_details_free(found);
	end();
}

TEST(a_file_that_is_not_all_in_memory_has_no_sum)
{
	begin(0);
	new_pages(0, 2, 1);
	no_sum_of(2 * 4096 + 1, NULL);
	begin(0);
	new_pages(1, 1, 1);
	no_sum_of(2 * 4096, NULL);
	begin(0);
	new_pages(0, 1, 1);
	*slot(1) = 17; /* a value: the page was evicted */
	no_sum_of(2 * 4096, NULL);
}

TEST(pages_that_are_not_of_the_file)
{
	begin(0);
	set(page_struct(new_pages(0, 1, 1)), F_PAGE_MAPPING, 1);
	no_sum_of(4096, "broken");
	begin(0);
	set(page_struct(new_pages(0, 1, 1)), F_PAGE_INDEX, 1);
	no_sum_of(4096, "broken");
	begin(0);
	new_pages(0, 1, 1);
	*slot(0) += 8;
	no_sum_of(4096, "broken");
	begin(0);
	*slot(0) = vmemmap - STRUCT_PAGE;
	no_sum_of(4096, "broken");
	begin(0);
	new_pages(0, 1, 1);
	set(inode_of(has_.exe), F_INODE_MAPPING, 4096);
	no_sum_of(4096, NULL);
}

TEST(files_of_any_size)
{
	begin(0);
	new_pages(0, 4, 1);
	no_sum_of(1ULL << 40, NULL);
	begin(0);
	new_pages(0, 4, 1);
	no_sum_of(INT64_MAX, NULL);
}

/* Write hashes of the program's first pages, each with one value. */
static void write_hashes(const char *path, int first, int pages, u8 fill)
{
	FILE *to = fopen(hashes, "w");
	char text[129];
	u8 page[4096];

	fprintf(to,
		"{\"format\":\"open-doca-hash-1\",\"files\":[{\"path\":\"%s\","
		"\"size\":1,\"page\":4096,\"first_page\":%d,\"sha256\":\"",
		path, first);
	for (int i = 0; i < pages; i++) {
		memset(page, fill + i, sizeof(page));
		sum_of(page, sizeof(page), "SHA256", text);
		fputs(text, to);
	}
	fputs("\"}]}", to);
	if (fclose(to))
		abort();
}

/* The first page is the file's, the second is private. */
static void set_up_code(void)
{
	u64 area;

	begin(3 * 4096);
	new_pages(0, 3, 1);
	area = new_area(has_.mm, has_.leaf, 9, USER_VA, USER_VA + 4096, 5, has_.exe);
	pivots(has_.leaf)[10] = UINT64_MAX;
	set(area, F_VMA_OFFSET, 1);
	memset(at_va(has_.page), 2, 4096);
	snprintf(hashes, sizeof(hashes), "%s/h", image.dir);
	write_hashes("/usr/prog", 0, 3, 1);
}

static void attest(void)
{
	s = started_system();
	logged();
	OK(doca_apsh_attestation_get(process_of(s, 10), hashes, &list, &nr));
}

static void end_of_attestation(void)
{
	doca_apsh_attestation_free(list);
	end();
}

/* Drop everything but the image. */
static void forget(void)
{
	doca_apsh_attestation_free(list);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
}

/* Check the numbers of present and of matching pages of an area. */
static void expect_pages(int i, u64 present, u64 matching)
{
	EXPECT_EQ(AREA(list[i], PAGES_PRESENT), present);
	EXPECT_EQ(AREA(list[i], MATCHING_HASHES), matching);
}

TEST(code_is_what_its_file_says)
{
	set_up_code();
	attest();
	ASSERT(nr == 3);
	EXPECT_STR(AREA(list[0], PATH_OF_MEMORY_AREA), "/usr/prog");
	EXPECT_STR(AREA(list[0], PROTECTION), "r-xp");
	EXPECT_STR(AREA(list[0], COMM), "ten");
	EXPECT_EQ(AREA(list[0], PID), 10);
	EXPECT_EQ(AREA(list[0], START_ADDRESS), 0x400000);
	EXPECT_EQ(AREA(list[0], END_ADDRESS), 0x401000);
	EXPECT_EQ(AREA(list[0], PAGES_NUMBER), 1);
	expect_pages(0, 1, 1);
	EXPECT(AREA(list[0], HASH_DATA_IS_PRESENT));
	/* a library without hashes, and without pages */
	EXPECT(!AREA(list[1], HASH_DATA_IS_PRESENT));
	EXPECT_EQ(AREA(list[1], PAGES_PRESENT), 0);
	/* private memory */
	expect_pages(2, 1, 1);
	EXPECT_SILENT();
	end_of_attestation();
}

TEST(one_changed_byte_of_code_is_seen_by_a_refresh)
{
	struct doca_apsh_attestation **old;

	set_up_code();
	attest();
	doca_apsh_processes_free(processes); /* not needed any more */
	processes = NULL;
	((u8 *)at_va(has_.page))[4095] ^= 1;
	write_image();
	OK(doca_apsh_attst_refresh(&list, &nr));
	ASSERT(nr == 3);
	EXPECT_EQ(AREA(list[0], MATCHING_HASHES), 1);
	expect_pages(2, 1, 0);
	((u8 *)at_va(has_.page))[4095] ^= 1;
	write_image();
	OK(doca_apsh_attst_refresh(&list, &nr));
	EXPECT_EQ(AREA(list[2], MATCHING_HASHES), 1);
	/* a process that is gone keeps the old results */
	set(has_.ten, F_TASK_START, 5);
	write_image();
	old = list;
	nr = 77;
	EXPECT_EQ(doca_apsh_attst_refresh(&list, &nr), DOCA_ERROR_NOT_FOUND);
	EXPECT(list == old && nr == 77);
	EXPECT_STR(AREA(list[2], COMM), "ten");
	end_of_attestation();
}

TEST(unknown_code_does_not_match)
{
	set_up_code();
	write_hashes("/usr/prog", 1, 1, 2);
	attest();
	ASSERT(nr == 3);
	expect_pages(0, 1, 0);
	EXPECT_EQ(AREA(list[2], MATCHING_HASHES), 1);
	end_of_attestation();
}

/* A process that changes its code can also swap it out (MADV_PAGEOUT). */
TEST(code_that_is_swapped_out_is_not_that_of_the_file)
{
	static const u64 absent[] = {
		0x12340e, /* swapped out */
		(1ULL << 45) | 1, /* outside of readable memory */
	};

	set_up_code();
	((u8 *)at_va(has_.page))[0] ^= 1;
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++) {
		*own_entry() = absent[i];
		attest();
		ASSERT(nr == 3);
		EXPECT_EQ(AREA(list[2], PAGES_NUMBER), 1);
		expect_pages(2, 0, 0);
		forget();
	}
	*own_entry() = 0x60; /* no page, by an erratum of a processor */
	attest();
	expect_pages(2, 1, 1);
	end_of_attestation();
}

TEST(tables_that_cannot_be_read_do_not_stand_for_the_file)
{
	set_up_code();
	set(has_.mm, F_MM_PGD, image.direct + (1ULL << 45));
	attest();
	ASSERT(nr == 3);
	EXPECT_EQ(AREA(list[0], PAGES_PRESENT), 0);
	EXPECT_EQ(AREA(list[2], PAGES_PRESENT), 0);
	end_of_attestation();
}

/* Without any single page it fails, or has fewer pages, but no other code. */
TEST(code_that_is_not_in_the_image_is_no_other_code)
{
	struct doca_apsh_process *ten;
	u64 present, fewer = 0;

	set_up_code();
	s = started_system();
	ten = process_of(s, 10);
	watch_system(s);
	for (u32 i = 0; i < IMAGE_SIZE / PAGE; i++) {
		watch.missing = i * PAGE;
		if ((i && !watch.wanted[i]) || doca_apsh_attestation_get(ten, hashes, &list, &nr))
			continue;
		present = AREA(list[0], PAGES_PRESENT);
		expect_pages(0, present, present);
		fewer += !present;
		doca_apsh_attestation_free(list);
	}
	logged();
	EXPECT(fewer);
	end();
}

/* If the leader of a process has ended, another thread shows its memory. */
TEST(a_process_whose_threads_are_missing_is_not_one_without_code)
{
	struct doca_apsh_process *ten;
	u64 thread;

	set_up_code();
	image.next = (image.next + PAGE - 1) & ~(PAGE - 1);
	thread = new_task(31, 10, "thread");
	set(thread, F_TASK_MM, has_.mm);
	set(has_.ten, F_TASK_MM, 0);
	s = started_system();
	ten = process_of(s, 10);
	watch_system(s);
	OK(doca_apsh_attestation_get(ten, hashes, &list, &nr));
	EXPECT_EQ(nr, 3);
	doca_apsh_attestation_free(list);
	watch.missing = pa_of(thread);
	EXPECT_EQ(doca_apsh_attestation_get(ten, hashes, &list, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("are not in the image");
	end();
}

static void is_refused(const char *words)
{
	struct doca_apsh_process *p = process_of(s, 10);

	logged();
	EXPECT_EQ(doca_apsh_attestation_get(p, hashes, &list, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
	end();
}

/* Memory without a file, of a device, and behind the end of a file. */
TEST(code_that_is_of_no_file_does_not_match)
{
	u64 files[3];

	set_up_code();
	files[0] = 0;
	files[1] = new_file(new_dentry(root_dentry, "zero"), 020666);
	files[2] = new_file(new_dentry(root_dentry, "short"), 0100755);
	set(inode_of(files[2]), F_INODE_SIZE, 4096);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		set_area(9, files[i], 7);
		attest();
		ASSERT(nr == 3);
		EXPECT_STR(AREA(list[2], PROTECTION), "rwxp");
		EXPECT_EQ(AREA(list[2], START_ADDRESS), USER_VA);
		EXPECT(!AREA(list[2], HASH_DATA_IS_PRESENT));
		EXPECT_EQ(AREA(list[2], PAGES_NUMBER), 1);
		expect_pages(2, 1, 0);
		forget();
	}
	/* the kernel's pages are not the process's */
	set_area(9, 0, 5);
	set(slots(has_.leaf)[9], F_VMA_OPS, symbol(S_special_mapping_vmops));
	attest();
	EXPECT_EQ(nr, 2);
	/* but pages that it has written there are */
	set(page_struct(has_.page), F_PAGE_MAPPING, 0xffff888000001001);
	write_image();
	OK(doca_apsh_attst_refresh(&list, &nr));
	ASSERT(nr == 3);
	expect_pages(2, 1, 0);
	end_of_attestation();
}

/* Without struct pages nobody knows whether the kernel's page is still the kernel's. */
TEST(a_vdso_of_which_nobody_knows_is_not_left_out)
{
	set_up_code();
	set_area(9, 0, 5);
	set(slots(has_.leaf)[9], F_VMA_OPS, symbol(S_special_mapping_vmops));
	*(u64 *)at_va(symbol(S_vmemmap_base)) = 0xfffff50000000000; /* no table maps it */
	s = started_system();
	is_refused("changed while they were read, or are broken");
}

/* 2^27 pages that the process may execute and does not have. */
TEST(holes_of_an_area_are_left_at_once)
{
	set_up_code();
	new_area(has_.mm, has_.leaf, 11, USER_VA + (1 << 30), 0x7ffffffff000, 7, 0);
	pivots(has_.leaf)[12] = UINT64_MAX;
	attest();
	ASSERT(nr == 4);
	EXPECT_EQ(AREA(list[3], PAGES_PRESENT), 0);
	EXPECT_SILENT();
	end_of_attestation();
}

/* Areas that are left out could be those that a process hides. */
TEST(areas_that_are_left_out_are_not_attested)
{
	set_up_code();
	s = started_system();
	s->limits[DOCA_APSH_HASHTEST_LIMIT] = 2;
	is_refused("more areas of code than the limit of 2; set limit 7");
	set_up_code();
	s = started_system();
	s->limits[DOCA_APSH_VADS_LIMIT] = 4;
	is_refused("more areas of code than the limit");
	set_up_code();
	set(slots(has_.leaf)[9], F_VMA_START, USER_VA + 4096);
	s = started_system();
	is_refused("changed while they were read, or are broken");
}

static const struct source_ops *ops;
static u64 moving;

/* The end of an area changes whenever it is read. */
static int read_moving(struct source *source, struct source_range *r, unsigned int n)
{
	static u64 end_at;
	int err = ops->read(source, r, n);
	u64 pa = pa_of(field_va(moving, F_VMA_END));

	end_at += 4096;
	for (unsigned int i = 0; i < n; i++)
		if (pa >= r[i].pa && pa + 8 <= r[i].pa + r[i].len) {
			u64 end = USER_VA + 4096 + end_at;

			memcpy((u8 *)r[i].to + (pa - r[i].pa), &end, 8);
		}
	return err;
}

TEST(an_area_that_does_not_keep_still_is_not_attested)
{
	struct source_ops mine;

	set_up_code();
	moving = slots(has_.leaf)[9];
	s = started_system();
	ops = s->source.ops;
	mine = *ops;
	mine.read = read_moving;
	s->source.ops = &mine;
	is_refused("changed while they were read, or are broken");
}

TEST(attestation_without_memory_leaves_nothing)
{
	struct doca_apsh_process *p;

	set_up_code();
	s = started_system();
	p = process_of(s, 10);
	list = NULL;
	EXPECT_EQ(doca_apsh_attst_refresh(&list, &nr), DOCA_ERROR_INVALID_VALUE);
	doca_apsh_attestation_free(NULL);
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_attestation_get(p, hashes, &list, &nr), NO_MEMORY,
		      doca_apsh_attestation_free(list));
	OK(doca_apsh_attestation_get(p, hashes, &list, &nr));
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_attst_refresh(&list, &nr), NO_MEMORY, (void)0);
	doca_apsh_system_destroy(s);
	EXPECT_EQ(doca_apsh_attst_refresh(&list, &nr), DOCA_ERROR_INITIALIZATION);
	doca_apsh_attestation_free(list);
	doca_apsh_processes_free(processes);
	tear_down_image();
}

TEST(hashes_that_are_none_are_refused)
{
#define FILES "{\"format\":\"open-doca-hash-1\",\"files\":"
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "PK\003\004", "is no file of \"doca_apsh_map hash\"" },
		{ "", "is empty" },
		{ "[]", "is no file of" },
		{ "{\"format\":\"open-doca-hash-1\"}", "has no files" },
		{ "{\"format\":\"2\",\"files\":[]}", "its format is not" },
		{ FILES "[1]}", "file 0 lacks" },
		{ FILES "[{\"path\":\"a\",\"page\":4096,\"first_page\":-1,"
			"\"sha256\":\"\"}]}",
		  "file 0 lacks" },
		{ FILES "[{\"path\":\"a\",\"page\":8192,\"first_page\":0,"
			"\"sha256\":\"\"}]}",
		  "file 0 lacks" },
		{ FILES "[{\"path\":\"a\",\"page\":4096,\"first_page\":0,"
			"\"sha256\":\"ab\"}]}",
		  "file 0 lacks" },
		{ FILES "[{\"path\":\"a\",\"page\":4096,\"first_page\":0,"
			"\"sha256\":\"g123456789abcdef0123456789abcdef"
			"0123456789abcdef0123456789abcdef\"}]}",
		  "is no hexadecimal number" },
	};
	struct doca_apsh_process *p;

	set_up_code();
	s = started_system();
	p = process_of(s, 10);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		write_text(hashes, cases[i].text);
		logged();
		EXPECT_EQ(doca_apsh_attestation_get(p, hashes, &list, &nr),
			  DOCA_ERROR_INITIALIZATION);
		EXPECT_LOGGED(cases[i].words);
	}
	end();
}

/* 2^27 pages, all absent. */
TEST(code_without_an_end_is_left)
{
	u64 area;

	set_up_code();
	area = new_area(has_.mm, has_.leaf, 11, USER_VA + (1 << 30), 0x7ffffffff000, 5, has_.exe);
	pivots(has_.leaf)[12] = UINT64_MAX;
	set(area, F_VMA_OFFSET, 3);
	set(inode_of(has_.exe), F_INODE_SIZE, 1ULL << 60);
	s = started_system();
	s->budget.ms = 100;
	clock_stop(1000000);
	logged();
	EXPECT_EQ(doca_apsh_attestation_get(process_of(s, 10), hashes, &list, &nr),
		  DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("DOCA_APSH_BUDGET");
	end();
}
