// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* A listing of a ring, and how much of the ring it reads. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <linux/doca.h>
#include <linux/sizes.h>

#include "inner.h"
#include "ktap.h"
#include "queue.h"

static void announce(struct doca_ring *ring, u32 index)
{
	ring->sq[index & (ring->sq_entries - 1)].phase =
		DOCA_RING_PHASE(index, ilog2(ring->sq_entries));
}

/* From each place in the ring, and where indices wrap. */
static void expect_any_number(u32 entries)
{
	struct doca_ring ring = { .sq_entries = entries };
	u32 head, n;

	for (head = -2 * entries; head != 2 * entries; head++) {
		ring.sq = calloc(entries, sizeof(*ring.sq));
		ASSERT(ring.sq);
		for (n = 1; head >= entries && n <= entries; n++)
			announce(&ring, head - n);
		for (n = 0; n < entries; n++) {
			EXPECT_EQ(doca_ring_sq_waiting(&ring, head), n);
			announce(&ring, head + n);
		}
		EXPECT_EQ(doca_ring_sq_waiting(&ring, head), entries);
		free(ring.sq);
	}
}

TEST(all_that_wait_are_counted)
{
	expect_any_number(1);
	expect_any_number(2);
	expect_any_number(64);
}

TEST(none_waits_behind_one_that_is_not_announced)
{
	struct doca_sqe sq[8] = {};
	struct doca_ring ring = { .sq = sq, .sq_entries = 8 };

	announce(&ring, 1);
	announce(&ring, 2);
	announce(&ring, 7);
	EXPECT_EQ(doca_ring_sq_waiting(&ring, 0), 0);
}

static volatile unsigned int pages_read;

/* Count each page once. */
static void count_page(int sig, siginfo_t *info, void *context)
{
	pages_read++;
	mprotect((void *)((uintptr_t)info->si_addr & PAGE_MASK), PAGE_SIZE, PROT_READ);
}

/* A user may have entries in 256 MiB, and a listing holds a lock. */
TEST(a_listing_looks_at_few_of_them)
{
	const size_t size = DOCA_RING_MAX_ENTRIES * sizeof(struct doca_sqe);
	struct sigaction count = { .sa_sigaction = count_page, .sa_flags = SA_SIGINFO };
	struct doca_ring ring = { .sq_entries = DOCA_RING_MAX_ENTRIES };
	struct sigaction was;
	u32 n;

	ring.sq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT(ring.sq != MAP_FAILED);
	for (n = 0; n < ring.sq_entries; n++)
		announce(&ring, n);
	ASSERT(!mprotect(ring.sq, size, PROT_NONE));
	ASSERT(!sigaction(SIGSEGV, &count, &was));
	EXPECT_EQ(doca_ring_sq_waiting(&ring, 0), DOCA_RING_MAX_ENTRIES);
	ASSERT(!sigaction(SIGSEGV, &was, NULL));
	EXPECT(pages_read > 0);
	EXPECT(pages_read <= 17);
	munmap(ring.sq, size);
}
