// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_sync_event.h>

#include "lib.h"

const struct cap sync_event_caps[] = {
	{ .name = "create_from_export",
	  .is_supported = doca_sync_event_cap_is_create_from_export_supported },
	{ .name = "export_to_remote_pci",
	  .is_supported =
		  doca_sync_event_cap_is_export_to_remote_pci_supported },
	{ .name = "export_to_dpa",
	  .is_supported = doca_sync_event_cap_is_export_to_dpa_supported },
	{ .name = "export_to_gpu",
	  .is_supported = doca_sync_event_cap_is_export_to_gpu_supported },
	{ .name = "export_to_remote_net",
	  .is_supported =
		  doca_sync_event_cap_is_export_to_remote_net_supported },
	{ .name = "remote_net_create_from_export",
	  .is_supported =
		  doca_sync_event_cap_remote_net_is_create_from_export_supported },
	{ .name = "remote_net_export_to_dpa",
	  .is_supported =
		  doca_sync_event_cap_remote_net_is_export_to_dpa_supported },
	{ .name = "remote_net_export_to_gpu",
	  .is_supported =
		  doca_sync_event_cap_remote_net_is_export_to_gpu_supported },
	{ .name = "task_get",
	  .is_supported = doca_sync_event_cap_task_get_is_supported },
	{ .name = "task_notify_set",
	  .is_supported = doca_sync_event_cap_task_notify_set_is_supported },
	{ .name = "task_notify_add",
	  .is_supported = doca_sync_event_cap_task_notify_add_is_supported },
	{ .name = "task_wait_gt",
	  .is_supported = doca_sync_event_cap_task_wait_gt_is_supported },
	{ .name = "task_wait_eq",
	  .is_supported = doca_sync_event_cap_task_wait_eq_is_supported },
	{ .name = "task_wait_neq",
	  .is_supported = doca_sync_event_cap_task_wait_neq_is_supported },
	{},
};
