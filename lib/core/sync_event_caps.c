// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What sync events can do, the same on all devices, and what they cannot. */
#include <doca_error.h>

#include "caps.h"
#include "log.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

#define OP(name) (1ULL << DOCA_OP_SYNC_##name)

doca_error_t sync_limits_get(struct sync_limits *limits)
{
	struct doca_query caps;
	doca_error_t ret = doca_priv_caps(&caps);

	if (ret != DOCA_SUCCESS)
		return ret;
	limits->tasks = caps.out_max_queue_entries;
	limits->waits = caps.out_max_queue_waits;
	return DOCA_SUCCESS;
}

static doca_error_t can(const struct doca_devinfo *devinfo, uint64_t ops)
{
	struct doca_query caps;
	doca_error_t ret;

	if (!devinfo)
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_priv_caps(&caps);
	if (ret != DOCA_SUCCESS)
		return ret;
	return (caps.out_opcodes & ops) == ops ? DOCA_SUCCESS :
						 DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_sync_event_cap_is_create_from_export_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(GET) | OP(SET) | OP(ADD));
}

doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(GET) | OP(SET) | OP(ADD));
}

doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(
	const struct doca_devinfo *devinfo)
{
	return doca_sync_event_cap_is_export_to_remote_pci_supported(devinfo);
}

doca_error_t
doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(GET));
}

doca_error_t doca_sync_event_cap_task_notify_set_is_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(SET));
}

doca_error_t doca_sync_event_cap_task_notify_add_is_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(ADD));
}

doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(WAIT_GT));
}

doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(WAIT_EQ));
}

doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(
	const struct doca_devinfo *devinfo)
{
	return can(devinfo, OP(WAIT_NE));
}

/* No line in the log: programs ask all devices for all that there is. */
static doca_error_t cannot(const struct doca_devinfo *devinfo)
{
	return devinfo ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(
	const struct doca_devinfo *devinfo)
{
	return cannot(devinfo);
}

doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(
	const struct doca_devinfo *devinfo)
{
	return cannot(devinfo);
}

doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
	const struct doca_devinfo *devinfo)
{
	return cannot(devinfo);
}

doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
	const struct doca_devinfo *devinfo)
{
	return cannot(devinfo);
}

doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
	const struct doca_devinfo *devinfo)
{
	return cannot(devinfo);
}

doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
	const struct doca_devinfo *devinfo)
{
	return cannot(devinfo);
}

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
	if (!sync_valid(event) || !dpa)
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "DPA");
}

doca_error_t
doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event,
					   struct doca_gpu *gpu)
{
	if (!sync_valid(event) || !gpu)
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "GPU");
}

doca_error_t
doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event)
{
	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "peer in the network");
}

doca_error_t
doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
					    struct doca_dpa *dpa)
{
	if (!sync_valid(event) || !dpa)
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "DPA");
}

doca_error_t
doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event,
					    struct doca_gpu *gpu)
{
	if (!sync_valid(event) || !gpu)
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "GPU");
}

doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data,
						  size_t *sz)
{
	if (!sync_valid(event) || !data || !sz)
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(event, "peer in the network");
}

doca_error_t
doca_sync_event_get_dpa_handle(struct doca_sync_event *event,
			       struct doca_dpa *dpa,
			       doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
	if (!sync_valid(event) || !dpa || !dpa_dev_se_handle)
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
	if (!sync_valid(event) || !gpu || !gpu_dev_se)
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

doca_error_t doca_sync_event_remote_net_create_from_export(
	struct doca_dev *dev, const uint8_t *data, size_t sz,
	struct doca_sync_event_remote_net **event)
{
	(void)sz;
	if (!valid(dev) || !data || !event)
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(NULL, "peer in the network");
}

/* None was ever created. */
doca_error_t
doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
	(void)event;
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_sync_event_remote_net_get_dpa_handle(
	struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
	if (!event || !dpa || !dpa_remote_event)
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
	if (!event || !gpu || !gpu_remote_event)
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
