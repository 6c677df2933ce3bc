// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: where the kernel is, when nobody says so. */
#include <time.h>

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define MIB (1ULL << 20)
#define LARGE_PAGE (2 * MIB)

enum { PLACES = 20, MS = 50 };

/* Physical places and virtual ones are drawn each for itself: so are these. */
static u64 text_pa_of(u32 i)
{
	u64 pages = (WIDE_SIZE - IMAGE_SIZE - TEXT_SIZE) / LARGE_PAGE;

	return IMAGE_SIZE + pages * i / (PLACES - 1) * LARGE_PAGE;
}

static u64 text_va_of(u32 i)
{
	u64 pages = (KERNEL_IMAGE_SIZE - 16 * MIB - TEXT_SIZE) / LARGE_PAGE;

	return START_KERNEL_MAP + 16 * MIB +
	       pages * (i * 7 % PLACES) / (PLACES - 1) * LARGE_PAGE;
}

/*
 * As files of a kernel's image are in memory: where its banner would be there is one, so
 * that each place must be looked at, and none may be taken.
 */
static void write_decoys(void)
{
	int fd = open(image.ram, O_WRONLY);

	for (u64 pa = IMAGE_SIZE; pa < image.size; pa += LARGE_PAGE) {
		u64 at = pa + image_at[S_linux_banner];

		if (pa >= image.text_pa && pa < image.text_pa + TEXT_SIZE)
			continue;
		if (pwrite(fd, BANNER, sizeof(BANNER), (off_t)at) !=
		    sizeof(BANNER))
			abort();
	}
	close(fd);
}

static u64 cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* It is found again, with the map and all at hand. */
static u64 ns_of_finding(struct doca_apsh_system *s, struct kernel *kernel)
{
	struct find_hints hints = { .window = 4096, .step = 4096 };
	u64 start = cpu_ns();
	struct view v;

	*kernel = (struct kernel){ .map = s->kernel.map };
	view_begin(&v, &s->source, &s->regions, kernel, &s->budget);
	OK(kernel_find(kernel, &v, &hints));
	EXPECT(v.stats.granules <= 5 * (WIDE_SIZE / LARGE_PAGE));
	view_end(&v);
	return cpu_ns() - start;
}

static void find_at(u32 i)
{
	struct doca_apsh_system *s;
	struct kernel kernel;
	u64 ns;

	set_up_moved_image(4 + i % 2, WIDE_SIZE, text_pa_of(i), text_va_of(i));
	new_task(1, 1, "init");
	write_image();
	write_decoys();
	s = new_system();
	OK(doca_apsh_system_start(s));
	ns = ns_of_finding(s, &kernel);
	EXPECT_STR(kernel.found, "its banner");
	EXPECT_EQ(kernel.levels, image.levels);
	EXPECT_EQ(kernel.text_pa, image.text_pa);
	EXPECT_EQ(kernel.delta, image.text_va - MAP_TEXT);
	EXPECT_EQ(kernel.page_offset, image.direct);
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	doca_apsh_processes_free(processes);
#ifdef __SANITIZE_ADDRESS__ /* others are slower by far */
	if (ns > MS * 1000000ULL)
		KTAP_SAY_("%lu us at %#lx", ns / 1000, image.text_pa);
#else
	(void)ns;
#endif
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(a_kernel_is_found_wherever_it_is)
{
	for (u32 i = 0; i < PLACES; i++)
		find_at(i);
}
