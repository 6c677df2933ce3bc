// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Inventories of buffers. Creation and expansion allocate all memory; getting and
 * returning buffers allocate nothing.
 */
#include <stdlib.h>

#include "buf_inventory.h"
#include "core/base/log.h"
#include "core/objects.h"

LOG_SOURCE("COMMON::BUF_INVENTORY");

static doca_error_t add_chunk(struct doca_buf_inventory *inventory, uint32_t n)
{
	struct inventory_chunk *chunk;

	chunk = malloc(sizeof(*chunk));
	if (!chunk)
		return OUT_OF_MEMORY("buffers");
	chunk->bufs = aligned_alloc(sizeof(struct doca_buf),
				    n * sizeof(struct doca_buf));
	if (!chunk->bufs) {
		free(chunk);
		return FAIL(NO_MEMORY, "out of memory for %u buffers", n);
	}
	doca_priv_debug_add(chunk->bufs, &doca_priv_buf_object,
			    sizeof(struct doca_buf), n);
	chunk->next = inventory->chunks;
	inventory->chunks = chunk;
	stock_fill(&inventory->stock, chunk->bufs, n);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_create(size_t num_elements,
				       struct doca_buf_inventory **inventory)
{
	struct doca_buf_inventory *new;
	doca_error_t res;

	if (!given(inventory) || !given(num_elements) ||
	    refused(num_elements > UINT32_MAX))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("an inventory");
	res = add_chunk(new, num_elements);
	if (res != DOCA_SUCCESS) {
		free(new);
		return res;
	}
	doca_priv_debug_add(new, &doca_priv_buf_inventory_object, sizeof(*new),
			    1);
	*inventory = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
				       uint32_t num_elements)
{
	if (!valid(inventory) || !given(num_elements) ||
	    refused(num_elements > UINT32_MAX - inventory->stock.nr_bufs))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	return add_chunk(inventory, num_elements);
}

doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
	struct inventory_chunk *chunk;

	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	if (stock_taken(&inventory->stock)) {
		LOG_ERR("cannot destroy inventory %p: %u of its buffers are in "
			"use; release them with doca_buf_dec_refcount()",
			(void *)inventory, stock_taken(&inventory->stock));
		return DOCA_ERROR_IN_USE;
	}
	while ((chunk = inventory->chunks)) {
		inventory->chunks = chunk->next;
		doca_priv_debug_free(chunk->bufs);
		free(chunk);
	}
	LOG_DBG("inventory %p is destroyed", (void *)inventory);
	doca_priv_debug_free(inventory);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	inventory->stock.started = true;
	inventory->stock.told_empty = false;
	LOG_DBG("inventory %p is started: %u buffers, %u free",
		(void *)inventory, inventory->stock.nr_bufs,
		inventory->stock.nr_free);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	inventory->stock.started = false;
	LOG_DBG("inventory %p is stopped", (void *)inventory);
	return DOCA_SUCCESS;
}

static doca_error_t not_started(const struct doca_buf_inventory *inventory)
{
	return FAIL(BAD_STATE,
		    "inventory %p is not started: call "
		    "doca_buf_inventory_start()",
		    (const void *)inventory);
}

/* Programs may try repeatedly until there is a buffer. */
static doca_error_t empty(struct doca_buf_inventory *inventory)
{
	return FAIL_AGAIN(inventory->stock.told_empty, NO_MEMORY,
			  "inventory %p is empty: all of its %u buffers are in "
			  "use; release some, or make it larger",
			  (void *)inventory, inventory->stock.nr_bufs);
}

/* Give a buffer memory of its mmap, which mmap_buf_get() has counted. */
static void give_memory(struct doca_buf *buf, void *addr, size_t len,
			void *data, size_t data_len)
{
	const struct mmap_owner *owner = buf->mmap->owner;

	buf->head = addr;
	buf->len = len;
	buf->data = data;
	buf->data_len = data_len;
	doca_priv_buf_update(buf);
	if (owner)
		owner->get(owner, addr);
}

/* Take a buffer, which there must be, and give it memory. */
static struct doca_buf *take(struct doca_buf_inventory *inventory,
			     struct doca_mmap *mmap, void *addr, size_t len,
			     void *data, size_t data_len)
{
	struct doca_buf *buf = stock_take(&inventory->stock);

	buf->mmap = mmap;
	give_memory(buf, addr, len, data, data_len);
	return buf;
}

doca_error_t
doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
				   struct doca_mmap *mmap, void *addr,
				   size_t len, void *data, size_t data_len,
				   struct doca_buf **buf)
{
	uintptr_t offset = (uintptr_t)data - (uintptr_t)addr;
	doca_error_t res;

	if (!valid(inventory) || !valid(mmap) || !given(addr) || !given(data) ||
	    !given(buf) || refused(offset > len || data_len > len - offset))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	if (!inventory->stock.started)
		return not_started(inventory);
	if (!inventory->stock.free)
		return empty(inventory);
	res = mmap_buf_get(mmap, addr, len);
	if (res != DOCA_SUCCESS)
		return mmap_buf_refused(mmap, addr, len, res);
	*buf = take(inventory, mmap, addr, len, data, data_len);
	return DOCA_SUCCESS;
}

/* A task in flight is known of the head of its list only, which it holds. */
static doca_error_t may_reuse(const struct doca_buf *buf)
{
	doca_error_t res = DOCA_ERROR_NOT_PERMITTED;
	const char *why;

	if (!buf->refcount) {
		why = "it was released already";
		res = DOCA_ERROR_INVALID_VALUE;
	} else if (buf->stock->resident) {
		why = "it is of a pool, which has given it its memory";
	} else if (buf->holds > 1) {
		why = "a task in flight has it";
		res = DOCA_ERROR_IN_USE;
	} else if (buf->mmap->owner && buf->chained) {
		why = "it is in a list, and its memory is given back to its "
		      "owner, while a task may have the list";
	} else {
		return DOCA_SUCCESS;
	}
	LOG_ERR("cannot reuse buffer %p: %s", (const void *)buf, why);
	return res;
}

/* Get the new memory before the old is released, so that a failure changes nothing. */
static doca_error_t reuse(struct doca_buf *buf, void *addr, size_t len,
			  size_t data_len)
{
	doca_error_t res = may_reuse(buf);

	if (res != DOCA_SUCCESS)
		return res;
	res = mmap_buf_get(buf->mmap, addr, len);
	if (res != DOCA_SUCCESS) {
		LOG_ERR("cannot reuse buffer %p: %zu bytes at %p are not "
			"within its mmap",
			(void *)buf, len, addr);
		return res;
	}
	buf_put_memory(buf);
	give_memory(buf, addr, len, addr, data_len);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf,
						  void *addr, size_t len)
{
	if (!valid(buf) || !given(addr))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf->stock, return DOCA_ERROR_IN_USE);
	return reuse(buf, addr, len, 0);
}

doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf,
						  void *data, size_t data_len)
{
	if (!valid(buf) || !given(data))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(buf->stock, return DOCA_ERROR_IN_USE);
	return reuse(buf, data, data_len, data_len);
}

doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf,
					struct doca_buf **dst_buf)
{
	struct doca_buf *head = NULL;
	struct doca_buf **link = &head;
	struct doca_buf *dup;
	doca_error_t res;

	if (!valid(inventory) || !valid(src_buf) || !given(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	if (!src_buf->refcount) {
		LOG_ERR("cannot duplicate buffer %p: it was released already",
			(const void *)src_buf);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!inventory->stock.started)
		return not_started(inventory);
	if (src_buf->chained)
		return FAIL(NOT_PERMITTED,
			    "cannot copy buffer %p: it is in a list, and not "
			    "its head",
			    (const void *)src_buf);
	for (; src_buf; src_buf = src_buf->next) {
		if (!inventory->stock.free) {
			res = empty(inventory);
			goto err_free;
		}
		res = mmap_buf_get(src_buf->mmap, src_buf->head, src_buf->len);
		if (res != DOCA_SUCCESS) {
			mmap_buf_refused(src_buf->mmap, src_buf->head,
					 src_buf->len, res);
			goto err_free;
		}
		*link = take(inventory, src_buf->mmap, src_buf->head,
			     src_buf->len, src_buf->data, src_buf->data_len);
		(*link)->chained = link != &head;
		link = &(*link)->next;
	}
	for (dup = head; dup; dup = dup->next)
		doca_priv_buf_update(dup);
	*dst_buf = head;
	return DOCA_SUCCESS;

err_free:
	if (head)
		doca_priv_buf_free(head);
	return res;
}

doca_error_t
doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
				    uint32_t *num_of_elements)
{
	if (!valid(inventory) || !given(num_of_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_elements = inventory->stock.nr_bufs;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_free_elements(
	const struct doca_buf_inventory *inventory,
	uint32_t *num_of_free_elements)
{
	if (!valid(inventory) || !given(num_of_free_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_free_elements = inventory->stock.nr_free;
	return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
				 union doca_data *user_data)
{
	if (!valid(inventory) || !given(user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = inventory->stock.user_data;
	return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
				 union doca_data user_data)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	inventory->stock.user_data = user_data;
	return DOCA_SUCCESS;
}
