// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_dma.h>

#include "lib.h"

const struct cap dma_caps[] = {
	{ .name = "task_memcpy",
	  .is_supported = doca_dma_cap_task_memcpy_is_supported },
	{ .name = "task_memcpy_max_buf_size",
	  .get_u64 = doca_dma_cap_task_memcpy_get_max_buf_size },
	{ .name = "task_memcpy_max_buf_list_len",
	  .get_u32 = doca_dma_cap_task_memcpy_get_max_buf_list_len },
	{},
};
