// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Capabilities of sync events, the same on all devices. */
#include <doca_error.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "sync_event.h"
#include "sync_event_net.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

/* Other processes use an event by these operations, whatever the program itself does. */
static doca_error_t can_share(const struct doca_devinfo *devinfo,
			      const struct log_site *site)
{
	struct task_limits limits;
	doca_error_t ret;
	int i;

	for (i = SYNC_GET; i <= SYNC_ADD; i++) {
		ret = doca_priv_task_cap(devinfo, devinfo, sync_task_types[i],
					 &limits, site);
		if (ret != DOCA_SUCCESS)
			return ret;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_cap_is_create_from_export_supported(
	const struct doca_devinfo *devinfo)
{
	static const struct log_site site = LOG_SITE;

	return can_share(devinfo, &site);
}

doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
	const struct doca_devinfo *devinfo)
{
	static const struct log_site site = LOG_SITE;

	return can_share(devinfo, &site);
}

doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(
	const struct doca_devinfo *devinfo)
{
	return doca_sync_event_cap_is_export_to_remote_pci_supported(devinfo);
}

DEFINE_CAP_NEVER(doca_sync_event_cap_is_export_to_dpa_supported)
DEFINE_CAP_NEVER(doca_sync_event_cap_is_export_to_gpu_supported)
DEFINE_CAP_NEVER(doca_sync_event_cap_remote_net_is_export_to_dpa_supported)
DEFINE_CAP_NEVER(doca_sync_event_cap_remote_net_is_export_to_gpu_supported)

static doca_error_t nowhere(const void *event, const char *where)
{
	LOG_ERR("sync event %p cannot be at a %s: events are changed and "
		"waited for by CPUs, of this process or of one that it is "
		"exported to",
		event, where);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t
doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event,
					   struct doca_dpa *dpa)
{
	if (!sync_valid(event) || !given(dpa))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "DPA");
}

doca_error_t
doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event,
					   struct doca_gpu *gpu)
{
	if (!sync_valid(event) || !given(gpu))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "GPU");
}

doca_error_t
doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
					    struct doca_dpa *dpa)
{
	if (!sync_valid(event) || !given(dpa))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "DPA");
}

doca_error_t
doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event,
					    struct doca_gpu *gpu)
{
	if (!sync_valid(event) || !given(gpu))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "GPU");
}

doca_error_t
doca_sync_event_get_dpa_handle(struct doca_sync_event *event,
			       struct doca_dpa *dpa,
			       doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
	if (!sync_valid(event) || !given(dpa) || !given(dpa_dev_se_handle))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "DPA");
}

doca_error_t
doca_sync_event_export_to_dpa(struct doca_sync_event *event,
			      struct doca_dpa *dpa,
			      doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
	return doca_sync_event_get_dpa_handle(event, dpa, dpa_dev_se_handle);
}

doca_error_t
doca_sync_event_get_gpu_handle(struct doca_sync_event *event,
			       struct doca_gpu *gpu,
			       doca_gpu_dev_sync_event_t **gpu_dev_se)
{
	if (!sync_valid(event) || !given(gpu) || !given(gpu_dev_se))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "GPU");
}

doca_error_t
doca_sync_event_export_to_gpu(struct doca_sync_event *event,
			      struct doca_gpu *gpu,
			      doca_gpu_dev_sync_event_t **gpu_dev_se)
{
	return doca_sync_event_get_gpu_handle(event, gpu, gpu_dev_se);
}

doca_error_t doca_sync_event_remote_net_get_dpa_handle(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
	if (!valid(event) || !given(dpa) || !given(dpa_remote_event))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "DPA");
}

doca_error_t doca_sync_event_remote_net_export_to_dpa(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
	return doca_sync_event_remote_net_get_dpa_handle(event, dpa,
							 dpa_remote_event);
}

doca_error_t doca_sync_event_remote_net_get_gpu_handle(
	struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
	if (!valid(event) || !given(gpu) || !given(gpu_remote_event))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "GPU");
}

doca_error_t doca_sync_event_remote_net_export_to_gpu(
	struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
	return doca_sync_event_remote_net_get_gpu_handle(event, gpu,
							 gpu_remote_event);
}
