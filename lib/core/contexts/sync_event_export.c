// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Sync events shared with another process. The export is a memory map of its own
 * that has the value's eight bytes and no more.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>
#include <doca_mmap.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/memory/mmap.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

struct sync_export {
	struct sync_export *next;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	bool net; /* to peers in a network */
	size_t size;
	uint8_t desc[];
};

doca_error_t sync_map(const struct doca_sync_event *event, struct doca_dev *dev,
		      uint32_t access, struct doca_mmap **mmap)
{
	struct doca_mmap *new;
	doca_error_t ret;

	access |= DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
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
	struct sync_desc head = {
		.magic = htole32(SYNC_DESC_MAGIC),
		.version = htole16(SYNC_DESC_VERSION),
		.length = htole16(len),
	};
	struct sync_export *export;

	if (refused(len > SYNC_DESC_MAX - sizeof(head)))
		return NULL;
	export = malloc(sizeof(*export) + sizeof(head) + len);
	if (!export)
		return NULL;
	export->size = sizeof(head) + len;
	memcpy(export->desc, &head, sizeof(head));
	memcpy(export->desc + sizeof(head), blob, len);
	return export;
}

/*
 * Use the context's own map if possible: a write through one registration of
 * the value wakes waits through the same registration at once.
 */
static doca_error_t export_map(const struct doca_sync_event *event,
			       struct doca_dev *dev, struct doca_mmap **mmap)
{
	if (!event->mmap || dev != event->ctx.dev)
		return sync_map(event, dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE,
				mmap);
	*mmap = event->mmap;
	return DOCA_SUCCESS;
}

static void export_unmap(const struct doca_sync_event *event,
			 struct doca_mmap *mmap)
{
	if (mmap != event->mmap)
		doca_mmap_destroy(mmap);
}

static doca_error_t keep(struct doca_sync_event *event, struct doca_dev *dev,
			 struct doca_mmap *mmap, const void *blob, size_t len,
			 struct sync_export **out)
{
	struct sync_export *export = make_desc(blob, len);

	if (!export)
		return OUT_OF_MEMORY("an export");
	export->dev = dev;
	export->mmap = mmap;
	export->net = false;
	export->next = event->exports;
	event->exports = export;
	LOG_DBG("sync event %p is exported for %s", (void *)event,
		dev->info.name);
	*out = export;
	return DOCA_SUCCESS;
}

static doca_error_t export_to(struct doca_sync_event *event,
			      struct doca_dev *dev, struct sync_export **out)
{
	struct doca_mmap *mmap;
	const void *blob;
	doca_error_t ret;
	size_t len;

	ret = dev_has_driver(dev);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = export_map(event, dev, &mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_mmap_export_pci(mmap, dev, &blob, &len);
	if (ret == DOCA_SUCCESS)
		ret = keep(event, dev, mmap, blob, len, out);
	if (ret != DOCA_SUCCESS)
		export_unmap(event, mmap);
	return ret;
}

/* The map is one of its own: it permits peers what processes of this machine may not do. */
static doca_error_t export_to_net(struct doca_sync_event *event,
				  struct sync_export **out)
{
	struct doca_mmap *mmap;
	const void *blob;
	doca_error_t ret;
	size_t len;

	ret = sync_map(event, event->net_dev,
		       DOCA_ACCESS_FLAG_RDMA_READ |
			       DOCA_ACCESS_FLAG_RDMA_WRITE |
			       DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		       &mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_mmap_export_rdma(mmap, event->net_dev, &blob, &len);
	if (ret == DOCA_SUCCESS)
		ret = keep(event, event->net_dev, mmap, blob, len, out);
	if (ret == DOCA_SUCCESS)
		(*out)->net = true;
	else
		doca_mmap_destroy(mmap);
	return ret;
}

void sync_drop_exports(struct doca_sync_event *event)
{
	struct sync_export *export;

	while ((export = event->exports)) {
		event->exports = export->next;
		export_unmap(event, export->mmap);
		free(export);
	}
}

static doca_error_t may_export(const struct doca_sync_event *event, bool net)
{
	if (event->from_export) {
		LOG_ERR("cannot export sync event %p: it was made from an "
			"export",
			(const void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (!net && !event->remote_pci) {
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

	if (!sync_valid(event) || !valid(dev) || !given(data) || !given(sz))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_export(event, false);
	if (ret != DOCA_SUCCESS)
		return ret;
	for (export = event->exports; export; export = export->next)
		if (export->dev == dev && !export->net)
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

doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data,
						  size_t *sz)
{
	struct sync_export *export;
	doca_error_t ret;

	if (!sync_valid(event) || !given(data) || !given(sz))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_export(event, true);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!event->remote_net)
		return FAIL(
			BAD_STATE,
			"cannot export sync event %p: call "
			"doca_sync_event_add_publisher_location_remote_net() "
			"before the start",
			(void *)event);
	if (!event->net_dev)
		return FAIL(NOT_SUPPORTED,
			    "cannot export sync event %p: none of its CPU "
			    "locations is on an RDMA device",
			    (void *)event);
	for (export = event->exports; export; export = export->next)
		if (export->net)
			break;
	ret = export ? DOCA_SUCCESS : export_to_net(event, &export);
	if (ret != DOCA_SUCCESS)
		return ret == DOCA_ERROR_INVALID_VALUE ? DOCA_ERROR_DRIVER :
							 ret;
	*data = export->desc;
	*sz = export->size;
	return DOCA_SUCCESS;
}
