// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Exports of memory maps: the descriptor of level 3.0 within a JSON text, in which
 * programs read the range. A text is imported only if the same text would be made of
 * its parts. So only the bytes of the inner descriptor are parsed, and there is no
 * other spelling.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::MMAP);

#define MAX_TEXT 1000 /* bytes, with NUL */
#define MAX_BYTES 440 /* the inner descriptor's */
#define HEAD "{\"addr\":%" PRIu64 ",\"len\":%zu,\"desc\":\""
#define TAIL "\"}"

/* Write a text of MAX_TEXT bytes at most. Returns its size with NUL. */
static size_t compose(char *text, const void *addr, size_t len,
		      const unsigned char *bytes, size_t nr)
{
	size_t i, n;

	n = sprintf(text, HEAD, (uint64_t)(uintptr_t)addr, len);
	for (i = 0; i < nr; i++)
		n += sprintf(text + n, "%02x", bytes[i]);
	strcpy(text + n, TAIL);
	return n + sizeof(TAIL);
}

static doca_error_t may_export(const struct doca_mmap *mmap,
			       const struct doca_dev *dev)
{
	doca_error_t ret = api13_mmap_may_change(mmap, "export");

	if (ret != DOCA_SUCCESS)
		return ret;
	if (mmap->nr_chunks != 1) {
		DOCA_LOG_ERR("cannot export mmap %p \"%s\": it has %u chunks, "
			     "not one",
			     (const void *)mmap, mmap->name, mmap->nr_chunks);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (api13_mmap_has_dev(mmap, dev))
		return DOCA_SUCCESS;
	DOCA_LOG_ERR("cannot export mmap %p \"%s\" for a device that it does "
		     "not have",
		     (const void *)mmap, mmap->name);
	return DOCA_ERROR_NOT_FOUND;
}

PUBLIC doca_error_t doca_mmap_export(struct doca_mmap *mmap,
				     const struct doca_dev *dev,
				     void **export_desc,
				     size_t *export_desc_len)
{
	const struct chunk *chunk;
	const void *bytes;
	doca_error_t ret;
	char *text;
	size_t nr;

	if (!valid(mmap) || !valid(dev) || !given(export_desc) ||
	    !given(export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_export(mmap, dev);
	if (ret != DOCA_SUCCESS)
		return ret;
	text = malloc(MAX_TEXT);
	if (!text)
		return DOCA_ERROR_NO_MEMORY;
	chunk = mmap->first;
	ret = v3_mmap_export_pci(chunk->v3, dev, &bytes, &nr);
	if (ret == DOCA_SUCCESS && nr > MAX_BYTES) {
		DOCA_LOG_ERR("cannot export mmap %p \"%s\": its descriptor has "
			     "%zu bytes, more than %u",
			     (void *)mmap, mmap->name, nr, MAX_BYTES);
		ret = DOCA_ERROR_NOT_SUPPORTED;
	}
	if (ret != DOCA_SUCCESS) {
		free(text);
		return ret;
	}
	*export_desc_len = compose(text, chunk->addr, chunk->len, bytes, nr);
	*export_desc = text;
	mmap->exported = true;
	return DOCA_SUCCESS;
}

struct descriptor {
	char text[MAX_TEXT];
	uint64_t addr;
	size_t len;
	unsigned char bytes[MAX_BYTES];
	size_t nr;
};

/* Return true if this library has made the text. */
static bool parse(struct descriptor *desc, const char *text, size_t len)
{
	size_t size = strnlen(text, len < MAX_TEXT ? len : MAX_TEXT);
	char again[MAX_TEXT];
	int at = 0;

	if (size == len || size >= MAX_TEXT)
		return false;
	memcpy(desc->text, text, size + 1);
	if (sscanf(desc->text, HEAD "%n", &desc->addr, &desc->len, &at) != 2 ||
	    !at)
		return false;
	for (desc->nr = 0; desc->nr < MAX_BYTES; desc->nr++, at += 2)
		if (at + 2u > size || sscanf(desc->text + at, "%2hhx",
					     &desc->bytes[desc->nr]) != 1)
			break;
	return compose(again, (void *)(uintptr_t)desc->addr, desc->len,
		       desc->bytes, desc->nr) == size + 1 &&
	       !memcmp(again, desc->text, size + 1);
}

/* The range that programs have read must be the driver's. */
static doca_error_t check_range(const struct descriptor *desc,
				struct chunk *chunk)
{
	doca_error_t ret =
		v3_mmap_get_memrange(chunk->v3, &chunk->addr, &chunk->len);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (desc->addr == (uintptr_t)chunk->addr && desc->len == chunk->len)
		return DOCA_SUCCESS;
	DOCA_LOG_ERR("cannot import memory: the range of the descriptor was "
		     "altered");
	return DOCA_ERROR_NOT_PERMITTED;
}

static doca_error_t open_import(const struct descriptor *desc,
				struct doca_dev *dev, struct v3_mmap **v3)
{
	doca_error_t ret = v3_mmap_create_from_export(NULL, desc->bytes,
						      desc->nr, dev, v3);

	if (ret != DOCA_ERROR_INVALID_VALUE)
		return ret;
	DOCA_LOG_ERR("cannot import memory: the descriptor was altered or "
		     "revoked, its owner has exited, or the device cannot be "
		     "used here");
	return DOCA_ERROR_NOT_PERMITTED;
}

static doca_error_t fill_import(struct doca_mmap *mmap,
				const struct descriptor *desc,
				struct doca_dev *dev)
{
	struct chunk *chunk;
	doca_error_t ret;

	mmap->from_export = true;
	chunk = api13_chunk_new(mmap, NULL, 0, &ret);
	if (!chunk)
		return ret;
	ret = open_import(desc, dev, &chunk->v3);
	if (ret != DOCA_SUCCESS)
		goto err_chunk;
	ret = check_range(desc, chunk);
	DOCA_ERROR_PROPAGATE(ret, api13_mmap_insert(mmap, chunk));
	if (ret != DOCA_SUCCESS)
		goto err_v3;
	mmap->started = true;
	mmap->ever_started = true;
	return DOCA_SUCCESS;

err_v3:
	v3_mmap_destroy(chunk->v3);
err_chunk:
	free(chunk);
	return ret;
}

doca_error_t api13_mmap_import(const char *name, const void *desc, size_t len,
			       struct doca_dev *dev, struct doca_mmap **mmap,
			       const char *func)
{
	struct descriptor *parsed;
	struct doca_mmap *new;
	doca_error_t ret;

	if (!given_to(func, desc) || !valid_to(func, dev) ||
	    !given_to(func, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	parsed = malloc(sizeof(*parsed));
	if (!parsed)
		return DOCA_ERROR_NO_MEMORY;
	ret = DOCA_ERROR_INVALID_VALUE;
	if (!parse(parsed, desc, len)) {
		DOCA_LOG_ERR("cannot import memory: the %zu bytes are no whole "
			     "descriptor of doca_mmap_export()",
			     len);
		goto out;
	}
	ret = api13_mmap_new(name, &new, func);
	if (ret != DOCA_SUCCESS)
		goto out;
	ret = fill_import(new, parsed, dev);
	if (ret == DOCA_SUCCESS)
		*mmap = new;
	else
		api13_mmap_free(new);
out:
	free(parsed);
	return ret;
}

PUBLIC doca_error_t doca_mmap_create_from_export(const char *name,
						 const void *export_desc,
						 size_t export_desc_len,
						 struct doca_dev *dev,
						 struct doca_mmap **mmap)
{
	return api13_mmap_import(name, export_desc, export_desc_len, dev, mmap,
				 __func__);
}
