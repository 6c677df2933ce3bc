// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps: chunks and devices. Each chunk is a memory map of level 3.0, which has
 * one range and, once started, always the same devices. So a change of the devices
 * makes all of these anew, and only then drops the old ones.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::MMAP);

#define MIN_PAGE_SIZE 4096
#define FIRST_ROOM 8 /* chunks */

doca_error_t api13_mmap_new(const char *name, struct doca_mmap **mmap,
			    const char *func)
{
	struct doca_mmap *new;

	if (!given_to(func, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	api13_set_name(new->name, name);
	new->last = &new->first;
	new->max_chunks = 1;
	new->max_devs = 1;
	new->access = DOCA_MMAP_ACCESS_LOCAL_READ_WRITE |
		      DOCA_MMAP_ACCESS_REMOTE_READ_WRITE;
	doca_priv_debug_add(new, &api13_mmap_object, sizeof(*new), 1);
	*mmap = new;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_mmap_create(const char *name, struct doca_mmap **mmap)
{
	return api13_mmap_new(name, mmap, __func__);
}

void api13_mmap_free(struct doca_mmap *mmap)
{
	if (mmap->holder)
		v3_mmap_destroy(mmap->holder);
	free(mmap->devs);
	free(mmap->chunks);
	doca_priv_debug_free(mmap);
}

/* Drop all chunks before the first callback runs: callbacks may look at each other's chunks. */
PUBLIC doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
	struct chunk *chunk, *next;
	doca_error_t ret;

	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->nr_bufs) {
		DOCA_LOG_ERR("cannot destroy mmap %p \"%s\": %u of its buffers "
			     "are in use; release them first",
			     (void *)mmap, mmap->name, mmap->nr_bufs);
		return DOCA_ERROR_IN_USE;
	}
	for (chunk = mmap->first; chunk; chunk = chunk->next) {
		if (!chunk->v3)
			continue;
		ret = v3_mmap_destroy(chunk->v3);
		if (ret != DOCA_SUCCESS)
			return ret;
		chunk->v3 = NULL;
	}
	next = mmap->first;
	api13_mmap_free(mmap);
	while (next) {
		chunk = next;
		next = chunk->next;
		if (chunk->free_cb)
			chunk->free_cb(chunk->addr, chunk->len, chunk->opaque);
		free(chunk);
	}
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	mmap->started = true;
	mmap->ever_started = true;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
	if (!valid(mmap))
		return DOCA_ERROR_INVALID_VALUE;
	mmap->started = false;
	return DOCA_SUCCESS;
}

doca_error_t api13_mmap_may_change(const struct doca_mmap *mmap,
				   const char *what)
{
	const char *why = NULL;

	if (mmap->from_export)
		why = "it was made from an export";
	else if (mmap->exported)
		why = "it was exported";
	else if (!mmap->started)
		why = "it is not started";
	if (!why)
		return DOCA_SUCCESS;
	DOCA_LOG_ERR("cannot %s mmap %p \"%s\": %s", what, (const void *)mmap,
		     mmap->name, why);
	return DOCA_ERROR_NOT_PERMITTED;
}

static uint32_t permissions(const struct doca_mmap *mmap)
{
	uint32_t mask = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;

	if (mmap->access & DOCA_MMAP_ACCESS_LOCAL_READ_WRITE)
		mask |= DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	if (mmap->access & DOCA_MMAP_ACCESS_REMOTE_READ_ONLY)
		mask |= DOCA_ACCESS_FLAG_PCI_READ_ONLY;
	if (mmap->access & DOCA_MMAP_ACCESS_REMOTE_READ_WRITE)
		mask |= DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	return mask;
}

/* Make a started range with some devices. */
static doca_error_t make_v3(const struct doca_mmap *mmap, void *addr,
			    size_t len, struct doca_dev *const *devs,
			    uint32_t nr_devs, struct v3_mmap **out)
{
	struct v3_mmap *v3;
	doca_error_t ret;
	uint32_t i;

	ret = v3_mmap_create(&v3);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = v3_mmap_set_memrange(v3, addr, len);
	DOCA_ERROR_PROPAGATE(ret,
			     v3_mmap_set_permissions(v3, permissions(mmap)));
	DOCA_ERROR_PROPAGATE(ret,
			     v3_mmap_set_max_num_devices(v3, mmap->max_devs));
	for (i = 0; i < nr_devs; i++)
		DOCA_ERROR_PROPAGATE(ret, v3_mmap_add_dev(v3, devs[i]));
	DOCA_ERROR_PROPAGATE(ret, v3_mmap_start(v3));
	if (ret != DOCA_SUCCESS) {
		v3_mmap_destroy(v3);
		return ret;
	}
	*out = v3;
	return DOCA_SUCCESS;
}

struct chunk *api13_chunk_new(struct doca_mmap *mmap, void *addr, size_t len,
			      doca_error_t *ret)
{
	struct chunk *chunk = calloc(1, sizeof(*chunk));

	if (!chunk) {
		*ret = DOCA_ERROR_NO_MEMORY;
		return NULL;
	}
	chunk->addr = addr;
	chunk->len = len;
	*ret = mmap->from_export ? DOCA_SUCCESS :
				   make_v3(mmap, addr, len, mmap->devs,
					   mmap->nr_devs, &chunk->v3);
	if (*ret == DOCA_SUCCESS)
		return chunk;
	free(chunk);
	return NULL;
}

/* Count the chunks that begin at or before an address. */
static uint32_t chunks_until(const struct doca_mmap *mmap, const void *addr)
{
	uint32_t low = 0, high = mmap->nr_chunks;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((uintptr_t)mmap->chunks[middle]->addr <= (uintptr_t)addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uintptr_t last_byte(const struct chunk *chunk)
{
	return (uintptr_t)chunk->addr + (chunk->len - 1);
}

/* Chunks may overlap, so the one that begins last need not have it. */
struct chunk *api13_mmap_find(const struct doca_mmap *mmap, const void *addr,
			      size_t len)
{
	uintptr_t last = (uintptr_t)addr + (len - 1);
	uint32_t i = chunks_until(mmap, addr);

	if (last < (uintptr_t)addr)
		return NULL;
	while (i-- && mmap->chunks[i]->reach >= last)
		if (last_byte(mmap->chunks[i]) >= last)
			return mmap->chunks[i];
	return NULL;
}

static void append(struct doca_mmap *mmap, struct chunk *chunk)
{
	*mmap->last = chunk;
	mmap->last = &chunk->next;
	mmap->nr_ranges++;
}

static void update_reach(struct doca_mmap *mmap, uint32_t i)
{
	uintptr_t reach = i ? mmap->chunks[i - 1]->reach : 0;

	for (; i < mmap->nr_chunks; i++) {
		if (last_byte(mmap->chunks[i]) > reach)
			reach = last_byte(mmap->chunks[i]);
		mmap->chunks[i]->reach = reach;
	}
}

doca_error_t api13_mmap_insert(struct doca_mmap *mmap, struct chunk *chunk)
{
	uint32_t i, room = mmap->room ? mmap->room : FIRST_ROOM / 2;
	struct chunk **chunks;

	if (mmap->nr_chunks == mmap->room) {
		room = room > UINT32_MAX / 2 ? UINT32_MAX : room * 2;
		chunks = reallocarray(mmap->chunks, room, sizeof(*chunks));
		if (!chunks)
			return DOCA_ERROR_NO_MEMORY;
		mmap->chunks = chunks;
		mmap->room = room;
	}
	i = chunks_until(mmap, chunk->addr);
	memmove(mmap->chunks + i + 1, mmap->chunks + i,
		(mmap->nr_chunks - i) * sizeof(*mmap->chunks));
	mmap->chunks[i] = chunk;
	mmap->nr_chunks++;
	update_reach(mmap, i);
	append(mmap, chunk);
	return DOCA_SUCCESS;
}

static doca_error_t may_populate(const struct doca_mmap *mmap, const void *addr,
				 size_t len, size_t pg_sz)
{
	const char *why = NULL;

	if (pg_sz < MIN_PAGE_SIZE || pg_sz & (pg_sz - 1))
		why = "the size of a page is a power of two, at least 4096";
	else if ((uintptr_t)addr > UINTPTR_MAX - (len - 1))
		why = "it runs over the end of the address space";
	if (why) {
		DOCA_LOG_ERR("cannot add %zu bytes at %p with pages of %zu to "
			     "mmap %p \"%s\": %s",
			     len, addr, pg_sz, (const void *)mmap, mmap->name,
			     why);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (mmap->nr_ranges < mmap->max_chunks)
		return DOCA_SUCCESS;
	DOCA_LOG_ERR(
		"cannot add a chunk to mmap %p \"%s\": it may have %u; set "
		"DOCA_MMAP_MAX_NUM_CHUNKS before it is started",
		(const void *)mmap, mmap->name, mmap->max_chunks);
	return DOCA_ERROR_NO_MEMORY;
}

static doca_error_t add_chunk(struct doca_mmap *mmap, void *addr, size_t len,
			      doca_mmap_memrange_free_cb_t *free_cb,
			      void *opaque)
{
	struct chunk *chunk;
	doca_error_t ret;

	chunk = api13_chunk_new(mmap, addr, len, &ret);
	if (!chunk)
		return ret;
	chunk->free_cb = free_cb;
	chunk->opaque = opaque;
	ret = api13_mmap_insert(mmap, chunk);
	if (ret != DOCA_SUCCESS) {
		v3_mmap_destroy(chunk->v3);
		free(chunk);
	}
	return ret;
}

/* The memory is pinned already; keep the callback only. */
static doca_error_t add_within(struct doca_mmap *mmap, void *addr, size_t len,
			       doca_mmap_memrange_free_cb_t *free_cb,
			       void *opaque)
{
	struct chunk *chunk;

	if (!free_cb) {
		mmap->nr_ranges++;
		return DOCA_SUCCESS;
	}
	chunk = calloc(1, sizeof(*chunk));
	if (!chunk)
		return DOCA_ERROR_NO_MEMORY;
	chunk->addr = addr;
	chunk->len = len;
	chunk->free_cb = free_cb;
	chunk->opaque = opaque;
	append(mmap, chunk);
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_mmap_populate(struct doca_mmap *mmap, void *addr,
				       size_t len, size_t pg_sz,
				       doca_mmap_memrange_free_cb_t *free_cb,
				       void *opaque)
{
	doca_error_t ret;

	if (!valid(mmap) || !given(addr) || !given(len))
		return DOCA_ERROR_INVALID_VALUE;
	ret = api13_mmap_may_change(mmap, "populate");
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = may_populate(mmap, addr, len, pg_sz);
	if (ret != DOCA_SUCCESS)
		return ret;
	return api13_mmap_find(mmap, addr, len) ?
		       add_within(mmap, addr, len, free_cb, opaque) :
		       add_chunk(mmap, addr, len, free_cb, opaque);
}

bool api13_mmap_has_dev(const struct doca_mmap *mmap,
			const struct doca_dev *dev)
{
	uint32_t i;

	for (i = 0; i < mmap->nr_devs; i++)
		if (mmap->devs[i] == dev)
			return true;
	return false;
}

/* Make all chunks with other devices, and behind them the holder of these. */
static doca_error_t make_all(const struct doca_mmap *mmap,
			     struct doca_dev *const *devs, uint32_t nr_devs,
			     struct v3_mmap **maps)
{
	doca_error_t ret = DOCA_SUCCESS;
	uint32_t i;

	for (i = 0; i < mmap->nr_chunks && ret == DOCA_SUCCESS; i++)
		ret = make_v3(mmap, mmap->chunks[i]->addr, mmap->chunks[i]->len,
			      devs, nr_devs, &maps[i]);
	DOCA_ERROR_PROPAGATE(ret, api13_devs_hold(devs, nr_devs, &maps[i]));
	return ret;
}

static void swap(struct v3_mmap **a, struct v3_mmap **b)
{
	struct v3_mmap *was = *a;

	*a = *b;
	*b = was;
}

/* Change the devices of all chunks, or of none. */
static doca_error_t change_devs(struct doca_mmap *mmap, struct doca_dev **devs,
				uint32_t nr_devs)
{
	uint32_t i, nr = mmap->nr_chunks;
	struct v3_mmap **maps;
	doca_error_t ret;

	maps = calloc(nr + 1, sizeof(struct v3_mmap *));
	if (!maps)
		return DOCA_ERROR_NO_MEMORY;
	ret = make_all(mmap, devs, nr_devs, maps);
	if (ret == DOCA_SUCCESS) {
		for (i = 0; i < nr; i++)
			swap(&mmap->chunks[i]->v3, &maps[i]);
		swap(&mmap->holder, &maps[nr]);
		free(mmap->devs);
		mmap->devs = devs;
		mmap->nr_devs = nr_devs;
	}
	for (i = 0; i <= nr; i++)
		if (maps[i])
			v3_mmap_destroy(maps[i]);
	free(maps);
	return ret;
}

static doca_error_t may_change_devs(const struct doca_mmap *mmap)
{
	doca_error_t ret = api13_mmap_may_change(mmap, "change the devices of");

	if (ret != DOCA_SUCCESS || !mmap->nr_bufs)
		return ret;
	DOCA_LOG_ERR("cannot change the devices of mmap %p \"%s\": %u of its "
		     "buffers are in use; release them first",
		     (const void *)mmap, mmap->name, mmap->nr_bufs);
	return DOCA_ERROR_IN_USE;
}

static doca_error_t may_add_dev(const struct doca_mmap *mmap,
				const struct doca_dev *dev)
{
	doca_error_t ret = may_change_devs(mmap);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (api13_mmap_has_dev(mmap, dev)) {
		DOCA_LOG_ERR("mmap %p \"%s\" has the device already",
			     (const void *)mmap, mmap->name);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	if (mmap->nr_devs < mmap->max_devs)
		return DOCA_SUCCESS;
	DOCA_LOG_ERR("cannot add a device to mmap %p \"%s\": it may have %u; "
		     "set DOCA_MMAP_MAX_NUM_DEVICES before it is started",
		     (const void *)mmap, mmap->name, mmap->max_devs);
	return DOCA_ERROR_NO_MEMORY;
}

PUBLIC doca_error_t doca_mmap_dev_add(struct doca_mmap *mmap,
				      struct doca_dev *dev)
{
	struct doca_dev **devs;
	doca_error_t ret;

	if (!valid(mmap) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_add_dev(mmap, dev);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = api13_dev_check(dev);
	if (ret != DOCA_SUCCESS)
		return ret;
	devs = calloc(mmap->nr_devs + 1, sizeof(struct doca_dev *));
	if (!devs)
		return DOCA_ERROR_NO_MEMORY;
	if (mmap->nr_devs)
		memcpy(devs, mmap->devs, mmap->nr_devs * sizeof(*devs));
	devs[mmap->nr_devs] = dev;
	ret = change_devs(mmap, devs, mmap->nr_devs + 1);
	if (ret != DOCA_SUCCESS)
		free(devs);
	return ret;
}

PUBLIC doca_error_t doca_mmap_dev_rm(struct doca_mmap *mmap,
				     struct doca_dev *dev)
{
	struct doca_dev **devs;
	uint32_t i, nr = 0;
	doca_error_t ret;

	if (!valid(mmap) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_change_devs(mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!api13_mmap_has_dev(mmap, dev)) {
		DOCA_LOG_ERR("cannot remove a device that mmap %p \"%s\" does "
			     "not have",
			     (void *)mmap, mmap->name);
		return DOCA_ERROR_NOT_FOUND;
	}
	devs = calloc(mmap->nr_devs, sizeof(struct doca_dev *));
	if (!devs)
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < mmap->nr_devs; i++)
		if (mmap->devs[i] != dev)
			devs[nr++] = mmap->devs[i];
	ret = change_devs(mmap, devs, nr);
	if (ret != DOCA_SUCCESS)
		free(devs);
	return ret;
}
