// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <sys/mman.h>

#include "data/msg.h"
#include "data/region.h"

#define MIB (1024 * 1024)

int region_alloc(struct region *region, size_t len)
{
	void *addr = mmap(NULL, len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (addr == MAP_FAILED)
		return fail_errno("cannot allocate %zu MiB", len / MIB);
	/* Larger pages are faster to pin. */
	madvise(addr, len, MADV_HUGEPAGE);
	region->addr = addr;
	region->len = len;
	region->mmap = NULL;
	return 0;
}

int region_open(struct region *region, struct doca_dev *dev, uint32_t access)
{
	doca_error_t err;

	err = doca_mmap_create(&region->mmap);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a memory map");
	err = doca_mmap_set_memrange(region->mmap, region->addr, region->len);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(region->mmap, access);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(region->mmap, dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(region->mmap);
	if (err == DOCA_SUCCESS)
		return 0;
	fail_doca(err, "cannot register %zu bytes of memory with the device",
		  region->len);
	if (err == DOCA_ERROR_NO_MEMORY)
		hint("If RLIMIT_MEMLOCK is the reason, raise it with 'ulimit -l' or LimitMEMLOCK=; see doca(4).");
	doca_mmap_destroy(region->mmap);
	region->mmap = NULL;
	return -1;
}

void region_free(struct region *region)
{
	if (region->mmap)
		doca_mmap_destroy(region->mmap);
	if (region->addr)
		munmap(region->addr, region->len);
	*region = (struct region){ 0 };
}
