// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Ranges of addresses, in whole pages. */
#include <sys/mman.h>
#include <unistd.h>

#include "dm.h"

size_t whole_pages(size_t length)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (length + page - 1) / page * page;
}

void *reserve(size_t length, size_t align)
{
	size_t page = sysconf(_SC_PAGESIZE);
	size_t room = whole_pages(length) + align - page;
	uintptr_t first, addr;
	void *p;

	p = mmap(NULL, room, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	first = (uintptr_t)p;
	addr = (first + align - 1) / align * align;
	if (addr > first)
		munmap(p, addr - first);
	if (addr + whole_pages(length) < first + room)
		munmap((void *)(addr + whole_pages(length)),
		       first + room - addr - whole_pages(length));
	return (void *)addr;
}
