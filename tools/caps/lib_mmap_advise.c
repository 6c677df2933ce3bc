// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_mmap_advise.h>

#include "lib.h"

const struct cap mmap_advise_caps[] = {
	{ .name = "task_cache_invalidate",
	  .is_supported =
		  doca_mmap_advise_cap_task_cache_invalidate_is_supported },
	{ .name = "task_cache_invalidate_max_buf_size",
	  .get_u64 = doca_mmap_advise_task_cache_invalidate_get_max_buf_size },
	{},
};
