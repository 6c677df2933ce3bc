// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_erasure_coding.h>

#include "lib.h"

const struct cap erasure_coding_caps[] = {
	{ .name = "task_create",
	  .is_supported = doca_ec_cap_task_create_is_supported },
	{ .name = "task_recover",
	  .is_supported = doca_ec_cap_task_recover_is_supported },
	{ .name = "task_update",
	  .is_supported = doca_ec_cap_task_update_is_supported },
	{ .name = "task_galois_mul",
	  .is_supported = doca_ec_cap_task_galois_mul_is_supported },
	{ .name = "max_block_size", .get_u64 = doca_ec_cap_get_max_block_size },
	{ .name = "max_buf_list_len",
	  .get_u32 = doca_ec_cap_get_max_buf_list_len },
	{},
};
