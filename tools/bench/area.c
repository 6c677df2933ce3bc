// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "area.h"
#include "msg.h"

#define HUGE_PAGE ((size_t)2 << 20)

/*
 * The gap between the halves. Caches and TLBs, above all those of emulators, are
 * indexed by the low bits of addresses. If source and destination were a power of
 * two apart, they would evict each other, and all figures would show that.
 */
#define GAP ((size_t)17 * 4096)

/* No source byte is SPOILT. */
#define SPOILT 0xff

static size_t round_up(size_t value)
{
	return (value + HUGE_PAGE - 1) & -HUGE_PAGE;
}

int area_open(struct area *area, size_t half)
{
	uint8_t *addr, *aligned;
	size_t length, i;

	area->half = round_up(half);
	length = round_up(2 * area->half + GAP);
	addr = mmap(NULL, length + HUGE_PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (addr == MAP_FAILED)
		return fail_errno(errno, "cannot allocate %zu MiB",
				  length >> 20);
	aligned = (uint8_t *)round_up((uintptr_t)addr);
	if (aligned != addr)
		munmap(addr, aligned - addr);
	if (aligned != addr + HUGE_PAGE)
		munmap(aligned + length, addr + HUGE_PAGE - aligned);
	madvise(aligned, length, MADV_HUGEPAGE);
	area->src = aligned;
	area->dst = aligned + area->half + GAP;
	area->length = length;
	for (i = 0; i < area->half; i++)
		area->src[i] = i % 251;
	memset(area->dst, SPOILT, area->half);
	return 0;
}

void area_close(struct area *area)
{
	munmap(area->src, area->length);
}

unsigned int area_slots(const struct area *area, const struct load *load)
{
	if (!load->size)
		return 1;
	if (load->depth > area->half / load->size)
		return area->half / load->size;
	return load->depth;
}

void area_spoil(const struct area *area, const struct load *load)
{
	memset(area->dst, SPOILT, load->size * area_slots(area, load));
}

int area_check(const struct area *area, const struct load *load)
{
	if (memcmp(area->src, area->dst, load->size * area_slots(area, load)))
		return fail("copies of %zu bytes are wrong", load->size);
	return 0;
}
