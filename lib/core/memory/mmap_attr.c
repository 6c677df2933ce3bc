// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps: properties. They are set before start, and only on the program's
 * own mmaps; an import has the properties that its exporter gave it.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

#define ALL_ACCESS                                              \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | MMAP_RDMA_ACCESS | \
	 MMAP_PCI_ACCESS | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING)

/* Take the lock if properties may be set. A macro, so that the log names the caller. */
#define begin_set(mmap) \
	(valid(mmap) ? begin_set_(mmap) : DOCA_ERROR_INVALID_VALUE)

static doca_error_t begin_set_(struct doca_mmap *mmap)
{
	mmap_lock(mmap);
	if (!mmap->started && !mmap->from_export)
		return DOCA_SUCCESS;
	mmap_unlock(mmap);
	return FAIL(BAD_STATE, "mmap %p: it cannot be configured, for it is %s",
		    (void *)mmap, mmap->from_export ? "an import" : "started");
}

static bool bad_range(uint64_t addr, size_t len)
{
	return !len || addr + len < addr;
}

/* The range is set once, in one of its forms. */
#define begin_set_range(mmap) \
	(valid(mmap) ? begin_set_range_(mmap) : DOCA_ERROR_INVALID_VALUE)

static doca_error_t begin_set_range_(struct doca_mmap *mmap)
{
	doca_error_t res = begin_set_(mmap);

	if (res == DOCA_SUCCESS && mmap->has_range) {
		mmap_unlock(mmap);
		res = FAIL(NOT_PERMITTED,
			   "mmap %p has its memory already, for good",
			   (void *)mmap);
	}
	return res;
}

doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr,
				    size_t len)
{
	doca_error_t res;

	if (!given(addr) || refused(bad_range((uintptr_t)addr, len)))
		return DOCA_ERROR_INVALID_VALUE;
	res = begin_set_range(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	mmap->addr = addr;
	mmap->len = len;
	mmap->has_range = true;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

/* The program may close its own descriptor, and start the mmap more than once. */
static doca_error_t keep_dmabuf(struct doca_mmap *mmap, int fd)
{
	mmap->dmabuf_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (mmap->dmabuf_fd >= 0)
		return DOCA_SUCCESS;
	LOG_ERR("cannot use %d as a dma-buf: %s", fd, errno_text(errno));
	return errno == EBADF ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NO_MEMORY;
}

doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap,
					   int dmabuf_fd, void *addr,
					   size_t dmabuf_offset, size_t len)
{
	doca_error_t res;

	if (refused(dmabuf_fd < 0) || !given(addr) ||
	    refused(bad_range((uintptr_t)addr, len)) ||
	    refused(bad_range(dmabuf_offset, len)))
		return DOCA_ERROR_INVALID_VALUE;
	if (((uintptr_t)addr ^ dmabuf_offset) & (sysconf(_SC_PAGESIZE) - 1)) {
		LOG_ERR("cannot use a dma-buf at %p from offset %zu on: the "
			"two must be at the same place in a page",
			addr, dmabuf_offset);
		return DOCA_ERROR_INVALID_VALUE;
	}
	res = begin_set_range(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	res = keep_dmabuf(mmap, dmabuf_fd);
	if (res == DOCA_SUCCESS) {
		mmap->dmabuf_offset = dmabuf_offset;
		mmap->addr = addr;
		mmap->len = len;
		mmap->has_range = true;
	}
	mmap_unlock(mmap);
	return res;
}

doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap,
					struct doca_dpa *dpa, uint64_t dpa_addr,
					size_t len)
{
	doca_error_t res;

	if (!given(dpa) || refused(bad_range(dpa_addr, len)))
		return DOCA_ERROR_INVALID_VALUE;
	res = begin_set_range(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	mmap_unlock(mmap);
	LOG_ERR("DPA memory is not supported: no device has a data path "
		"accelerator; use doca_mmap_set_memrange()");
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap,
					  const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
	if (!valid(mmap) || !valid(dev) || !given(dpa_mmap_handle))
		return DOCA_ERROR_INVALID_VALUE;
	LOG_ERR("DPA handles are not supported: no device has a data path "
		"accelerator");
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap,
				       uint32_t access_mask)
{
	doca_error_t res;

	if (refused(access_mask & ~ALL_ACCESS) ||
	    refused((access_mask & MMAP_PCI_ACCESS) == MMAP_PCI_ACCESS))
		return DOCA_ERROR_INVALID_VALUE;
	res = begin_set(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	mmap->access = access_mask;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap,
				   doca_mmap_memrange_free_cb_t *free_cb,
				   void *opaque)
{
	doca_error_t res;

	if (!given(free_cb))
		return DOCA_ERROR_INVALID_VALUE;
	res = begin_set(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	mmap->free_cb = free_cb;
	mmap->free_opaque = opaque;
	mmap->free_armed = false;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap,
				     union doca_data user_data)
{
	doca_error_t res = begin_set(mmap);

	if (res != DOCA_SUCCESS)
		return res;
	mmap->user_data = user_data;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap,
					   uint32_t max_num_devices)
{
	doca_error_t res = DOCA_SUCCESS;

	if (!valid(mmap) || !given(max_num_devices))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	if (mmap->was_started)
		res = FAIL(NOT_PERMITTED,
			   "mmap %p: the number of its devices cannot be "
			   "limited any more, for it was started",
			   (void *)mmap);
	else if (max_num_devices < mmap->nr_devs)
		res = FAIL(INVALID_VALUE,
			   "mmap %p: it has %u devices already, more than %u",
			   (void *)mmap, mmap->nr_devs, max_num_devices);
	else
		mmap->max_devs = max_num_devices;
	mmap_unlock(mmap);
	return res;
}

doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	/*
	 * Other threads may be in calls for it, without the lock. An import is started when
	 * a program gets it.
	 */
	if (mmap->started && !mmap->from_export)
		return FAIL(BAD_STATE,
			    "mmap %p: it cannot be made thread safe, for it is "
			    "started",
			    (void *)mmap);
	mmap->thread_safe = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr,
				    size_t *len)
{
	doca_error_t res = DOCA_SUCCESS;

	if (!valid(mmap) || !given(addr) || !given(len))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	if (mmap->has_range) {
		*addr = mmap->addr;
		*len = mmap->len;
	} else {
		res = FAIL(BAD_STATE,
			   "mmap %p has no memory yet: call "
			   "doca_mmap_set_memrange()",
			   (const void *)mmap);
	}
	mmap_unlock(mmap);
	return res;
}

doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap,
				    uint32_t *num_bufs)
{
	if (!valid(mmap) || !given(num_bufs))
		return DOCA_ERROR_INVALID_VALUE;
	*num_bufs = __atomic_load_n(&mmap->num_bufs, __ATOMIC_RELAXED);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap,
				     union doca_data *user_data)
{
	if (!valid(mmap) || !given(user_data))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	*user_data = mmap->user_data;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap,
					   uint32_t *max_num_devices)
{
	if (!valid(mmap) || !given(max_num_devices))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	*max_num_devices = mmap->max_devs;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap,
				    uint8_t *exported)
{
	if (!valid(mmap) || !given(exported))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	*exported = mmap->exported;
	mmap_unlock(mmap);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap,
				       uint8_t *from_export)
{
	if (!valid(mmap) || !given(from_export))
		return DOCA_ERROR_INVALID_VALUE;
	*from_export = mmap->from_export;
	return DOCA_SUCCESS;
}
