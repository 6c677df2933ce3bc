// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps and verbs: the memory region of a device, whose key programs of the
 * verbs library can use. It is made at the first request, since it pins the
 * memory once more and keeps the RDMA device open.
 */
#include <errno.h>

#include <infiniband/verbs.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "core/device/dev.h"
#include "core/device/verbs.h"
#include "core/driver/driver.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

/* If the driver only reads the memory, RDMA must not write it either, whatever the permissions. */
static int verbs_access(const struct doca_mmap *mmap)
{
	int access = 0;

	if (mmap->access & DOCA_ACCESS_FLAG_RDMA_READ)
		access |= IBV_ACCESS_REMOTE_READ;
	if (!mmap->writable)
		return access;
	access |= IBV_ACCESS_LOCAL_WRITE;
	if (mmap->access & DOCA_ACCESS_FLAG_RDMA_WRITE)
		access |= IBV_ACCESS_REMOTE_WRITE;
	if (mmap->access & DOCA_ACCESS_FLAG_RDMA_ATOMIC)
		access |= IBV_ACCESS_REMOTE_ATOMIC;
	return access;
}

static doca_error_t mr_error(const struct doca_mmap *mmap,
			     const struct doca_dev *dev, int err)
{
	const char *name = dev->info.name;
	char access[128];

	switch (err) {
	case -EINVAL:
	case -EOPNOTSUPP:
		LOG_ERR("cannot register %s with %s: it does not support that, "
			"or not the permissions of mmap %p, %s",
			mmap->dmabuf_fd < 0 ? "memory" : "a dma-buf", name,
			(const void *)mmap,
			mmap_access_names(mmap, access, sizeof(access)));
		return DOCA_ERROR_NOT_SUPPORTED;
	case -ENOMEM:
		LOG_ERR("cannot register %zu bytes with %s: out of memory, or "
			"of RLIMIT_MEMLOCK, in which memory counts once for "
			"the mmap and once for each key; raise it with ulimit "
			"-l or LimitMEMLOCK=",
			mmap->len, name);
		return DOCA_ERROR_NO_MEMORY;
	case -EFAULT:
		LOG_ERR("cannot register memory at %p with %s: not mapped, or "
			"not accessible as the permissions of mmap %p ask, %s",
			mmap->addr, name, (const void *)mmap,
			mmap_access_names(mmap, access, sizeof(access)));
		return DOCA_ERROR_INVALID_VALUE;
	default:
		LOG_ERR("cannot register memory at %p with %s: %s", mmap->addr,
			name, errno_text(err));
		return DOCA_ERROR_DRIVER;
	}
}

static int reg_mr(const struct doca_mmap *mmap, struct ibv_pd *pd,
		  struct ibv_mr **mr)
{
	int access = verbs_access(mmap);

	if (mmap->dmabuf_fd < 0)
		return verbs_reg_mr(pd, mmap->addr, mmap->len, access, mr);
	return verbs_reg_dmabuf_mr(pd, mmap->dmabuf_fd, mmap->dmabuf_offset,
				   mmap->addr, mmap->len, access, mr);
}

doca_error_t mmap_make_mr(struct doca_mmap *mmap, struct mmap_key *key)
{
	struct ibv_mr *mr;
	struct ibv_pd *pd;
	doca_error_t res;
	int err;

	res = dev_get_pd(key->dev, &pd);
	if (res != DOCA_SUCCESS)
		return res;
	err = reg_mr(mmap, pd, &mr);
	if (err)
		return mr_error(mmap, key->dev, err);
	key->lkey = mr->lkey;
	key->rkey = mr->rkey;
	__atomic_store_n(&key->mr, mr, __ATOMIC_RELEASE);
	if (key == &mmap->one)
		__atomic_store_n(&mmap->lkey_dev, key->dev, __ATOMIC_RELEASE);
	return DOCA_SUCCESS;
}

/* Threads with buffers of their own may ask at the same time. */
doca_error_t mmap_get_lkey(struct doca_mmap *mmap, struct mmap_key *key,
			   uint32_t *lkey)
{
	doca_error_t res = DOCA_SUCCESS;
	int state;

	if (!__atomic_load_n(&key->mr, __ATOMIC_ACQUIRE)) {
		res = dev_prepare_pd(key->dev);
		if (res != DOCA_SUCCESS)
			return res;
		state = lock_uncancelled(&mmap->lock);
		if (!key->mr)
			res = mmap_make_mr(mmap, key);
		unlock_uncancelled(&mmap->lock, state);
	}
	if (res == DOCA_SUCCESS)
		*lkey = key->lkey;
	return res;
}

/* In the child of a fork the regions belong to the parent. */
doca_error_t mmap_drop_mrs(struct doca_mmap *mmap)
{
	struct mmap_key *key;
	int err;

	mmap->lkey_dev = NULL;
	for (key = mmap->keys; key < mmap->keys + mmap->nr_devs; key++) {
		if (!key->mr)
			continue;
		err = 0;
		if (driver_current(key->dev->generation))
			err = verbs_dereg_mr(key->mr);
		if (err) {
			LOG_ERR("cannot take memory back from %s: %s",
				key->dev->info.name, errno_text(err));
			return DOCA_ERROR_NOT_PERMITTED;
		}
		key->mr = NULL;
		/* It names the region. */
		free(key->blobs[MMAP_RDMA].bytes);
		key->blobs[MMAP_RDMA].bytes = NULL;
	}
	return DOCA_SUCCESS;
}
