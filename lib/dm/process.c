// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Device memory of the process alone, for machines without doca.ko: a memfd for
 * each allocation, and a limit for each device. The caller holds the lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dm.h"

#define POOL_SIZE ((uint64_t)16 << 20)

struct device {
	struct device *next;
	uint32_t id;
	uint64_t used;
	uint32_t nr;
	char name[];
};

/* An allocation; a handle names it. */
struct area {
	struct list link;
	struct device *device;
	uint32_t handle;
	unsigned int imports;
	void *addr;
	size_t length;
};

static struct device *devices;
static struct list areas = { &areas, &areas };
static uint32_t last_handle;
static unsigned int forks; /* forks_seen at the last drop_parents() */

/* A parent's memory is not mapped in a child, so all of the child's pools are free. */
static void drop_parents(void)
{
	struct list *pos = areas.next;
	struct device *device;
	struct area *area;

	if (forks == forks_seen)
		return;
	forks = forks_seen;
	for (device = devices; device; device = device->next) {
		device->used = 0;
		device->nr = 0;
	}
	while (pos != &areas) {
		area = list_entry(pos, struct area, link);
		pos = pos->next;
		free(area);
	}
	list_init(&areas);
}

static int process_device_id(const char *name, uint32_t *id)
{
	struct device *device = devices;

	while (device && strcmp(device->name, name))
		device = device->next;
	if (!device) {
		device = calloc(1, sizeof(*device) + strlen(name) + 1);
		if (!device)
			return -ENOMEM;
		strcpy(device->name, name);
		device->id = devices ? devices->id + 1 : 1;
		device->next = devices;
		devices = device;
	}
	*id = device->id;
	return 0;
}

/* A device keeps its id for ever. */
static struct device *device_of(uint32_t id)
{
	struct device *device = devices;

	while (device->id != id)
		device = device->next;
	return device;
}

static int process_query(uint32_t id, struct pool *pool)
{
	const struct device *device = device_of(id);

	drop_parents();
	*pool = (struct pool){
		.size = POOL_SIZE,
		.free = POOL_SIZE - device->used,
		.nr = device->nr,
	};
	return 0;
}

/* Map zeroed and populated memory, like a device's. Children do not inherit it. */
static int map_memfd(void *at, size_t length)
{
	int fd = memfd_create("doca-dm", MFD_CLOEXEC);
	void *p = MAP_FAILED;
	int err;

	if (fd >= 0 && !ftruncate(fd, length))
		p = mmap(at, length, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0);
	err = p == MAP_FAILED ? -errno : 0;
	if (fd >= 0)
		close(fd);
	if (!err && madvise(at, length, MADV_DONTFORK))
		err = -errno;
	return err;
}

static int process_alloc(uint32_t id, size_t length, size_t align,
			 struct chunk *chunk)
{
	struct device *device = device_of(id);
	size_t size = whole_pages(length);
	struct area *area;
	int err;

	drop_parents();
	if (length > POOL_SIZE || size > POOL_SIZE - device->used)
		return -ENOSPC;
	area = calloc(1, sizeof(*area));
	if (!area)
		return -ENOMEM;
	area->addr = reserve(length, align);
	if (!area->addr) {
		err = -errno;
		free(area);
		return err;
	}
	err = map_memfd(area->addr, size);
	if (err) {
		munmap(area->addr, size);
		free(area);
		return err;
	}
	area->device = device;
	area->handle = ++last_handle;
	area->length = length;
	list_add_tail(&areas, &area->link);
	device->used += size;
	device->nr++;
	*chunk = (struct chunk){
		.addr = area->addr,
		.length = length,
		.handle = area->handle,
	};
	return 0;
}

static struct area *area_of(uint32_t handle)
{
	struct list *pos;

	list_for_each(pos, &areas) {
		struct area *area = list_entry(pos, struct area, link);

		if (area->handle == handle)
			return area;
	}
	return NULL;
}

/* Handles of other processes name nothing here. */
static int process_import(uint32_t id, uint32_t handle, struct chunk *chunk)
{
	struct area *area;

	drop_parents();
	area = area_of(handle);
	if (!area || area->device->id != id)
		return -ENOENT;
	area->imports++;
	*chunk = (struct chunk){
		.addr = area->addr,
		.length = area->length,
		.id = 1, /* not the owner's id */
		.handle = handle,
	};
	return 0;
}

static int process_free(struct chunk *chunk)
{
	struct area *area = area_of(chunk->handle);
	size_t size = whole_pages(area->length);

	if (chunk->id) {
		area->imports--;
		return 0;
	}
	if (area->imports)
		return -EBUSY;
	munmap(area->addr, size);
	area->device->used -= size;
	area->device->nr--;
	list_del(&area->link);
	free(area);
	return 0;
}

const struct backend process_backend = {
	.name = "process",
	.others = "all are of this process",
	.device_id = process_device_id,
	.query = process_query,
	.alloc = process_alloc,
	.import = process_import,
	.free = process_free,
};
