// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Inventories, and the buffers in them. */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::BUF_INVENTORY);

#define EXTENSIONS DOCA_BUF_EXTENSION_LINKED_LIST

/* In debug mode a buffer is reused as late as possible. */
static void free_buf(struct doca_buf_inventory *inventory, struct doca_buf *buf)
{
	if (doca_priv_debug && inventory->free) {
		buf->next_free = NULL;
		inventory->last_free->next_free = buf;
		inventory->last_free = buf;
	} else {
		buf->next_free = inventory->free;
		if (!buf->next_free)
			inventory->last_free = buf;
		inventory->free = buf;
	}
	inventory->nr_free++;
}

static struct doca_buf_inventory *alloc_inventory(size_t nr)
{
	struct doca_buf_inventory *inventory = calloc(1, sizeof(*inventory));
	size_t i;

	if (!inventory)
		return NULL;
	inventory->bufs = calloc(nr, sizeof(*inventory->bufs));
	if (!inventory->bufs) {
		free(inventory);
		return NULL;
	}
	inventory->nr = nr;
	for (i = nr; i--;) {
		inventory->bufs[i].inventory = inventory;
		free_buf(inventory, &inventory->bufs[i]);
	}
	return inventory;
}

doca_error_t api13_inventory_new(const char *name, size_t nr,
				 uint32_t extensions,
				 struct doca_buf_inventory **inventory,
				 const char *func)
{
	struct doca_buf_inventory *new;
	doca_error_t ret;

	if (!given_to(func, inventory))
		return DOCA_ERROR_INVALID_VALUE;
	if (!nr || nr > UINT32_MAX || extensions & ~EXTENSIONS) {
		DOCA_LOG_ERR("cannot create an inventory of %zu elements with "
			     "extensions %#x: from 1 to UINT32_MAX elements "
			     "are possible, and extensions %#x",
			     nr, extensions, EXTENSIONS);
		return DOCA_ERROR_INVALID_VALUE;
	}
	new = alloc_inventory(nr);
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	ret = v3_buf_inventory_create(nr, &new->v3);
	if (ret == DOCA_SUCCESS)
		ret = v3_buf_inventory_start(new->v3);
	if (ret != DOCA_SUCCESS) {
		if (new->v3)
			v3_buf_inventory_destroy(new->v3);
		free(new->bufs);
		free(new);
		return ret;
	}
	api13_set_name(new->name, name);
	new->extensions = extensions;
	doca_priv_debug_add(new, &api13_inventory_object, sizeof(*new), 1);
	doca_priv_debug_add(new->bufs, &api13_buf_object, sizeof(*new->bufs),
			    nr);
	*inventory = new;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_buf_inventory_create(
	const char *name, size_t num_elements, uint32_t extensions,
	struct doca_buf_inventory **buf_inventory)
{
	return api13_inventory_new(name, num_elements, extensions,
				   buf_inventory, __func__);
}

PUBLIC doca_error_t
doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
	doca_error_t ret;

	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	if (inventory->nr_free < inventory->nr) {
		DOCA_LOG_ERR("cannot destroy inventory %p \"%s\": %u of its "
			     "buffers are taken; release them first",
			     (void *)inventory, inventory->name,
			     inventory->nr - inventory->nr_free);
		return DOCA_ERROR_IN_USE;
	}
	ret = v3_buf_inventory_destroy(inventory->v3);
	if (ret != DOCA_SUCCESS)
		return ret;
	doca_priv_debug_free(inventory->bufs);
	doca_priv_debug_free(inventory);
	return DOCA_SUCCESS;
}

/* Return a property and check its size; NULL if there is none. */
static const void *property_at(const struct doca_buf_inventory *inventory,
			       enum doca_buf_inventory_property property,
			       uint32_t size)
{
	const struct {
		const void *at;
		uint32_t size;
	} properties[] = {
		[DOCA_BUF_INVENTORY_NAME] = { inventory->name, NAME_SIZE },
		[DOCA_BUF_INVENTORY_NUM_ELEMENTS] = { &inventory->nr, 4 },
		[DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS] = { &inventory->nr_free,
							   4 },
		[DOCA_BUF_INVENTORY_EXTENSIONS] = { &inventory->extensions, 4 },
	};

	if ((unsigned int)property <
		    sizeof(properties) / sizeof(properties[0]) &&
	    size == properties[property].size)
		return properties[property].at;
	DOCA_LOG_ERR("there is no property %u of inventories that has %u bytes",
		     property, size);
	return NULL;
}

PUBLIC doca_error_t
doca_buf_inventory_property_set(struct doca_buf_inventory *inventory,
				enum doca_buf_inventory_property property,
				const void *value, uint32_t size)
{
	if (!valid(inventory) || !given(value) ||
	    !property_at(inventory, property, size))
		return DOCA_ERROR_INVALID_VALUE;
	DOCA_LOG_ERR("cannot set property %u of inventory %p: properties of "
		     "inventories can only be read",
		     property, (void *)inventory);
	return DOCA_ERROR_NOT_PERMITTED;
}

PUBLIC doca_error_t doca_buf_inventory_property_get(
	struct doca_buf_inventory *inventory,
	enum doca_buf_inventory_property property, void *value, uint32_t size)
{
	const void *at;

	if (!valid(inventory) || !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	at = property_at(inventory, property, size);
	if (!at)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(value, at, size);
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t
doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	inventory->started = true;
	return DOCA_SUCCESS;
}

PUBLIC doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
	if (!valid(inventory))
		return DOCA_ERROR_INVALID_VALUE;
	inventory->started = false;
	return DOCA_SUCCESS;
}

static doca_error_t may_take(const struct doca_buf_inventory *inventory,
			     const struct doca_mmap *mmap)
{
	if (!inventory->started) {
		DOCA_LOG_ERR("cannot take a buffer: inventory %p \"%s\" is not "
			     "started",
			     (const void *)inventory, inventory->name);
		return DOCA_ERROR_BAD_STATE;
	}
	if (!mmap->started) {
		DOCA_LOG_ERR("cannot take a buffer: mmap %p \"%s\" is not "
			     "started",
			     (const void *)mmap, mmap->name);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

static doca_error_t take(struct doca_buf_inventory *inventory,
			 const struct doca_buf *like, void *data,
			 size_t data_len, struct doca_buf **out)
{
	struct doca_buf *buf = inventory->free;
	struct v3_buf *v3;
	doca_error_t ret;

	if (!buf)
		return DOCA_ERROR_NO_MEMORY;
	ret = v3_buf_inventory_buf_get_by_args(inventory->v3, like->chunk->v3,
					       like->head, like->len, data,
					       data_len, &v3);
	if (ret != DOCA_SUCCESS)
		return ret;
	inventory->free = buf->next_free;
	inventory->nr_free--;
	*buf = *like;
	buf->v3 = v3;
	buf->inventory = inventory;
	buf->holds = 1;
	buf_unready(buf);
	if (data == buf->head && data_len)
		buf->source_len = data_len;
	else if (data == buf->head)
		buf->room = buf->len;
	buf->mmap->nr_bufs++;
	*out = buf;
	return DOCA_SUCCESS;
}

doca_error_t api13_buf_take(struct doca_buf_inventory *inventory,
			    struct doca_mmap *mmap, void *addr, size_t len,
			    void *data, size_t data_len, struct doca_buf **out,
			    const char *func)
{
	struct doca_buf like = { .head = addr, .len = len, .mmap = mmap };
	doca_error_t ret;

	if (!valid_to(func, inventory) || !valid_to(func, mmap) ||
	    !given_to(func, addr) || !given_to(func, len) ||
	    !given_to(func, data) || !given_to(func, out))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_take(inventory, mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	like.chunk = api13_mmap_find(mmap, addr, len);
	if (!like.chunk) {
		DOCA_LOG_ERR("cannot take a buffer: no chunk of mmap %p \"%s\" "
			     "has %zu bytes at %p",
			     (void *)mmap, mmap->name, len, addr);
		return DOCA_ERROR_NOT_FOUND;
	}
	return take(inventory, &like, data, data_len, out);
}

PUBLIC doca_error_t doca_buf_inventory_buf_by_addr(
	struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
	void *addr, size_t len, struct doca_buf **buf)
{
	return api13_buf_take(inventory, mmap, addr, len, addr, 0, buf,
			      __func__);
}

PUBLIC doca_error_t doca_buf_inventory_buf_dup(
	struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
	struct doca_buf **dst_buf)
{
	struct doca_buf like;
	size_t data_len = 0;
	doca_error_t ret;
	void *data = NULL;

	if (!valid(inventory) || !valid(src_buf) || !given(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (!src_buf->len) {
		DOCA_LOG_ERR("cannot duplicate buffer %p: it was released",
			     (const void *)src_buf);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = may_take(inventory, src_buf->mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	like = (struct doca_buf){ .head = src_buf->head,
				  .len = src_buf->len,
				  .mmap = src_buf->mmap,
				  .chunk = src_buf->chunk };
	v3_buf_get_data(src_buf->v3, &data);
	v3_buf_get_data_len(src_buf->v3, &data_len);
	return take(inventory, &like, data, data_len, dst_buf);
}

void api13_buf_put(struct doca_buf *buf)
{
	v3_buf_dec_refcount(buf->v3, NULL);
	buf->mmap->nr_bufs--;
	free_buf(buf->inventory, buf);
}

void api13_drop_bufs(struct doca_buf *src, struct doca_buf *dst)
{
	api13_buf_put(src);
	if (!--dst->holds)
		api13_buf_put(dst);
}
