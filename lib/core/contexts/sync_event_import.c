// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events of other processes, made from their export descriptors. */
#include <endian.h>
#include <string.h>

#include <doca_error.h>
#include <doca_mmap.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/memory/mmap.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

doca_error_t sync_desc_parse(const uint8_t *data, size_t sz, const void **blob,
			     size_t *len)
{
	struct sync_desc head;

	if (sz < sizeof(head) || sz > SYNC_DESC_MAX)
		goto bad;
	memcpy(&head, data, sizeof(head));
	if (le32toh(head.magic) != SYNC_DESC_MAGIC)
		goto bad;
	if (le16toh(head.version) != SYNC_DESC_VERSION) {
		LOG_ERR("cannot make a sync event: the export is of version "
			"%u, not %u",
			le16toh(head.version), SYNC_DESC_VERSION);
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

bool sync_is_value(const struct doca_mmap *mmap, uint32_t access)
{
	return mmap->len == sizeof(uint64_t) &&
	       (mmap->access & access) == access &&
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
	static const struct log_site site = LOG_SITE;
	struct doca_sync_event *new;
	struct doca_mmap *mmap;
	const void *blob;
	doca_error_t ret;
	size_t len;

	if (!valid(dev) || !given(data) || !given(event))
		return DOCA_ERROR_INVALID_VALUE;
	ret = sync_desc_parse(data, sz, &blob, &len);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_mmap_create_from_export(NULL, blob, len, dev, &mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!mmap->writable || doca_priv_mmap_is_peers(mmap) ||
	    !sync_is_value(mmap, 0)) {
		LOG_ERR("cannot make a sync event: the export is not of a "
			"value");
		ret = DOCA_ERROR_INVALID_VALUE;
		goto err_mmap;
	}
	ret = sync_event_new(&new, &site);
	if (ret != DOCA_SUCCESS)
		goto err_mmap;
	set_import(new, dev, mmap);
	LOG_DBG("sync event %p is imported through %s", (void *)new,
		dev->info.name);
	*event = new;
	return DOCA_SUCCESS;

err_mmap:
	doca_mmap_destroy(mmap);
	return ret;
}
