// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Pages of the driver, and memory that it shares. */
#include <sys/mman.h>

#include "shim/kernel.h"

/* Memory that vm_map_pages() has made: it lasts as long as any of its pages. */
struct block {
	unsigned long refs;
	void *addr;
};

struct page {
	struct kref ref;
	struct block *block;
	void *addr;
};

const char *inproc_poison;

static struct user_struct the_user;

struct page *alloc_page(int gfp)
{
	struct page *page = calloc(1, sizeof(*page));

	if (page)
		kref_init(&page->ref);
	return page;
}

static void block_put(struct block *block)
{
	if (__atomic_sub_fetch(&block->refs, 1, __ATOMIC_ACQ_REL))
		return;
	free(block->addr);
	free(block);
}

static void page_release(struct kref *ref)
{
	struct page *page = container_of(ref, struct page, ref);

	if (page->block)
		block_put(page->block);
	free(page);
}

void get_page(struct page *page)
{
	kref_get(&page->ref);
}

int page_ref_count(const struct page *page)
{
	return kref_read(&page->ref);
}

void put_page(struct page *page)
{
	kref_put(&page->ref, page_release);
}

void *inproc_share(size_t size, int *fd)
{
	void *addr;

	*fd = memfd_create("doca", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0)
		return NULL;
	addr = ftruncate(*fd, size) ? MAP_FAILED :
				      mmap(NULL, size, PROT_READ | PROT_WRITE,
					   MAP_SHARED, *fd, 0);
	if (addr == MAP_FAILED) {
		close(*fd);
		*fd = -1;
		return NULL;
	}
	/* A child has a driver of its own. */
	madvise(addr, size, MADV_DONTFORK);
	return addr;
}

/* Since Linux 5.1. Without the seal others could write as well; it is not read back. */
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x10
#endif

int inproc_seal(int fd, bool readonly)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;

	if (readonly &&
	    !fcntl(fd, F_ADD_SEALS, seals | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL))
		return 0;
	return fcntl(fd, F_ADD_SEALS, seals | F_SEAL_SEAL) ? -errno : 0;
}

/* Give pages an address, one behind the other. */
static bool block_make(struct page **pages, unsigned long nr)
{
	struct block *block = malloc(sizeof(*block));
	unsigned long i;

	if (!block)
		return false;
	block->refs = nr;
	block->addr = aligned_alloc(PAGE_SIZE, nr * PAGE_SIZE);
	if (!block->addr) {
		free(block);
		return false;
	}
	memset(block->addr, 0, nr * PAGE_SIZE);
	for (i = 0; i < nr; i++) {
		pages[i]->block = block;
		pages[i]->addr = block->addr + i * PAGE_SIZE;
	}
	return true;
}

/* Return the driver's own address, whatever the protection: each page has only one. */
int vm_map_pages(struct vm_area_struct *vma, struct page **pages,
		 unsigned long nr)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	unsigned long i;

	/* They have no address before: the driver does not use them itself. */
	if (!pages[0]->block && !block_make(pages, nr))
		return -ENOMEM;
	vma->pages = reallocarray(NULL, nr, sizeof(*pages));
	if (!vma->pages)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		kref_get(&pages[i]->ref);
		vma->pages[i] = pages[i];
	}
	vma->vm_start = (uintptr_t)pages[0]->addr;
	vma->vm_end = vma->vm_start + size;
	return 0;
}

struct user_struct *current_user(void)
{
	return &the_user;
}

int copy_struct_from_user(void *to, size_t ksize, const void *from,
			  size_t usize)
{
	const char *tail = from;
	size_t i;

	for (i = ksize; i < usize; i++)
		if (tail[i])
			return -E2BIG;
	memcpy(to, from, min(ksize, usize));
	return 0;
}
