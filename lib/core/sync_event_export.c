// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Sync events shared with another process. What is exported is the memory of the
 * value, eight bytes and no more, as a memory map of its own; the descriptor says
 * that it is an event, so that neither is taken for the other.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>
#include <doca_mmap.h>

#include "dev.h"
#include "log.h"
#include "mmap.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

#define DESC_MAGIC 0x4e595344 /* "DSYN" */
#define DESC_VERSION 1
#define DESC_MAX 1024 /* programs keep descriptors in buffers of this size */

/* Little endian. */
struct desc_head {
	uint32_t magic;
	uint16_t version;
	uint16_t length; /* of the memory map's descriptor, which follows */
};

struct sync_export {
	struct sync_export *next;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	size_t size;
	uint8_t desc[];
};

doca_error_t sync_map(const struct doca_sync_event *event, struct doca_dev *dev,
		      uint32_t access, struct doca_mmap **mmap)
{
	struct doca_mmap *new;
	doca_error_t ret;

	ret = doca_mmap_create(&new);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_mmap_set_memrange(new, event->value, sizeof(*event->value));
	if (ret == DOCA_SUCCESS)
		ret = doca_mmap_set_permissions(new, access);
	if (ret == DOCA_SUCCESS)
		ret = doca_mmap_add_dev(new, dev);
	if (ret == DOCA_SUCCESS)
		ret = doca_mmap_start(new);
	if (ret == DOCA_SUCCESS)
		*mmap = new;
	else
		doca_mmap_destroy(new);
	return ret;
}

static struct sync_export *make_desc(const void *blob, size_t len)
{
	struct desc_head head = {
		.magic = htole32(DESC_MAGIC),
		.version = htole16(DESC_VERSION),
		.length = htole16(len),
	};
	struct sync_export *export;

	if (len > DESC_MAX - sizeof(head))
		return NULL;
	export = malloc(sizeof(*export) + sizeof(head) + len);
	if (!export)
		return NULL;
	export->size = sizeof(head) + len;
	memcpy(export->desc, &head, sizeof(head));
	memcpy(export->desc + sizeof(head), blob, len);
	return export;
}

static doca_error_t export_to(struct doca_sync_event *event,
			      struct doca_dev *dev, struct sync_export **out)
{
	struct sync_export *export;
	struct doca_mmap *mmap;
	const void *blob;
	doca_error_t ret;
	size_t len;

	ret = dev_has_driver(dev);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = sync_map(event, dev,
		       DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
			       DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		       &mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_mmap_export_pci(mmap, dev, &blob, &len);
	if (ret != DOCA_SUCCESS)
		goto err_mmap;
	export = make_desc(blob, len);
	if (!export) {
		ret = DOCA_ERROR_NO_MEMORY;
		goto err_mmap;
	}
	export->dev = dev;
	export->mmap = mmap;
	export->next = event->exports;
	event->exports = export;
	*out = export;
	return DOCA_SUCCESS;

err_mmap:
	doca_mmap_destroy(mmap);
	return ret;
}

void sync_drop_exports(struct doca_sync_event *event)
{
	struct sync_export *export;

	while ((export = event->exports)) {
		event->exports = export->next;
		doca_mmap_destroy(export->mmap);
		free(export);
	}
}

static doca_error_t may_export(const struct doca_sync_event *event)
{
	if (event->from_export) {
		LOG_ERR("cannot export sync event %p: it was made from an "
			"export",
			(const void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (!event->remote_pci) {
		LOG_ERR("cannot export sync event %p: it has no remote "
			"location; call "
			"doca_sync_event_add_..._location_remote_pci()",
			(const void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (!event->started) {
		LOG_ERR("cannot export sync event %p: it is not started",
			(const void *)event);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
						  struct doca_dev *dev,
						  const uint8_t **data,
						  size_t *sz)
{
	struct sync_export *export;
	doca_error_t ret;

	if (!sync_valid(event) || !valid(dev) || !data || !sz)
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_export(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	for (export = event->exports; export; export = export->next)
		if (export->dev == dev)
			break;
	if (!export) {
		ret = export_to(event, dev, &export);
		if (ret != DOCA_SUCCESS)
			return ret == DOCA_ERROR_INVALID_VALUE ?
				       DOCA_ERROR_DRIVER :
				       ret;
	}
	*data = export->desc;
	*sz = export->size;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_export_to_dpu(struct doca_sync_event *event,
					   struct doca_dev *dev,
					   const uint8_t **data, size_t *sz)
{
	return doca_sync_event_export_to_remote_pci(event, dev, data, sz);
}

/* The memory map's descriptor in an event's. */
static doca_error_t parse_desc(const uint8_t *data, size_t sz,
			       const void **blob, size_t *len)
{
	struct desc_head head;

	if (sz < sizeof(head) || sz > DESC_MAX)
		goto bad;
	memcpy(&head, data, sizeof(head));
	if (le32toh(head.magic) != DESC_MAGIC)
		goto bad;
	if (le16toh(head.version) != DESC_VERSION) {
		LOG_ERR("cannot make a sync event: the export is of version "
			"%u, not %u",
			le16toh(head.version), DESC_VERSION);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	*len = le16toh(head.length);
	if (!*len || *len != sz - sizeof(head))
		goto bad;
	*blob = data + sizeof(head);
	return DOCA_SUCCESS;

bad:
	LOG_ERR("cannot make a sync event: not an export of one");
	return DOCA_ERROR_INVALID_VALUE;
}

/* Whoever made the descriptor may have put another memory map into it. */
static bool is_value(const struct doca_mmap *mmap)
{
	return mmap->len == sizeof(uint64_t) && mmap->writable &&
	       (uintptr_t)mmap->addr % sizeof(uint64_t) == 0;
}

static void set_import(struct doca_sync_event *event, struct doca_dev *dev,
		       struct doca_mmap *mmap)
{
	event->ctx.dev = doca_priv_dev_get(dev);
	event->mmap = mmap;
	event->seg.address = (uintptr_t)mmap->addr;
	event->value = NULL;
	event->publisher = true;
	event->subscriber = true;
	event->from_export = true;
}

doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev,
						const uint8_t *data, size_t sz,
						struct doca_sync_event **event)
{
	struct doca_sync_event *new;
	struct doca_mmap *mmap;
	const void *blob;
	doca_error_t ret;
	size_t len;

	if (!valid(dev) || !data || !event)
		return DOCA_ERROR_INVALID_VALUE;
	ret = parse_desc(data, sz, &blob, &len);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_mmap_create_from_export(NULL, blob, len, dev, &mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!is_value(mmap)) {
		LOG_ERR("cannot make a sync event: the export is not of a "
			"value");
		ret = DOCA_ERROR_INVALID_VALUE;
		goto err_mmap;
	}
	new = sync_event_new();
	if (!new) {
		ret = DOCA_ERROR_NO_MEMORY;
		goto err_mmap;
	}
	set_import(new, dev, mmap);
	*event = new;
	return DOCA_SUCCESS;

err_mmap:
	doca_mmap_destroy(mmap);
	return ret;
}
