// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <linux/mman.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/hist.h"
#include "bench/msg.h"
#include "pin.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* Return a value in KiB of a line of a file in /proc, or -1. */
static long proc_value(const char *path, const char *name)
{
	size_t length = strlen(name);
	char line[128];
	long value = -1;
	FILE *f = fopen(path, "re");

	while (f && value < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, length))
			sscanf(line + length, "%ld", &value);
	if (f)
		fclose(f);
	return value;
}

static long huge_kib(void)
{
	return proc_value("/proc/self/smaps_rollup", "AnonHugePages:");
}

/*
 * Return the pages that the kernel has not taken. Pages that each CPU keeps for its
 * next allocations count as free here; /proc/meminfo counts them as taken.
 */
static long free_pages(void)
{
	FILE *f = fopen("/proc/zoneinfo", "re");
	long all = 0, value;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " pages free %ld", &value) == 1 ||
		    sscanf(line, " count: %ld", &value) == 1)
			all += value;
	if (f)
		fclose(f);
	return all;
}

/* Align it to huge pages. */
static int map_area(struct pin_area *area)
{
	uint8_t *addr;

	area->mapped = area->length + HUGE_PAGE;
	addr = mmap(NULL, area->mapped, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (addr == MAP_FAILED)
		return -1;
	area->addr =
		(uint8_t *)(((uintptr_t)addr + HUGE_PAGE - 1) & -HUGE_PAGE);
	area->mapped -= area->addr - addr;
	if (area->addr != addr)
		munmap(addr, area->addr - addr);
	return 0;
}

/* If the size is not a multiple, the rest of the last page is there as well. */
static int map_hugetlb(struct pin_area *area)
{
	area->mapped = (area->length + HUGE_PAGE - 1) & -HUGE_PAGE;
	area->addr =
		mmap(NULL, area->mapped, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_2MB,
		     -1, 0);
	if (area->addr == MAP_FAILED)
		return 1;
	memset(area->addr, 1, area->length);
	return 0;
}

int pin_area_open(struct pin_area *area, size_t length, enum pages pages)
{
	long before = huge_kib();

	area->length = length;
	if (pages == PAGES_HUGETLB)
		return map_hugetlb(area);
	if (map_area(area))
		return fail_errno(errno, "cannot allocate %zu MiB",
				  length >> 20);
	madvise(area->addr, length,
		pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	memset(area->addr, 1, length);
	/* A few huge pages may be missing where memory is scarce. */
	if (pages == PAGES_SMALL ||
	    huge_kib() - before >= (long)(length >> 10) * 9 / 10)
		return 0;
	pin_area_close(area);
	return 1;
}

void pin_area_close(struct pin_area *area)
{
	munmap(area->addr, area->mapped);
}

/* Register and deregister in turn; only registration counts. */
int pin_run(struct way *way, struct meter *meter)
{
	struct pin_way *pw = container_of(way, struct pin_way, way);
	double end = clock_now() + meter->seconds;
	uint64_t before, after, spent = 0, nr = 0;
	long had, has, taken = 0;

	do {
		had = free_pages();
		before = clock_ns();
		if (pw->reg(pw))
			return -1;
		after = clock_ns();
		has = free_pages();
		pw->dereg(pw);
		hist_add(meter->times, after - before);
		spent += after - before;
		taken += had - has;
		nr++;
	} while (clock_now() < end);
	meter->rate = nr * 1e9 / spent;
	meter->kernel = (double)taken * getpagesize() / nr;
	return 0;
}
