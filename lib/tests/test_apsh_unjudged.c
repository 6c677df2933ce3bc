// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: code that cannot be judged, because something is missing, too much, or changes. */
#include "apsh_suspect.h"

static const struct source_ops *ops;
static struct source_ops mine;
/* Called when a word is read; the reader may get another value. */
static u64 word_pa;
static void (*when_read)(u8 *word);

static int read_and_act(struct source *source, struct source_range *r, unsigned int n)
{
	int err = ops->read(source, r, n);

	for (unsigned int i = 0; i < n; i++)
		if (word_pa >= r[i].pa && word_pa < r[i].pa + r[i].len)
			when_read((u8 *)r[i].to + (word_pa - r[i].pa));
	return err;
}

static void act_on(struct doca_apsh_system *system, u64 va, void (*act)(u8 *word))
{
	ops = system->source.ops;
	mine = *ops;
	mine.read = read_and_act;
	system->source.ops = &mine;
	word_pa = pa_of(va);
	when_read = act;
}

static doca_error_t look_without(u64 va)
{
	struct doca_apsh_process *ten;

	s = started_system();
	ten = process_of(s, 10);
	watch_system(s);
	watch.missing = pa_of(va) & ~(PAGE - 1);
	logged();
	found = NULL;
	nr = 0;
	return doca_apsh_injection_detect_get(ten, &found, &nr);
}

/* A tree of areas of which nothing is known is not an empty one. */
TEST(areas_that_are_not_in_the_image_are_no_good_sign)
{
	u64 leaf;

	set_up_copy();
	leaf = object(4096, 4096);
	memcpy(at_va(leaf), at_va(has_.leaf), 256);
	set(has_.mm, F_MM_ROOT, leaf | 1 << 3 | 2);
	EXPECT_EQ(look_without(leaf), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("it cannot be told if it has injected code");
	EXPECT_EQ(s->stats.absent, 1);
	forget();
	tear_down_image();
}

/* Let all of the area from this field on be on another page. */
static u64 split_area(int i, enum field f)
{
	u64 va = object(2 * 4096, 4096) + 4096 - image.map.fields[f].offset;

	memcpy(at_va(va), at_va(slots(has_.leaf)[i]), 256);
	slots(has_.leaf)[i] = va;
	return va + image.map.fields[f].offset;
}

/* Without its file a mapping of a program looks like code that has none. */
TEST(an_area_that_is_in_the_image_in_part_is_not_judged)
{
	set_up_copy();
	set(page_struct(has_.page), F_PAGE_MAPPING, mapping);
	expect_clean();
	OK(look_without(split_area(9, F_VMA_FILE)));
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT(strstr(logged(), "1 pages of code of process 10 cannot be judged"));
	forget();
	tear_down_image();
	/* without its flags it looks like data */
	set_up_copy();
	make_large(7, 7);
	OK(look_without(split_area(9, F_VMA_FLAGS)));
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 7);
	end_of_look();
}

/* In data beside code only the header would have been looked at. */
TEST(data_that_cannot_be_judged_is_one_page)
{
	set_up_copy();
	make_large(1, 5);
	new_area(has_.mm, has_.leaf, 10, USER_VA + 4096, USER_VA + 1000 * 4096, 3, 0);
	pivots(has_.leaf)[11] = UINT64_MAX;
	OK(look_without(split_area(10, F_VMA_FILE)));
	EXPECT_EQ(nr, 1);
	EXPECT_EQ(s->stats.unjudged, 1);
	end_of_look();
}

/* Areas that are left out could be those that matter. */
TEST(areas_that_are_left_out_are_no_good_sign)
{
	const char *lines;

	set_up_copy();
	set(slots(has_.leaf)[9], F_VMA_START, USER_VA + 4096);
	s = started_system();
	logged();
	EXPECT_EQ(doca_apsh_injection_detect_get(process_of(s, 10), &found, &nr),
		  DOCA_ERROR_INITIALIZATION);
	/* in one line, however often it was tried */
	EXPECT_LOGGED("it cannot be told if it has injected code");
	set(slots(has_.leaf)[9], F_VMA_START, USER_VA);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	s = started_system();
	s->limits[DOCA_APSH_VADS_LIMIT] = 4;
	EXPECT_EQ(doca_apsh_injection_detect_get(process_of(s, 10), &found, &nr),
		  DOCA_ERROR_INITIALIZATION);
	EXPECT(strstr(logged(), "limit of 4"));
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	/* beside what was found they make the answer incomplete */
	set_area(9, 0, 5);
	set(has_.areas[2], F_VMA_START, 0x700000 + 4096);
	look();
	EXPECT_EQ(nr, 1);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT(strstr(lines = logged(), "memory areas of process 10 are missing, broken"));
	EXPECT(!strstr(lines, "cannot be judged"));
	end_of_look();
}

/* Without any single page of the image nobody is accused, and nothing bad is passed over. */
TEST(what_is_not_in_the_image_is_no_injection)
{
	u32 told = 0, seen = 0;

	for (int bad = 0; bad < 2; bad++) {
		struct doca_apsh_process *ten;

		set_up_copy();
		((u8 *)at_va(has_.page))[5] ^= bad;
		s = started_system();
		ten = process_of(s, 10);
		watch_system(s);
		for (u32 i = 0; i < IMAGE_SIZE / PAGE; i++) {
			watch.missing = i * PAGE;
			if ((i && !watch.wanted[i]) ||
			    doca_apsh_injection_detect_get(ten, &found, &nr))
				continue;
			EXPECT(nr <= bad);
			doca_apsh_injection_detect_free(found);
			seen += nr;
			if (nr == bad)
				continue;
			told++;
			EXPECT(s->stats.unjudged);
		}
		logged();
		end();
	}
	EXPECT(told && seen);
}

/* No table maps it. */
#define NOWHERE 0xfffff50000000000ULL

/* Only a struct page tells whose a page is. */
TEST(a_page_whose_struct_page_is_nowhere_is_no_good_sign)
{
	set_up_copy();
	((u8 *)at_va(has_.page))[4095] ^= 1;
	expect_one("changed", "/usr/prog");
	set(page_struct(has_.page), F_PAGE_HEAD, NOWHERE | 1);
	expect_unjudged();
	set(page_struct(has_.page), F_PAGE_HEAD, 0);
	*(u64 *)at_va(symbol(S_vmemmap_base)) = NOWHERE;
	expect_unjudged();
	/* it cannot be told if the page of a vdso is still the one of the kernel */
	set_area(9, 0, 5);
	set(slots(has_.leaf)[9], F_VMA_OPS, symbol(S_special_mapping_vmops));
	expect_unjudged();
	tear_down_image();
}

/* A large page of tmpfs before 5.4: each page has an entry, and the first one names the file. */
TEST(a_page_that_does_not_name_its_file_is_one_page)
{
	u64 file;

	set_up_copy();
	file = new_memfd();
	set_area(9, file, 5);
	set(inode_of(file), F_INODE_SIZE, 3 * 4096);
	set(inode_of(file), F_INODE_MAPPING, mapping);
	*own_entry() = 0;
	set(*slot(0), F_PAGE_MAPPING, 0);
	look();
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT(strstr(logged(), "1 pages of code of process 10 cannot be judged"));
	end_of_look();
}

/* A tree of pages that is not sound, as one that is being changed, does not tell that there is none. */
TEST(a_page_cache_that_is_not_sound_proves_nothing)
{
	u64 file;

	set_up_copy();
	set(node, F_XA_NODE_PARENT, 0x1234);
	/* the process's own copy may be the same */
	look();
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT_EQ(s->stats.broken, 1);
	EXPECT(strstr(logged(), "1 pages of code of process 10 cannot be judged"));
	forget();
	file = new_memfd();
	set_area(9, file, 5);
	set(inode_of(file), F_INODE_SIZE, 3 * 4096);
	set(inode_of(file), F_INODE_MAPPING, mapping);
	*own_entry() = 0;
	look();
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	forget();
	/* a page behind the last one of a sound tree is none */
	set(node, F_XA_NODE_PARENT, 0);
	set(slots(has_.leaf)[9], F_VMA_OFFSET, 64);
	set(inode_of(file), F_INODE_SIZE, 1 << 20);
	expect_clean();
	tear_down_image();
}

/* No word of it is the same twice. */
static void count(u8 *word)
{
	++*word;
	*at_pa(word_pa) += 1;
	write_image();
}

/* A process that maps and unmaps all the time is there, and is judged. */
TEST(a_process_whose_areas_change_is_not_gone)
{
	struct doca_apsh_process *ten;
	struct doca_apsh_vad **areas;

	set_up_copy();
	((u8 *)at_va(has_.page))[4095] ^= 1;
	s = started_system();
	ten = process_of(s, 10);
	act_on(s, field_va(has_.mm, F_MM_COUNT), count);
	logged();
	OK(doca_apsh_injection_detect_get(ten, &found, &nr));
	EXPECT_EQ(nr, 1);
	EXPECT_SILENT();
	doca_apsh_injection_detect_free(found);
	EXPECT_EQ(doca_apsh_vads_get(ten, &areas, &nr), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("the memory areas of process 10, \"ten\", changed whenever they were read");
	end();
}

/* Half of the budget is for the second look; what is found in the first half is reported. */
TEST(code_without_an_end_is_judged_in_part)
{
	u64 zeros;

	set_up_copy();
	zeros = pa_of(object(4096, 4096)) | 7;
	make_large(512, 7);
	for (int i = 1; i < 512; i++)
		own_entry()[i] = zeros;
	s = started_system();
	s->budget.bytes = 1 << 20;
	logged();
	OK(doca_apsh_injection_detect_get(process_of(s, 10), &found, &nr));
	ASSERT(nr == 1);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_END), USER_VA + 4096);
	EXPECT(s->stats.unjudged > 300 && s->stats.unjudged < 500);
	EXPECT_EQ(s->stats.unjudged, s->stats.unjudged);
	EXPECT_LOGGED("pages of code of process 10 were not looked at");
	end_of_look();
}

/* Return the address of the pages. */
static u64 map_full_pages(void)
{
	u64 pages;

	set_up_copy();
	make_large(512, 7);
	pages = object(512 * 4096, 4096);
	memset(at_va(pages), 2, 512 * 4096);
	for (u64 i = 0; i < 512; i++)
		own_entry()[i] = pa_of(pages + i * 4096) | 7;
	return pages;
}

/* The second look has to read as much as the first one, and its half suffices for that. */
TEST(more_code_than_the_budget_is_judged_in_part)
{
	static const u64 budgets[] = { 200 << 10, 256 << 10, 300 << 10, 333333, 400 << 10 };

	map_full_pages();
	for (size_t i = 0; i < ARRAY_SIZE(budgets); i++) {
		u64 pages;

		s = started_system();
		s->budget.bytes = budgets[i];
		logged();
		OK(doca_apsh_injection_detect_get(process_of(s, 10), &found, &nr));
		ASSERT(nr == 1);
		pages = (SUSPECT(found[0], SUSPECTED_AREA_END) - USER_VA) / 4096;
		EXPECT(pages > 10 && pages < 500);
		EXPECT_EQ(s->stats.unjudged, 512 - pages);
		EXPECT_EQ(s->stats.unjudged, 512 - pages);
		EXPECT_LOGGED("DOCA_APSH_BUDGET=MiB,s");
		forget();
	}
	tear_down_image();
}

static int reads_left;

static void be_late(u8 *word)
{
	(void)word;
	if (!--reads_left)
		clock_advance(60000000000);
}

/* Findings that were confirmed before the time was over are reported. */
TEST(a_second_look_that_takes_too_long_ends)
{
	struct doca_apsh_process *ten;

	u64 pages = map_full_pages();

	s = started_system();
	ten = process_of(s, 10);
	reads_left = 2;
	act_on(s, pages + 100 * 4096, be_late);
	logged();
	OK(doca_apsh_injection_detect_get(ten, &found, &nr));
	ASSERT(nr == 1);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_END), USER_VA + 101 * 4096);
	EXPECT_EQ(s->stats.unjudged, 411);
	EXPECT_EQ(s->stats.unjudged, 411);
	EXPECT_LOGGED("411 pages of code of process 10 were not looked at");
	end_of_look();
}

/* More places than may be reported are told. */
TEST(too_many_places_are_told)
{
	set_up_copy();
	make_large(40, 7);
	for (int i = 2; i < 40; i += 2)
		own_entry()[i] = own_entry()[0];
	s = started_system();
	s->limits[DOCA_APSH_VADS_LIMIT] = 10;
	logged();
	OK(doca_apsh_injection_detect_get(process_of(s, 10), &found, &nr));
	EXPECT_EQ(nr, 10);
	EXPECT(s->stats.cut);
	EXPECT(strstr(logged(), "more suspicious areas than the limit of 10"));
	end_of_look();
}
