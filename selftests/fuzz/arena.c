// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Steps that change the address space under registrations, and dma-bufs. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../lib/dmabuf.h"
#include "calls.h"
#include "language.h"

#define MOST_PAGES 32
#define HUGE_BYTES (2UL << 20)

/* Take pages of the arena alone: the program itself has to go on. */
static char *take_pages(const uint8_t *a, size_t *length)
{
	unsigned int page = a[0] % ARENA_PAGES;
	unsigned int n = a[1] % MOST_PAGES + 1;

	if (n > ARENA_PAGES - page)
		n = ARENA_PAGES - page;
	*length = n * PAGE_BYTES;
	return ARENA + page * PAGE_BYTES;
}

static int take_protection(uint8_t byte)
{
	static const int protections[] = {
		PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE, PROT_WRITE,
	};

	return protections[byte % 4];
}

/* Map a huge page, the whole arena and more, if there is one. */
static void map_huge(int flags, int protection)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_HUGETLB);

	if (!ftruncate(fd, HUGE_BYTES))
		mmap(ARENA, HUGE_BYTES, protection, flags, fd, 0);
	if (fd >= 0)
		close(fd);
}

/* Map anonymous memory, private or shared; a memfd; or this program's file. */
void do_arena_map(const uint8_t *a)
{
	int flags = MAP_FIXED, fd = -1;
	size_t length;
	char *at = take_pages(a, &length);

	switch (a[3] % 4) {
	case 0:
		flags |= MAP_PRIVATE | MAP_ANONYMOUS;
		break;
	case 1:
		flags |= MAP_SHARED | MAP_ANONYMOUS;
		break;
	case 2:
		flags |= a[4] & 1 ? MAP_PRIVATE : MAP_SHARED;
		if ((a[4] & 6) == 6)
			return map_huge(flags, take_protection(a[2]));
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		if (ftruncate(fd, a[5] * PAGE_BYTES / 2))
			break;
		break;
	case 3:
		flags |= MAP_PRIVATE;
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		break;
	}
	mmap(at, length, take_protection(a[2]), flags, fd, 0);
	if (fd >= 0)
		close(fd);
}

void do_arena_unmap(const uint8_t *a)
{
	size_t length;
	char *at = take_pages(a, &length);

	munmap(at, length);
}

void do_arena_protect(const uint8_t *a)
{
	size_t length;
	char *at = take_pages(a, &length);

	mprotect(at, length, take_protection(a[2]));
}

void do_arena_advise(const uint8_t *a)
{
	static const int advice[] = {
		MADV_DONTNEED, MADV_FREE, MADV_REMOVE, MADV_PAGEOUT,
		MADV_COLD, MADV_DONTFORK, MADV_WIPEONFORK, MADV_MERGEABLE,
	};
	size_t length;
	char *at = take_pages(a, &length);

	madvise(at, length, advice[a[2] % 8]);
}

void do_arena_move(const uint8_t *a)
{
	size_t length, other;
	char *from = take_pages(a, &length), *to = take_pages(&a[2], &other);

	mremap(from, length, other, MREMAP_MAYMOVE | MREMAP_FIXED, to);
}

/* Write a value that operations may wait for; leave unmapped memory alone. */
void do_arena_write(const uint8_t *a)
{
	uint64_t value = take_number(a[2]);
	int fd = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (pwrite(fd, &value, sizeof(value), (off_t)take_address(a)) < 0)
		errno = 0;
	close(fd);
}

void do_dmabuf(const uint8_t *a)
{
	static dmabuf_create_t *const exporters[] = {
		dmabuf_udmabuf, dmabuf_heap,
	};
	int fd = exporters[a[0] % 2]((a[1] % 16 + 1) * PAGE_BYTES, a[2] % 4 != 3);

	if (fd >= 0)
		recent_add(&self.dmabufs, fd);
}
