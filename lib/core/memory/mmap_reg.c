// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps and the driver: the memory is pinned once, and mapped for each of
 * the devices, which gives the keys.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/driver/driver.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

#define WRITE_ACCESS                                                           \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)
#define LOCAL_ACCESS (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)

/*
 * Translate the program's permissions into the kernel's. Memory that is only
 * described for others still works locally, so it gets local access as well.
 */
static uint32_t kernel_access(uint32_t flags)
{
	static const struct {
		uint32_t flag;
		uint32_t access;
	} table[] = {
		{ DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, LOCAL_ACCESS },
		{ DOCA_ACCESS_FLAG_RDMA_READ,
		  LOCAL_ACCESS | DOCA_ACCESS_RDMA_READ },
		{ DOCA_ACCESS_FLAG_RDMA_WRITE,
		  LOCAL_ACCESS | DOCA_ACCESS_RDMA_WRITE },
		{ DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		  LOCAL_ACCESS | DOCA_ACCESS_RDMA_ATOMIC },
		{ DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		  LOCAL_ACCESS | DOCA_ACCESS_PCI_READ },
		{ DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		  LOCAL_ACCESS | DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE },
	};
	uint32_t access = DOCA_ACCESS_LOCAL_READ;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (flags & table[i].flag)
			access |= table[i].access;
	return access;
}

static const char *human(char *s, size_t size, uint64_t bytes)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = bytes;
	int i = 0;

	while (value >= 1024 && i < 4) {
		value /= 1024;
		i++;
	}
	snprintf(s, size, "%.*f %s", value == (uint64_t)value ? 0 : 1, value,
		 unit[i]);
	return s;
}

/* A dma-buf is held as a whole, so its size counts. */
static uint64_t pinned_bytes(const struct doca_mmap *mmap)
{
	uint64_t page = sysconf(_SC_PAGESIZE);
	uint64_t first = (uintptr_t)mmap->addr & ~(page - 1);
	uint64_t last = ((uintptr_t)mmap->addr + mmap->len - 1) | (page - 1);
	off_t size;

	if (mmap->dmabuf_fd >= 0) {
		size = lseek(mmap->dmabuf_fd, 0, SEEK_END);
		return size > 0 ? (uint64_t)size : mmap->len;
	}
	return last - first + 1;
}

static doca_error_t pin_nomem(const struct doca_mmap *mmap,
			      const struct driver_mem_limit *limit)
{
	uint64_t bytes = pinned_bytes(mmap);
	char len[32], max[32], used[32];

	human(len, sizeof(len), bytes);
	if (limit->limit - limit->used >= bytes && limit->used <= limit->limit)
		LOG_ERR("cannot pin %s: out of memory", len);
	else
		LOG_ERR("cannot pin %s: RLIMIT_MEMLOCK is %s, %s in use; "
			"raise it with ulimit -l or LimitMEMLOCK=; of a huge page "
			"any part counts as the whole",
			len, human(max, sizeof(max), limit->limit),
			human(used, sizeof(used), limit->used));
	return DOCA_ERROR_NO_MEMORY;
}

/* Handle errors that only dma-bufs have; SUCCESS for all others. */
static doca_error_t dmabuf_error(const struct doca_mmap *mmap, int err)
{
	switch (err) {
	case -EINVAL:
		LOG_ERR("cannot use a dma-buf: the file descriptor is not one of "
			"a dma-buf");
		return DOCA_ERROR_INVALID_VALUE;
	case -ERANGE:
		LOG_ERR("cannot use a dma-buf: %zu bytes at offset %zu are not "
			"within it, it has %" PRIu64,
			mmap->len, mmap->dmabuf_offset, pinned_bytes(mmap));
		return DOCA_ERROR_INVALID_VALUE;
	case -EACCES:
		LOG_ERR("cannot use a dma-buf: the file descriptor is read-only "
			"and a permission names writing");
		return DOCA_ERROR_INVALID_VALUE;
	case -EOPNOTSUPP:
		LOG_ERR("cannot use a dma-buf: the CPU cannot reach it, for its "
			"driver does not map it for the kernel or may move it; "
			"map it into the process, if it can be, and use "
			"doca_mmap_set_memrange()");
		return DOCA_ERROR_NOT_SUPPORTED;
	default:
		return DOCA_SUCCESS;
	}
}

#define TOO_MANY                                                        \
	"too many mmaps are started; stop some, or give one the range " \
	"of several"

/* A process cannot raise the limits, and memory runs out first. */
static const char *and_limits(void)
{
	return driver_is_in_process() ?
		       "" :
		       ", or have max_memories, max_mappings and "
		       "max_object_bytes of the doca module raised";
}

static doca_error_t pin_error(const struct doca_mmap *mmap, int err,
			      const struct driver_mem_limit *limit)
{
	char len[32], names[128];
	doca_error_t res;

	if (mmap->dmabuf_fd >= 0) {
		res = dmabuf_error(mmap, err);
		if (res != DOCA_SUCCESS)
			return res;
	}
	human(len, sizeof(len), mmap->len);
	switch (err) {
	case -ENOMEM:
		return pin_nomem(mmap, limit);
	case -EDQUOT:
		LOG_ERR("cannot pin %s: %s%s", len, TOO_MANY, and_limits());
		return DOCA_ERROR_NO_MEMORY;
	case -EFAULT:
		LOG_ERR("cannot pin %s at %p, of mmap %p: not mapped, or not "
			"accessible as the permissions ask, %s",
			len, mmap->addr, (const void *)mmap,
			mmap_access_names(mmap, names, sizeof(names)));
		return DOCA_ERROR_INVALID_VALUE;
	case -EOVERFLOW:
		LOG_ERR("cannot pin %s at %p: beyond the end of the address "
			"space",
			len, mmap->addr);
		return DOCA_ERROR_INVALID_VALUE;
	case -EPERM:
		LOG_ERR("cannot pin %s: the devices were opened by another "
			"process; open them here",
			len);
		return DOCA_ERROR_NOT_PERMITTED;
	default:
		LOG_ERR("cannot pin %s at %p: %s", len, mmap->addr,
			errno_text(err));
		return DOCA_ERROR_DRIVER;
	}
}

static doca_error_t map_error(const struct doca_dev *dev, int err)
{
	switch (err) {
	case -ENODEV:
		LOG_ERR("cannot map memory for %s: the device was removed",
			dev->info.name);
		return DOCA_ERROR_INVALID_VALUE;
	case -ENOMEM:
		LOG_ERR("cannot map memory for %s: out of memory",
			dev->info.name);
		return DOCA_ERROR_NO_MEMORY;
	case -EDQUOT:
		LOG_ERR("cannot map memory for %s: %s%s", dev->info.name,
			TOO_MANY, and_limits());
		return DOCA_ERROR_NO_MEMORY;
	case -ENOSPC:
		LOG_ERR("cannot map memory for %s: too many mappings in this "
			"process; stop mmaps that are not needed",
			dev->info.name);
		return DOCA_ERROR_NO_MEMORY;
	default:
		LOG_ERR("cannot map memory for %s: %s", dev->info.name,
			errno_text(err));
		return DOCA_ERROR_DRIVER;
	}
}

static int ask_driver(struct doca_mmap *mmap, uint32_t *access,
		      struct driver_mem_limit *limit)
{
	if (mmap->dmabuf_fd < 0)
		return driver_mem_reg(mmap->addr, mmap->len, access,
				      &mmap->mem_id, limit);
	return driver_mem_reg_dmabuf(mmap->dmabuf_fd, mmap->dmabuf_offset,
				     mmap->addr, mmap->len, access,
				     &mmap->mem_id, limit);
}

/*
 * Memory that cannot be written, such as a read-only mapping of a file or a
 * read-only dma-buf, is pinned for reading unless a permission names writing. The
 * driver itself only reads a file whose filesystem tracks changes.
 */
static doca_error_t pin(struct doca_mmap *mmap, uint32_t *access)
{
	struct driver_mem_limit limit = { 0 };
	uint32_t asked = kernel_access(mmap->access);
	int err;

	*access = asked;
	err = ask_driver(mmap, access, &limit);
	if ((err == -EFAULT || err == -EACCES) &&
	    (*access & DOCA_ACCESS_LOCAL_WRITE) &&
	    !(mmap->access & WRITE_ACCESS)) {
		*access &= ~DOCA_ACCESS_LOCAL_WRITE;
		err = ask_driver(mmap, access, &limit);
	}
	if (err)
		return pin_error(mmap, err, &limit);
	if (asked & ~*access & DOCA_ACCESS_PCI_WRITE)
		LOG_WARN(
			"mmap %p is a shared mapping of a file, of which the "
			"filesystem tracks changes: it is only read, by importers, "
			"too",
			(void *)mmap);
	mmap->has_mem = true;
	return DOCA_SUCCESS;
}

static bool driver_has_any(const struct doca_mmap *mmap)
{
	uint32_t i;

	for (i = 0; i < mmap->nr_devs; i++)
		if (!mmap->keys[i].dev->from_pd)
			return true;
	return false;
}

/* A device of the driver gets its memory region at the first request. */
static doca_error_t map(struct doca_mmap *mmap, struct mmap_key *key,
			uint32_t access)
{
	uint32_t value;
	int err;

	if (key->dev->from_pd)
		return mmap_make_mr(mmap, key);
	err = driver_mem_map(mmap->mem_id, doca_priv_dev_id(key->dev),
			     access & LOCAL_ACCESS, &value);
	if (err)
		return map_error(key->dev, err);
	mmap_set_key(key, value);
	return DOCA_SUCCESS;
}

doca_error_t mmap_register(struct doca_mmap *mmap)
{
	uint32_t access = kernel_access(mmap->access & WRITE_ACCESS);
	doca_error_t res;
	uint32_t i;

	if (!mmap->nr_devs)
		return DOCA_SUCCESS;
	for (i = 0; i < mmap->nr_devs; i++)
		if (!dev_alive(mmap->keys[i].dev))
			return DOCA_ERROR_NOT_PERMITTED;
	if (driver_has_any(mmap)) {
		res = pin(mmap, &access);
		if (res != DOCA_SUCCESS)
			return res;
	}
	mmap->writable = access & DOCA_ACCESS_LOCAL_WRITE;
	for (i = 0; i < mmap->nr_devs; i++) {
		res = map(mmap, &mmap->keys[i], access);
		if (res != DOCA_SUCCESS)
			goto err_unregister;
	}
	return DOCA_SUCCESS;

err_unregister:
	mmap_unregister(mmap);
	return res;
}

static int unmap_import(const struct mmap_key *key, uint32_t value)
{
	int err;

	if (!driver_current(key->dev->generation))
		return 0;
	err = driver_mem_unmap(value);
	/* the exporter may have stopped, or the device may be gone */
	return err == -ENOENT ? 0 : err;
}

static void drop_blobs(struct mmap_key *key)
{
	unsigned int kind;

	for (kind = 0; kind < MMAP_KINDS; kind++) {
		free(key->blobs[kind].bytes);
		key->blobs[kind].bytes = NULL;
	}
}

/*
 * Remove the keys first, so that the data path finds no key that is being
 * retired. Releasing the memory retires every key to it, and every export of
 * it.
 */
doca_error_t mmap_unregister(struct doca_mmap *mmap)
{
	uint32_t import = mmap->from_export ? mmap->one.key : 0;
	uint32_t i;
	int err = 0;

	if (mmap_drop_mrs(mmap) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_PERMITTED;
	for (i = 0; i < mmap->nr_devs; i++)
		mmap_set_key(&mmap->keys[i], 0);
	if (import)
		err = unmap_import(&mmap->one, import);
	else if (mmap->has_mem && driver_current(mmap->keys[0].dev->generation))
		err = driver_mem_dereg(mmap->mem_id);
	if (err && err != -ENOENT) {
		LOG_ERR("cannot release the memory of mmap %p: %s",
			(void *)mmap, errno_text(err));
		if (import)
			mmap_set_key(&mmap->one, import);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	mmap->has_mem = false;
	for (i = 0; i < mmap->nr_devs; i++)
		drop_blobs(&mmap->keys[i]);
	mmap->exported = false;
	return DOCA_SUCCESS;
}
