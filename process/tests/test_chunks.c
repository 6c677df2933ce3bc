// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The table of a range's addresses. Ranges of all sizes, with pages in contiguous runs of
 * all lengths, are added piece by piece. Each byte must be found where it is, and the
 * chunks must be as large as possible.
 */
#include "any.h"
#include "chunks.h"
#include "ktap.h"

#define ROUNDS 400
#define MAX_PAGES 5000
#define MAX_SHIFT 30
#define HUGE_PAGES 512UL

static unsigned long places[MAX_PAGES]; /* address of each page */

/* Make runs that begin and end anywhere, or where huge pages do. */
static void place_pages(unsigned long start, unsigned long nr)
{
	unsigned long page = start >> PAGE_SHIFT, i, at = 0, left = 0;
	bool huge = any(2);
	u32 longest = 1U << any(14);

	for (i = 0; i < nr; i++) {
		if (!left--) {
			at = (1 + any(1 << 20)) * HUGE_PAGES;
			left = any(longest);
			if (huge) {
				at += (page + i) % HUGE_PAGES;
				left = HUGE_PAGES * (1 + any(3)) - 1 - (page + i) % HUGE_PAGES;
			}
		}
		places[i] = at++ << PAGE_SHIFT;
	}
}

/* Add the range in as many pieces as it has runs, or more. */
static bool add_all(struct doca_chunks *chunks, unsigned long nr)
{
	unsigned long done = 0, run, most;

	while (done < nr) {
		most = min(nr - done, 1UL + any(2000));
		for (run = 1; run < most; run++)
			if (places[done + run] != places[done] + (run << PAGE_SHIFT))
				break;
		if (doca_chunks_add(chunks, chunks->start + (done << PAGE_SHIFT), run << PAGE_SHIFT,
				    (void *)places[done]))
			return false;
		done += run;
	}
	return true;
}

static unsigned long place_of(const struct doca_chunks *chunks, unsigned long addr)
{
	unsigned long offset = addr - chunks->start;

	return places[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

static bool each_page_is_found(const struct doca_chunks *chunks)
{
	unsigned long addr, end, contig;

	for (addr = chunks->start; addr - 1 != chunks->last; addr += PAGE_SIZE) {
		unsigned long some = addr + any(PAGE_SIZE);

		if ((uintptr_t)doca_chunks_addr(chunks, some) != place_of(chunks, some))
			return false;
		contig = min(doca_chunks_contig(chunks, some), chunks->last - some + 1);
		end = some + contig - 1;
		if (place_of(chunks, end) != place_of(chunks, some) + contig - 1)
			return false;
	}
	return true;
}

/* With chunks of twice the size, one would not be contiguous. */
static bool chunks_are_large(const struct doca_chunks *chunks)
{
	unsigned long addr, size = 1UL << chunks->shift;

	if (chunks->shift == MAX_SHIFT)
		return true;
	for (addr = (chunks->start | (size - 1)) + 1; addr && addr <= chunks->last; addr += size)
		if (addr & size && place_of(chunks, addr) != place_of(chunks, addr - 1) + 1)
			return true;
	return false;
}

TEST(each_byte_is_found_where_it_is)
{
	unsigned int shifts[MAX_SHIFT + 1] = {};
	int i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned long nr = 1 + any(1U << any(13)) % MAX_PAGES;
		unsigned long start = (unsigned long)(1 + any(1 << 30)) << PAGE_SHIFT;
		struct doca_chunks chunks;

		place_pages(start, nr);
		ASSERT(!doca_chunks_init(&chunks, start, nr << PAGE_SHIFT));
		EXPECT(add_all(&chunks, nr));
		EXPECT(each_page_is_found(&chunks));
		EXPECT(chunks_are_large(&chunks));
		shifts[chunks.shift]++;
		doca_chunks_free(&chunks);
	}
	EXPECT(shifts[PAGE_SHIFT] && shifts[21] && shifts[MAX_SHIFT]);
}

/* Like a dma-buf's exporter: no address needs to be the beginning of a page. */
TEST(a_range_may_be_anywhere)
{
	static const struct {
		unsigned long start, length;
	} ranges[] = {
		{ 0, 1 },
		{ 0, 4UL << 30 },
		{ 5, 3UL << 30 },
		{ (1UL << 30) - 1, 2 },
		{ -(3UL << 30) - 7, 2UL << 30 },
		{ -(1UL << 12) - 100, 100 },
	};
	char *at = (char *)(1UL << 40);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		unsigned long start = ranges[i].start;
		unsigned long length = ranges[i].length;
		struct doca_chunks chunks;

		ASSERT(!doca_chunks_init(&chunks, start, length));
		EXPECT(!doca_chunks_add(&chunks, start, length, at));
		EXPECT(doca_chunks_addr(&chunks, start) == at);
		EXPECT(doca_chunks_addr(&chunks, start + length / 2) == at + length / 2);
		EXPECT(doca_chunks_addr(&chunks, start + length - 1) == at + length - 1);
		EXPECT_EQ(chunks.shift, MAX_SHIFT);
		doca_chunks_free(&chunks);
	}
}

/* A table that is too large to be made leaves the old one as it is. */
TEST(too_large_a_table)
{
	char *at = (char *)(1UL << 40);
	struct doca_chunks chunks;

	EXPECT_EQ(doca_chunks_init(&chunks, 0, -PAGE_SIZE), -ENOMEM);

	ASSERT(!doca_chunks_init(&chunks, 0, 1UL << 41));
	EXPECT(!doca_chunks_add(&chunks, 0, PAGE_SIZE, at));
	EXPECT_EQ(doca_chunks_add(&chunks, PAGE_SIZE, PAGE_SIZE, at), -ENOMEM);
	EXPECT(doca_chunks_addr(&chunks, 1) == at + 1);
	doca_chunks_free(&chunks);
}
