// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_ctx.h>
#include <doca_mmap.h>

#include "lib.h"

const struct cap common_caps[] = {
	{ .name = "mmap_export_pci",
	  .get_flag = doca_mmap_cap_is_export_pci_supported },
	{ .name = "mmap_create_from_export_pci",
	  .get_flag = doca_mmap_cap_is_create_from_export_pci_supported },
	{ .name = "num_completion_vectors",
	  .get_u32 = doca_ctx_cap_get_num_completion_vectors },
	{ .name = "hotplug_manager",
	  .get_flag = doca_devinfo_cap_is_hotplug_manager_supported },
	{ .name = "notification_moderation",
	  .get_flag = doca_devinfo_cap_is_notification_moderation_supported },
	{ .name = "accelerate_resource_reclaim",
	  .get_flag =
		  doca_devinfo_cap_is_accelerate_resource_reclaim_supported },
	{ .name = "rep_filter_all",
	  .get_flag = doca_devinfo_rep_cap_is_filter_all_supported },
	{ .name = "rep_filter_net",
	  .get_flag = doca_devinfo_rep_cap_is_filter_net_supported },
	{ .name = "rep_filter_emulated",
	  .get_flag = doca_devinfo_rep_cap_is_filter_emulated_supported },
	{},
};
