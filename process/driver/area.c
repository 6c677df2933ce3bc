// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory of queues (kernel/area.h). It has one address, at which the driver and the program use it.
 * A mapping keeps its file, and so the area.
 */
#include <sys/mman.h>

#include "shim/kernel.h"

#include "area.h"

struct doca_area_pages {
	size_t size;
	bool mapped; /* else it is from the heap */
	int fd; /* descriptor of shared memory; -1 */
};

/*
 * Memory of which pages behind the first ones exist when they are touched. Huge pages would be
 * many at once. The first ones are made here, in one call, which is faster than by faults: the
 * first submissions shall not have to.
 */
static void *map_zeroed(size_t size, size_t there)
{
	void *addr = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (addr == MAP_FAILED)
		return NULL;
	madvise(addr, size, MADV_NOHUGEPAGE);
	if (madvise(addr, PAGE_ALIGN(there), MADV_POPULATE_WRITE))
		memset(addr, 0, there);
	return addr;
}

static void *heap_zeroed(size_t size)
{
	void *addr = aligned_alloc(PAGE_SIZE, size);

	return addr ? memset(addr, 0, size) : NULL;
}

int doca_area_alloc(struct doca_area *area, size_t size, size_t there)
{
	struct doca_area_pages *pages = calloc(1, sizeof(*pages));

	if (!pages)
		return -ENOMEM;
	pages->size = PAGE_ALIGN(size);
	pages->fd = -1;
	pages->mapped = current->shares || PAGE_ALIGN(there) < pages->size;
	if (current->shares)
		area->addr = inproc_share(pages->size, &pages->fd);
	else if (pages->mapped)
		area->addr = map_zeroed(pages->size, there);
	else
		area->addr = heap_zeroed(pages->size);
	if (!area->addr) {
		free(pages);
		return -ENOMEM;
	}
	area->pages = pages;
	area->nr_pages = pages->size >> PAGE_SHIFT;
	return 0;
}

void doca_area_free(struct doca_area *area)
{
	if (area->pages->mapped)
		munmap(area->addr, area->pages->size);
	else
		free(area->addr);
	inproc_area_unshare(area);
	free(area->pages);
}

const void *doca_area_at(const struct doca_area *area, size_t offset)
{
	return area->addr + offset;
}

int doca_area_mmap(const struct doca_area *area, struct vm_area_struct *vma)
{
	if (vma_pages(vma) != area->nr_pages)
		return -EINVAL;
	vma->vm_start = (uintptr_t)area->addr;
	vma->vm_end = vma->vm_start + area->pages->size;
	return 0;
}

/* Never called: pages come by themselves. */
vm_fault_t doca_area_fault(struct vm_fault *vmf)
{
	return VM_FAULT_SIGBUS;
}

int inproc_area_fd(const struct doca_area *area)
{
	return area->pages->fd;
}

void inproc_area_unshare(struct doca_area *area)
{
	if (area->pages->fd >= 0)
		close(area->pages->fd);
	area->pages->fd = -1;
}
