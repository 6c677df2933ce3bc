// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Pools of buffers; each buffer has its own part of one mmap for good.
 *
 * A started pool counts all of its buffers in the mmap. So the mmap stays started
 * as long as the pool, and taking a buffer need not check it.
 */
#include <stdlib.h>

#include <doca_buf_pool.h>

#include "buf_stock.h"
#include "core/base/log.h"
#include "core/objects.h"

LOG_SOURCE("COMMON::BUF_POOL");

struct doca_buf_pool {
	struct buf_stock stock;
	struct doca_mmap *mmap;
	size_t size; /* bytes of an element */
	size_t alignment;
	struct doca_buf *bufs;
};

doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
				  const struct doca_mmap *mmap,
				  struct doca_buf_pool **buf_pool)
{
	struct doca_buf_pool *pool;

	if (!given(num_elements) || refused(num_elements > UINT32_MAX) ||
	    !given(element_size) || !valid(mmap) || refused(!mmap->has_range) ||
	    !given(buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	pool = calloc(1, sizeof(*pool));
	if (!pool)
		return OUT_OF_MEMORY("a buffer pool");
	pool->bufs = aligned_alloc(sizeof(*pool->bufs),
				   num_elements * sizeof(*pool->bufs));
	if (!pool->bufs) {
		free(pool);
		return FAIL(NO_MEMORY, "out of memory for %zu buffers",
			    num_elements);
	}
	/* Counting buffers changes nothing that the mmap's owner can see. */
	pool->mmap = (struct doca_mmap *)mmap;
	pool->size = element_size;
	pool->alignment = 1;
	pool->stock.resident = true;
	stock_fill(&pool->stock, pool->bufs, num_elements);
	doca_priv_debug_add(pool, &doca_priv_buf_pool_object, sizeof(*pool), 1);
	doca_priv_debug_add(pool->bufs, &doca_priv_buf_object,
			    sizeof(*pool->bufs), num_elements);
	*buf_pool = pool;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
	doca_error_t res;

	if (!valid(buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf_pool, return DOCA_ERROR_IN_USE);
	res = doca_buf_pool_stop(buf_pool);
	if (res != DOCA_SUCCESS)
		return res;
	doca_priv_debug_free(buf_pool->bufs);
	doca_priv_debug_free(buf_pool);
	return DOCA_SUCCESS;
}

/* Places of the elements. */
struct layout {
	uintptr_t first;
	size_t stride;
	size_t total; /* bytes of all, with the gaps between them */
};

/* Return false if they would go beyond the end of the address space. */
static bool lay_out(const struct doca_buf_pool *pool, struct layout *layout)
{
	size_t mask = pool->alignment - 1;
	uintptr_t end;

	if (__builtin_add_overflow((uintptr_t)pool->mmap->addr, mask,
				   &layout->first) ||
	    __builtin_add_overflow(pool->size, mask, &layout->stride))
		return false;
	layout->first &= ~mask;
	layout->stride &= ~mask;
	return !__builtin_mul_overflow(layout->stride, pool->stock.nr_bufs - 1,
				       &layout->total) &&
	       !__builtin_add_overflow(layout->total, pool->size,
				       &layout->total) &&
	       !__builtin_add_overflow(layout->first, layout->total, &end);
}

static void place(struct doca_buf_pool *pool, const struct layout *layout)
{
	uint32_t i;

	for (i = 0; i < pool->stock.nr_bufs; i++) {
		struct doca_buf *buf = &pool->bufs[i];

		buf->head = (void *)(layout->first + i * layout->stride);
		buf->len = pool->size;
		buf->mmap = pool->mmap;
	}
}

static doca_error_t too_small(const struct doca_buf_pool *pool)
{
	LOG_ERR("cannot start pool %p: its mmap of %zu bytes has no room for "
		"%u elements of %zu bytes aligned to %zu",
		(const void *)pool, pool->mmap->len, pool->stock.nr_bufs,
		pool->size, pool->alignment);
	return DOCA_ERROR_INITIALIZATION;
}

doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
	struct layout layout;
	doca_error_t res;

	if (!valid(buf_pool) || !valid(buf_pool->mmap))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf_pool, return DOCA_ERROR_IN_USE);
	if (buf_pool->stock.started)
		return DOCA_SUCCESS;
	if (!lay_out(buf_pool, &layout))
		return too_small(buf_pool);
	res = mmap_bufs_get(buf_pool->mmap, (void *)layout.first, layout.total,
			    buf_pool->stock.nr_bufs);
	if (res == DOCA_ERROR_INVALID_VALUE)
		return too_small(buf_pool);
	if (res != DOCA_SUCCESS) {
		LOG_ERR("cannot start pool %p: its mmap is not started",
			(void *)buf_pool);
		return res;
	}
	place(buf_pool, &layout);
	buf_pool->stock.started = true;
	buf_pool->stock.told_empty = false;
	LOG_DBG("pool %p is started: %u buffers of %zu bytes", (void *)buf_pool,
		buf_pool->stock.nr_bufs, buf_pool->size);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
	if (!valid(buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf_pool, return DOCA_ERROR_IN_USE);
	if (!buf_pool->stock.started)
		return DOCA_SUCCESS;
	if (stock_taken(&buf_pool->stock)) {
		LOG_ERR("cannot stop pool %p: %u of its buffers are in use; "
			"release them with doca_buf_dec_refcount()",
			(void *)buf_pool, stock_taken(&buf_pool->stock));
		return DOCA_ERROR_IN_USE;
	}
	buf_pool->stock.started = false;
	LOG_DBG("pool %p is stopped", (void *)buf_pool);
	mmap_bufs_put(buf_pool->mmap, buf_pool->stock.nr_bufs);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool,
				     struct doca_buf **buf)
{
	if (!valid(buf_pool) || !given(buf))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf_pool, return DOCA_ERROR_IN_USE);
	if (!buf_pool->stock.started)
		return FAIL(BAD_STATE,
			    "pool %p is not started: call "
			    "doca_buf_pool_start()",
			    (void *)buf_pool);
	if (!buf_pool->stock.free)
		return FAIL_AGAIN(buf_pool->stock.told_empty, EMPTY,
				  "pool %p is empty: all of its %u buffers are "
				  "in use",
				  (void *)buf_pool, buf_pool->stock.nr_bufs);
	*buf = stock_take(&buf_pool->stock);
	(*buf)->data = (*buf)->head;
	(*buf)->data_len = 0;
	doca_priv_buf_update(*buf);
	return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
				    size_t *element_alignment)
{
	if (!valid(buf_pool) || !given(element_alignment))
		return DOCA_ERROR_INVALID_VALUE;
	*element_alignment = buf_pool->alignment;
	return DOCA_SUCCESS;
}

static doca_error_t may_set(const struct doca_buf_pool *pool, const char *what)
{
	if (!pool->stock.started)
		return DOCA_SUCCESS;
	LOG_ERR("cannot set the %s of pool %p: it is started", what,
		(const void *)pool);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
						 size_t element_alignment)
{
	doca_error_t res;

	if (!valid(buf_pool) || !given(element_alignment) ||
	    refused(element_alignment & (element_alignment - 1)))
		return DOCA_ERROR_INVALID_VALUE;
	res = may_set(buf_pool, "alignment");
	if (res == DOCA_SUCCESS)
		buf_pool->alignment = element_alignment;
	return res;
}

doca_error_t
doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
			       uint32_t *num_of_elements)
{
	if (!valid(buf_pool) || !given(num_of_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_elements = buf_pool->stock.nr_bufs;
	return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
				    uint32_t *num_of_free_elements)
{
	if (!valid(buf_pool) || !given(num_of_free_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_free_elements = buf_pool->stock.nr_free;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
					 union doca_data *user_data)
{
	if (!valid(buf_pool) || !given(user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = buf_pool->stock.user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool,
					 union doca_data user_data)
{
	doca_error_t res;

	if (!valid(buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	res = may_set(buf_pool, "user data");
	if (res == DOCA_SUCCESS)
		buf_pool->stock.user_data = user_data;
	return res;
}
