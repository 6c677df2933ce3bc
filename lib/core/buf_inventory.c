// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Inventories of buffers. All memory is allocated when an inventory is created or
 * expanded; getting a buffer and giving it back allocate nothing.
 */
#include <stdlib.h>

#include "buf_inventory.h"
#include "debug.h"
#include "log.h"

LOG_SOURCE("COMMON::BUF_INVENTORY");

static doca_error_t add_chunk(struct doca_buf_inventory *inventory, uint32_t n)
{
	struct inventory_chunk *chunk;

	chunk = malloc(sizeof(*chunk));
	if (!chunk)
		return DOCA_ERROR_NO_MEMORY;
	chunk->bufs = aligned_alloc(sizeof(struct doca_buf),
				    n * sizeof(struct doca_buf));
	if (!chunk->bufs) {
		free(chunk);
		return DOCA_ERROR_NO_MEMORY;
	}
	doca_priv_debug_add(chunk->bufs, DEBUG_BUF, sizeof(struct doca_buf), n);
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

	if (!inventory || !num_elements || num_elements > UINT32_MAX)
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	res = add_chunk(new, num_elements);
	if (res != DOCA_SUCCESS) {
		free(new);
		return res;
	}
	doca_priv_debug_add(new, DEBUG_BUF_INVENTORY, sizeof(*new), 1);
	*inventory = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
				       uint32_t num_elements)
{
	if (!valid(inventory) || !num_elements ||
	    num_elements > UINT32_MAX - inventory->stock.nr_bufs)
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
	doca_priv_debug_free(inventory);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	inventory->stock.started = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	inventory->stock.started = false;
	return DOCA_SUCCESS;
}

/* Take a buffer, which there must be, for memory counted by mmap_buf_get(). */
static struct doca_buf *take(struct doca_buf_inventory *inventory,
			     struct doca_mmap *mmap, void *addr, size_t len,
			     void *data, size_t data_len)
{
	struct doca_buf *buf = stock_take(&inventory->stock);

	buf->head = addr;
	buf->len = len;
	buf->data = data;
	buf->data_len = data_len;
	buf->mmap = mmap;
	doca_priv_buf_update(buf);
	if (mmap->owner)
		mmap->owner->get(mmap->owner, addr);
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

	if (!valid(inventory) || !valid(mmap) || !addr || !data || !buf ||
	    offset > len || data_len > len - offset)
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	if (!inventory->stock.started)
		return DOCA_ERROR_BAD_STATE;
	if (!inventory->stock.free)
		return DOCA_ERROR_NO_MEMORY;
	res = mmap_buf_get(mmap, addr, len);
	if (res != DOCA_SUCCESS)
		return res;
	*buf = take(inventory, mmap, addr, len, data, data_len);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf,
					struct doca_buf **dst_buf)
{
	struct doca_buf *head = NULL;
	struct doca_buf **link = &head;
	struct doca_buf *dup;
	doca_error_t res;

	if (!valid(inventory) || !valid(src_buf) || !dst_buf)
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(inventory, return DOCA_ERROR_IN_USE);
	if (!inventory->stock.started)
		return DOCA_ERROR_BAD_STATE;
	if (src_buf->chained)
		return DOCA_ERROR_NOT_PERMITTED;
	for (; src_buf; src_buf = src_buf->next) {
		res = DOCA_ERROR_NO_MEMORY;
		if (!inventory->stock.free)
			goto err_free;
		res = mmap_buf_get(src_buf->mmap, src_buf->head, src_buf->len);
		if (res != DOCA_SUCCESS)
			goto err_free;
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
	if (!valid(inventory) || !num_of_elements)
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_elements = inventory->stock.nr_bufs;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_free_elements(
	const struct doca_buf_inventory *inventory,
	uint32_t *num_of_free_elements)
{
	if (!valid(inventory) || !num_of_free_elements)
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_free_elements = inventory->stock.nr_free;
	return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
				 union doca_data *user_data)
{
	if (!valid(inventory) || !user_data)
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
	if (!inventory->stock.started)
		return DOCA_ERROR_BAD_STATE;
	inventory->stock.user_data = user_data;
	return DOCA_SUCCESS;
}
