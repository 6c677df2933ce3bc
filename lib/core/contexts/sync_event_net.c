// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include <doca_error.h>
#include <doca_mmap.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/exec/library.h"
#include "sync_event.h"
#include "sync_event_net.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

const struct object_type doca_priv_sync_event_remote_net_object = {
	.name = "doca_sync_event_remote_net",
};

/* Verbs are all that a device of the network needs. */
static doca_error_t is_of_net(const struct doca_devinfo *devinfo,
			      const struct log_site *site)
{
	if (!given_at(devinfo, "devinfo", site) ||
	    (doca_priv_debug &&
	     !doca_priv_debug_valid(devinfo, &doca_priv_devinfo_object, true,
				    site->func)))
		return DOCA_ERROR_INVALID_VALUE;
	if (devinfo->type == DOCA_DEV_RDMA)
		return DOCA_SUCCESS;
	return ANSWER_AT(site, NOT_SUPPORTED, "%s is no RDMA device",
			 devinfo->name);
}

doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
	const struct doca_devinfo *devinfo)
{
	static const struct log_site site = LOG_SITE;

	return is_of_net(devinfo, &site);
}

doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
	const struct doca_devinfo *devinfo)
{
	static const struct log_site site = LOG_SITE;

	return is_of_net(devinfo, &site);
}

static doca_error_t import_value(struct doca_dev *dev, const void *blob,
				 size_t len, struct doca_mmap **mmap)
{
	doca_error_t ret;

	ret = doca_mmap_create_from_export(NULL, blob, len, dev, mmap);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (doca_priv_mmap_is_peers(*mmap) &&
	    sync_is_value(*mmap, DOCA_ACCESS_FLAG_RDMA_READ |
					 DOCA_ACCESS_FLAG_RDMA_WRITE))
		return DOCA_SUCCESS;
	doca_mmap_destroy(*mmap);
	return FAIL(INVALID_VALUE, "cannot make a sync event: the export is "
				   "not of a value for peers in a network");
}

doca_error_t doca_sync_event_remote_net_create_from_export(
	struct doca_dev *dev, const uint8_t *data, size_t sz,
	struct doca_sync_event_remote_net **event)
{
	struct doca_sync_event_remote_net *new;
	const void *blob;
	doca_error_t ret;
	size_t len;

	if (!valid(dev) || !given(data) || !given(event))
		return DOCA_ERROR_INVALID_VALUE;
	ret = sync_desc_parse(data, sz, &blob, &len);
	if (ret != DOCA_SUCCESS)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a sync event");
	ret = import_value(dev, blob, len, &new->mmap);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	doca_priv_debug_add(new, &doca_priv_sync_event_remote_net_object,
			    sizeof(*new), 1);
	*event = new;
	return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
	if (!valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	if (__atomic_load_n(&event->inflight, __ATOMIC_ACQUIRE))
		return FAIL(IN_USE,
			    "cannot destroy sync event %p of a peer: tasks in "
			    "flight are for it",
			    (void *)event);
	doca_mmap_destroy(event->mmap);
	doca_priv_debug_free(event);
	return DOCA_SUCCESS;
}
