// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: finding a kernel without hints. */
#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define MIB (1ULL << 20)
#define LARGE_PAGE (2 * MIB)

enum { PLACES = 6 };

/* Physical and virtual addresses are random independently, so test them independently. */
static u64 text_pa_of(u32 i)
{
	u64 pages = (WIDE_SIZE - IMAGE_SIZE - TEXT_SIZE) / LARGE_PAGE;

	return IMAGE_SIZE + pages * i / (PLACES - 1) * LARGE_PAGE;
}

static u64 text_va_of(u32 i)
{
	u64 pages = (KERNEL_IMAGE_SIZE - 16 * MIB - TEXT_SIZE) / LARGE_PAGE;

	return START_KERNEL_MAP + 16 * MIB + pages * (i * 7 % PLACES) / (PLACES - 1) * LARGE_PAGE;
}

/*
 * Put a banner at every possible place, like copies of a kernel's image in memory: each
 * place must be checked, and none of these accepted.
 */
static void write_decoys(void)
{
	int fd = open(image.ram, O_WRONLY);

	for (u64 pa = IMAGE_SIZE; pa < image.size; pa += LARGE_PAGE) {
		u64 at = pa + image_at[S_linux_banner];

		if (pa >= image.text_pa && pa < image.text_pa + TEXT_SIZE)
			continue;
		if (pwrite(fd, BANNER, sizeof(BANNER), (off_t)at) != sizeof(BANNER))
			abort();
	}
	close(fd);
}

/* Anybody can write a banner into their own memory, with tables for its place. */
static void is_refused_with_another_at(u64 pa)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	memcpy(image.mem + pa, image.mem + TEXT_PA, TEXT_SIZE);
	image.text_pa = pa;
	set_up_tables();
	image.text_pa = TEXT_PA;
	write_image();
	s = new_system();
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("one of them is forged");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(a_forged_kernel_is_not_taken_for_that_which_runs)
{
	is_refused_with_another_at(0);
	is_refused_with_another_at(12 << 20);
}

static void is_flawed(const char *words)
{
	struct doca_apsh_system *s = new_system();

	write_image();
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
	doca_apsh_system_destroy(s);
	tear_down_image();
	set_up_image(4);
}

/* A banner that is there is not a kernel that is missing. */
TEST(a_banner_without_its_kernel_is_told)
{
	set_up_image(4);
	memset(at_va(symbol(S_init_top_pgt)), 0, PAGE);
	is_flawed("the map's kernel is at 0x400000, but its page tables do not map it");
	/* its own VMCOREINFO leads to the same place */
	sprintf(at_va(object(4096, 4096)),
		"OSRELEASE=6.66.0-test\n"
		"SYMBOL(swapper_pg_dir)=%llx\n"
		"NUMBER(phys_base)=0\n",
		TEXT_VA + 0x1000);
	*(u64 *)at_va(symbol(S_page_offset_base)) -= 1ULL << 39;
	is_flawed("is at 0x400000, but its page_offset_base is not where");
	set_text(field_va(symbol(S_init_task), F_TASK_COMM), "swapper/1");
	is_flawed("is at 0x400000, but its init_task is not the first");
	*(char *)at_va(symbol(S_linux_banner)) = 'l';
	is_flawed("is not in the memory that may be read");
	tear_down_image();
}

/* It is found with few reads when the map and all else is there. */
static void find_again(struct doca_apsh_system *s, struct kernel *kernel)
{
	struct find_hints hints = { 0 };
	struct view v;

	*kernel = (struct kernel){ .map = s->kernel.map };
	view_begin(&v, &s->source, &s->regions, kernel, &s->budget);
	OK(kernel_find(kernel, &v, &hints));
	EXPECT(v.stats.granules <= 5 * (WIDE_SIZE / LARGE_PAGE));
	view_end(&v);
}

static void find_at(u32 i)
{
	struct doca_apsh_system *s;
	struct kernel kernel;

	set_up_moved_image(4 + i % 2, WIDE_SIZE, text_pa_of(i), text_va_of(i));
	new_task(1, 1, "init");
	write_image();
	write_decoys();
	s = new_system();
	OK(doca_apsh_system_start(s));
	find_again(s, &kernel);
	EXPECT_STR(kernel.found, "its banner");
	EXPECT_EQ(kernel.levels, image.levels);
	EXPECT_EQ(kernel.text_pa, image.text_pa);
	EXPECT_EQ(kernel.delta, image.text_va - MAP_TEXT);
	EXPECT_EQ(kernel.page_offset, image.direct);
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(a_kernel_is_found_wherever_it_is)
{
	for (u32 i = 0; i < PLACES; i++)
		find_at(i);
}

static const struct source_ops *ops_of_file;
static u32 questions, last_question;
static struct view view;

/* Time is over after the last question. */
static bool count(struct source *s, u64 *pa, u64 *len)
{
	if (++questions == last_question)
		view.deadline = 0;
	return ops_of_file->next_data(s, pa, len);
}

/* Make the memory of a machine without any hole, as after a long time. */
static struct doca_apsh_system *without_a_hole(struct source_ops *counting)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	new_task(1, 1, "init");
	s = started_system();
	ops_of_file = s->source.ops;
	*counting = *ops_of_file;
	counting->next_data = count;
	s->source.ops = counting;
	return s;
}

/* Search for the kernel, or for another one, for which everything is searched in two ways. */
static doca_error_t find(struct doca_apsh_system *s, const struct regions *regions, bool another)
{
	struct find_hints hints = { 0 };
	struct kernel kernel = { .map = s->kernel.map };
	doca_error_t ret;

	kernel.map.banner[0] += another;
	questions = 0;
	logged();
	view_begin(&view, &s->source, regions, &kernel, &s->budget);
	ret = kernel_find(&kernel, &view, &hints);
	view_end(&view);
	last_question = 0;
	return ret;
}

/* The end of a piece of data is behind all of it, so repeated questions are slow. */
TEST(a_piece_of_data_is_asked_for_once)
{
	struct source_ops counting;
	struct doca_apsh_system *s = without_a_hole(&counting);

	OK(find(s, &s->regions, false));
	EXPECT_EQ(questions, 2); /* one for the data, one for more data */
	EXPECT_EQ(find(s, &s->regions, true), DOCA_ERROR_INITIALIZATION);
	EXPECT(questions <= 5);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Without regions nothing is read, so no read notices that time is over. */
/* With KASLR other maps of the kernel may begin soon behind it, as that of struct page. */
TEST(the_direct_map_ends_with_memory)
{
	for (int levels = 4; levels <= 5; levels++) {
		struct doca_apsh_system *s;
		struct view v;
		u64 pa, left;

		set_up_image(levels);
		s = started_system();
		view_begin(&v, &s->source, &s->regions, &s->kernel, &s->budget);
		EXPECT(view_translate(&v, NULL, image.direct + image.size - 8, &pa, &left));
		EXPECT_EQ(pa, image.size - 8);
		EXPECT_EQ(left, 8);
		EXPECT(!view_translate(&v, NULL, image.direct + (1ULL << 40), &pa, &left));
		view_end(&v);
		doca_apsh_system_destroy(s);
		tear_down_image();
	}
}

TEST(searches_end_by_their_budget)
{
	const struct regions none = { 0 };
	struct source_ops counting;
	struct doca_apsh_system *s = without_a_hole(&counting);

	last_question = 3; /* two for the banner, then the search for VMCOREINFO */
	EXPECT_EQ(find(s, &s->regions, true), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("was not found within");
	last_question = 1;
	EXPECT_EQ(find(s, &none, false), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("was not found within");
	EXPECT_EQ(questions, 1);
	s->budget = (struct view_budget){ .bytes = GRANULE, .ms = 10000 };
	EXPECT_EQ(find(s, &s->regions, false), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("was not found within 0 MiB and 10 s");
	doca_apsh_system_destroy(s);
	tear_down_image();
}
