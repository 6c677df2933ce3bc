// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Properties of memory maps. */
#include <string.h>

#include <doca_log.h>

#include "api13.h"
#include "debug.h"

DOCA_LOG_REGISTER(API13::MMAP);

#define ACCESS                               \
	(DOCA_MMAP_ACCESS_LOCAL_READ_WRITE | \
	 DOCA_MMAP_ACCESS_REMOTE_READ_ONLY | \
	 DOCA_MMAP_ACCESS_REMOTE_READ_WRITE)
#define REMOTE \
	(DOCA_MMAP_ACCESS_REMOTE_READ_ONLY | DOCA_MMAP_ACCESS_REMOTE_READ_WRITE)

struct property {
	const void *at;
	uint32_t size;
	bool may_set;
};

/* Returns a place of NULL if there is no such property of that size. */
static struct property find(const struct doca_mmap *mmap,
			    enum doca_mmap_property property, uint32_t size)
{
	const struct property properties[] = {
		[DOCA_MMAP_NAME] = { mmap->name, NAME_SIZE, false },
		[DOCA_MMAP_MAX_NUM_CHUNKS] = { &mmap->max_chunks, 4, true },
		[DOCA_MMAP_MAX_NUM_DEVICES] = { &mmap->max_devs, 4, true },
		[DOCA_MMAP_NUM_BUFS] = { &mmap->nr_bufs, 4, false },
		[DOCA_MMAP_EXPORTED] = { &mmap->exported, 1, false },
		[DOCA_MMAP_FROM_EXPORT] = { &mmap->from_export, 1, false },
		[DOCA_MMAP_ACCESS_FLAGS] = { &mmap->access, 4, true },
	};

	if ((unsigned int)property <
		    sizeof(properties) / sizeof(properties[0]) &&
	    size == properties[property].size)
		return properties[property];
	DOCA_LOG_ERR("there is no property %u of mmaps that has %u bytes",
		     property, size);
	return (struct property){ 0 };
}

static doca_error_t may_set(const struct doca_mmap *mmap)
{
	if (!mmap->ever_started && !mmap->from_export)
		return DOCA_SUCCESS;
	DOCA_LOG_ERR("cannot set a property of mmap %p \"%s\": it was started, "
		     "or made from an export",
		     (const void *)mmap, mmap->name);
	return DOCA_ERROR_NOT_PERMITTED;
}

static bool is_possible(enum doca_mmap_property property, uint32_t value)
{
	if (property == DOCA_MMAP_ACCESS_FLAGS)
		return !(value & ~ACCESS) && (value & REMOTE) != REMOTE;
	return value;
}

static doca_error_t set(struct doca_mmap *mmap,
			enum doca_mmap_property property, uint32_t value)
{
	doca_error_t ret = may_set(mmap);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (!is_possible(property, value)) {
		DOCA_LOG_ERR("property %u of mmaps cannot be %u", property,
			     value);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (property == DOCA_MMAP_MAX_NUM_CHUNKS)
		mmap->max_chunks = value;
	else if (property == DOCA_MMAP_MAX_NUM_DEVICES)
		mmap->max_devs = value;
	else
		mmap->access = value;
	return DOCA_SUCCESS;
}

doca_error_t api13_mmap_set_max_chunks(struct doca_mmap *mmap, uint32_t max,
				       const char *func)
{
	if (!valid_to(func, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	return set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, max);
}

PUBLIC doca_error_t doca_mmap_property_set(struct doca_mmap *mmap,
					   enum doca_mmap_property property,
					   const void *value, uint32_t size)
{
	struct property is;
	uint32_t word;

	if (!valid(mmap) || !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	is = find(mmap, property, size);
	if (!is.at)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is.may_set) {
		DOCA_LOG_ERR("property %u of mmaps can only be read", property);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	memcpy(&word, value, sizeof(word));
	return set(mmap, property, word);
}

PUBLIC doca_error_t doca_mmap_property_get(struct doca_mmap *mmap,
					   enum doca_mmap_property property,
					   void *value, uint32_t size)
{
	struct property is;

	if (!valid(mmap) || !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	is = find(mmap, property, size);
	if (!is.at)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(value, is.at, size);
	return DOCA_SUCCESS;
}
