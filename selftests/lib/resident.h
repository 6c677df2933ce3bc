/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory that is there, in pages: what was never touched is not. */
#ifndef SELFTESTS_RESIDENT_H
#define SELFTESTS_RESIDENT_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define PAGEMAP_PRESENT (1ULL << 63)

/* Count the pages of a range that are there; -1 if the kernel does not tell. */
static inline long resident_pages(const void *from, size_t length)
{
	size_t page = sysconf(_SC_PAGESIZE), i;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	long n = fd < 0 ? -1 : 0;
	uint64_t entry;

	for (i = 0; n >= 0 && i < length / page; i++) {
		if (pread(fd, &entry, sizeof(entry),
			  ((uintptr_t)from / page + i) * sizeof(entry)) != sizeof(entry))
			n = -1;
		else
			n += !!(entry & PAGEMAP_PRESENT);
	}
	if (fd >= 0)
		close(fd);
	return n;
}

/* Return all memory of the process that no file has, in bytes; -1 if the kernel does not tell. */
static inline long resident_bytes(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	char line[256];
	long kib = -1;

	while (file && kib < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "Anonymous: %ld", &kib);
	if (file)
		fclose(file);
	return kib < 0 ? kib : kib << 10;
}

#endif
