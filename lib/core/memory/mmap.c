// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps: the object, its devices and its life. Calls of the driver are in
 * mmap_reg.c, exports in mmap_export.c, properties in mmap_attr.c.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "core/device/dev.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

#define MMAP_MAX_DEVICES 64 /* unless the program says otherwise */

struct doca_mmap *mmap_new(void)
{
	struct doca_mmap *mmap = calloc(1, sizeof(*mmap));

	if (!mmap)
		return NULL;
	mmap->keys = &mmap->one;
	mmap->dmabuf_fd = -1;
	mmap->max_devs = MMAP_MAX_DEVICES;
	mmap->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	pthread_mutex_init(&mmap->lock, NULL);
	doca_priv_debug_add(mmap, &doca_priv_mmap_object, sizeof(*mmap), 1);
	return mmap;
}

void mmap_free(struct doca_mmap *mmap)
{
	uint32_t i;

	for (i = 0; i < mmap->nr_devs; i++)
		doca_priv_dev_put(mmap->keys[i].dev);
	if (mmap->keys != &mmap->one)
		free(mmap->keys);
	if (mmap->dmabuf_fd >= 0)
		close(mmap->dmabuf_fd);
	pthread_mutex_destroy(&mmap->lock);
	doca_priv_debug_free(mmap);
}

/* The program's view of an mmap is constant, but its lock is not. */
void mmap_lock(const struct doca_mmap *const_mmap)
{
	struct doca_mmap *mmap = (struct doca_mmap *)const_mmap;
	int state;

	if (!mmap->thread_safe)
		return;
	state = lock_uncancelled(&mmap->lock);
	mmap->cancel_state = state;
}

void mmap_unlock(const struct doca_mmap *const_mmap)
{
	struct doca_mmap *mmap = (struct doca_mmap *)const_mmap;

	if (mmap->thread_safe)
		unlock_uncancelled(&mmap->lock, mmap->cancel_state);
}

static void mmap_set_started(struct doca_mmap *mmap, bool started)
{
	__atomic_store_n(&mmap->started, started, __ATOMIC_SEQ_CST);
}

static uint32_t mmap_num_bufs(const struct doca_mmap *mmap)
{
	return __atomic_load_n(&mmap->num_bufs, __ATOMIC_SEQ_CST);
}

/*
 * Atomic in any case, although this is on the data path: threads with inventories
 * of their own share an mmap, and threads of DOCA 2.5 cannot say so.
 */
static void mmap_count_bufs(struct doca_mmap *mmap, uint32_t n)
{
	__atomic_fetch_add(&mmap->num_bufs, n, __ATOMIC_SEQ_CST);
}

struct mmap_key *mmap_find(const struct doca_mmap *mmap,
			   const struct doca_dev *dev)
{
	uint32_t i;

	for (i = 0; i < mmap->nr_devs; i++)
		if (mmap->keys[i].dev == dev)
			return &mmap->keys[i];
	return NULL;
}

doca_error_t mmap_add(struct doca_mmap *mmap, struct doca_dev *dev)
{
	uint32_t n = mmap->nr_devs;
	struct mmap_key *keys;

	if (n) {
		keys = malloc((n + 1) * sizeof(*keys));
		if (!keys)
			return OUT_OF_MEMORY("the devices of an mmap");
		memcpy(keys, mmap->keys, n * sizeof(*keys));
		if (mmap->keys != &mmap->one)
			free(mmap->keys);
		mmap->keys = keys;
	}
	mmap->keys[n] = (struct mmap_key){ .dev = doca_priv_dev_get(dev) };
	mmap->nr_devs++;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
	if (!given(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	*mmap = mmap_new();
	if (!*mmap)
		return OUT_OF_MEMORY("an mmap");
	LOG_DBG("mmap %p is created", (void *)*mmap);
	return DOCA_SUCCESS;
}

doca_error_t mmap_fixed(const struct doca_mmap *mmap, const char *what)
{
	return FAIL(NOT_PERMITTED, "mmap %p: %s, for it is %s",
		    (const void *)mmap, what,
		    mmap->from_export ? "an import" : "started");
}

doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	doca_error_t res;

	if (!valid(mmap) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	if (mmap->started || mmap->from_export)
		res = mmap_fixed(mmap, "its devices cannot be changed");
	else if (mmap_find(mmap, dev))
		res = FAIL(ALREADY_EXIST, "mmap %p has device %s already",
			   (void *)mmap, dev->info.name);
	else if (mmap->nr_devs >= mmap->max_devs)
		res = FAIL(NO_MEMORY,
			   "mmap %p has %u devices, all that it may have; call "
			   "doca_mmap_set_max_num_devices() first",
			   (void *)mmap, mmap->nr_devs);
	else
		res = mmap_add(mmap, dev);
	mmap_unlock(mmap);
	return res;
}

static void remove_key(struct doca_mmap *mmap, struct mmap_key *key)
{
	doca_priv_dev_put(key->dev);
	*key = mmap->keys[--mmap->nr_devs];
}

doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	doca_error_t res = DOCA_SUCCESS;
	struct mmap_key *key;

	if (!valid(mmap) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	if (mmap->started || mmap->from_export) {
		res = mmap_fixed(mmap, "its devices cannot be changed");
	} else {
		key = mmap_find(mmap, dev);
		if (key)
			remove_key(mmap, key);
		else
			res = FAIL(NOT_FOUND, "mmap %p does not have device %s",
				   (void *)mmap, dev->info.name);
	}
	mmap_unlock(mmap);
	return res;
}

doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
	doca_error_t res;

	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	if (mmap->started || mmap->from_export) {
		res = mmap_fixed(mmap, "it cannot be started again");
	} else if (!mmap->has_range) {
		LOG_ERR("cannot start an mmap without memory: call "
			"doca_mmap_set_memrange() first");
		res = DOCA_ERROR_INVALID_VALUE;
	} else {
		res = mmap_register(mmap);
	}
	if (res == DOCA_SUCCESS) {
		mmap->was_started = true;
		mmap->free_armed = mmap->free_cb;
		mmap_set_started(mmap, true);
		LOG_DBG("mmap %p is started: %zu bytes at %p, registered for "
			"%u devices",
			(void *)mmap, mmap->len, mmap->addr, mmap->nr_devs);
	}
	mmap_unlock(mmap);
	return res;
}

static bool has_bufs(const struct doca_mmap *mmap)
{
	uint32_t n = mmap_num_bufs(mmap);

	if (n)
		LOG_ERR("cannot stop or destroy mmap %p: %u buffers are in "
			"use; release them with doca_buf_dec_refcount(), or "
			"stop their pool or array",
			(const void *)mmap, n);
	return n;
}

/*
 * First refuse new buffers, then check for existing ones: another thread that takes one
 * does so in the opposite order, so one of the two sees the other. If there are some,
 * allow new ones again.
 */
static doca_error_t stop_locked(struct doca_mmap *mmap)
{
	doca_error_t res;

	if (has_bufs(mmap))
		return DOCA_ERROR_NOT_PERMITTED;
	mmap_set_started(mmap, false);
	res = has_bufs(mmap) ? DOCA_ERROR_NOT_PERMITTED : mmap_unregister(mmap);
	if (res != DOCA_SUCCESS)
		mmap_set_started(mmap, true);
	else
		LOG_DBG("mmap %p is stopped", (void *)mmap);
	return res;
}

doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
	doca_error_t res = DOCA_SUCCESS;

	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	if (mmap->started)
		res = stop_locked(mmap);
	mmap_unlock(mmap);
	return res;
}

doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
	doca_error_t res;

	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	res = doca_mmap_stop(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	if (mmap->free_armed)
		mmap->free_cb(mmap->addr, mmap->len, mmap->free_opaque);
	LOG_DBG("mmap %p is destroyed", (void *)mmap);
	mmap_free(mmap);
	return DOCA_SUCCESS;
}

static bool mmap_has(const struct doca_mmap *mmap, const void *addr, size_t len)
{
	uintptr_t offset = (uintptr_t)addr - (uintptr_t)mmap->addr;

	return offset <= mmap->len && len <= mmap->len - offset;
}

/* Before the start, another thread may be setting its range. */
doca_error_t mmap_bufs_get(struct doca_mmap *mmap, const void *addr, size_t len,
			   uint32_t n)
{
	doca_error_t res = DOCA_SUCCESS;

	mmap_count_bufs(mmap, n);
	if (!__atomic_load_n(&mmap->started, __ATOMIC_SEQ_CST))
		res = DOCA_ERROR_BAD_STATE;
	else if (!mmap_has(mmap, addr, len))
		res = DOCA_ERROR_INVALID_VALUE;
	if (res != DOCA_SUCCESS)
		mmap_count_bufs(mmap, -n);
	return res;
}

doca_error_t mmap_buf_refused(const struct doca_mmap *mmap, const void *addr,
			      size_t len, doca_error_t why)
{
	if (why == DOCA_ERROR_BAD_STATE)
		LOG_ERR("no buffer of mmap %p: it is not started; call "
			"doca_mmap_start()",
			(const void *)mmap);
	else
		LOG_ERR("no buffer of mmap %p: %zu bytes at %p are not within "
			"its %zu bytes at %p",
			(const void *)mmap, len, addr, mmap->len, mmap->addr);
	return why;
}

void mmap_bufs_put(struct doca_mmap *mmap, uint32_t n)
{
	mmap_count_bufs(mmap, -n);
}

void doca_priv_mmap_set_owner(struct doca_mmap *mmap,
			      const struct mmap_owner *owner)
{
	mmap->owner = owner;
}
