/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A target with a page of code at USER_VA, which may be suspicious. */
#ifndef DOCA_TESTS_APSH_SUSPECT_H
#define DOCA_TESTS_APSH_SUSPECT_H

#include "apsh_content.h"

#define SUSPECT(o, attr) doca_apsh_injection_detect_info_get(o, DOCA_APSH_INJECTION_DETECT_##attr)

enum { PRIVATE = 1 };

static struct doca_apsh_injection_detect **found;

/* The second of three pages of the program is mapped at USER_VA, and has been written to. */
static inline void set_up_copy(void)
{
	u64 area;

	begin(3 * 4096);
	new_pages(0, 3, 1);
	area = new_area(has_.mm, has_.leaf, 9, USER_VA, USER_VA + 4096, 5, has_.exe);
	pivots(has_.leaf)[10] = UINT64_MAX;
	set(area, F_VMA_OFFSET, 1);
	set(page_struct(has_.page), F_PAGE_MAPPING, PRIVATE);
	memset(at_va(has_.page), 2, 4096);
}

/* Let the area have that many pages and nothing but memory; the first one is mapped. */
static inline void make_large(int pages, u64 flags)
{
	u64 area = slots(has_.leaf)[9];

	set_area(9, 0, flags);
	set(area, F_VMA_END, USER_VA + pages * 4096);
	pivots(has_.leaf)[9] = USER_VA + pages * 4096 - 1;
}

enum { TMPFS_MAGIC = 0x01021994 };

/* A file in memory without a path. */
static inline u64 new_memfd(void)
{
	u64 dentry = new_dentry(root_dentry, "memfd:x");

	set(dentry, F_DENTRY_PPREV, 0);
	set(*(u64 *)at_va(field_va(dentry, F_DENTRY_SB)), F_SB_MAGIC, TMPFS_MAGIC);
	return new_file(dentry, 0100777);
}

/* Map another page behind that, and return its address. */
static inline u64 map_next(int slot_, u64 flags)
{
	u64 page = object(4096, 4096);

	own_entry()[1] = pa_of(page) | 7;
	new_area(has_.mm, has_.leaf, slot_, USER_VA + 4096, USER_VA + 2 * 4096, flags, 0);
	set(page_struct(page), F_PAGE_MAPPING, PRIVATE);
	return page;
}

static inline void look(void)
{
	s = started_system();
	logged();
	OK(doca_apsh_injection_detect_get(process_of(s, 10), &found, &nr));
}

/* Drop everything but the image. */
static inline void forget(void)
{
	doca_apsh_injection_detect_free(found);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
}

static inline void end_of_look(void)
{
	doca_apsh_injection_detect_free(found);
	end();
}

static inline void expect_clean(void)
{
	look();
	EXPECT_EQ(nr, 0);
	EXPECT(!found);
	EXPECT_SILENT();
	forget();
}

/* One page at USER_VA is suspicious, and nothing else. */
static inline void expect_one(const char *tag, const char *path)
{
	look();
	ASSERT(nr == 1);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_START), USER_VA);
	EXPECT_EQ(SUSPECT(found[0], SUSPECTED_AREA_END), USER_VA + 4096);
	EXPECT_STR(SUSPECT(found[0], VAD_TAG), tag);
	EXPECT_STR(SUSPECT(found[0], VAD_FILE_PATH), path);
	EXPECT_SILENT();
	forget();
}

static inline void expect_unjudged(void)
{
	look();
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(s->stats.unjudged, 1);
	EXPECT_LOGGED("1 pages of code of process 10 cannot be judged");
	forget();
}

#endif /* DOCA_TESTS_APSH_SUSPECT_H */
