/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The machine's pool of huge pages of 2 MiB */
#ifndef SELFTESTS_UAPI_HUGETLB_H
#define SELFTESTS_UAPI_HUGETLB_H

#include <linux/mman.h>
#include <stdio.h>

#define HUGETLB_POOL \
	"/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"

static inline long hugetlb_pool(void)
{
	FILE *f = fopen(HUGETLB_POOL, "r");
	long pages = 0;

	if (f) {
		if (fscanf(f, "%ld", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return pages;
}

/* The pool may become smaller than @pages, where memory is fragmented */
static inline void hugetlb_set_pool(long pages)
{
	FILE *f = fopen(HUGETLB_POOL, "w");

	if (f) {
		fprintf(f, "%ld\n", pages);
		fclose(f);
	}
}

#endif
