// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_dma.h>

#include "lib.h"

/* Ask a context, which is not started. */
static doca_error_t max_num_tasks(const struct doca_devinfo *info,
				  uint32_t *value)
{
	struct doca_dev *dev;
	struct doca_dma *dma;
	doca_error_t ret;

	ret = doca_dev_open((struct doca_devinfo *)info, &dev);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = doca_dma_create(dev, &dma);
	if (ret == DOCA_SUCCESS) {
		ret = doca_dma_cap_get_max_num_tasks(dma, value);
		doca_dma_destroy(dma);
	}
	doca_dev_close(dev);
	return ret;
}

const struct cap dma_caps[] = {
	{ .name = "max_num_tasks", .get_u32 = max_num_tasks },
	{ .name = "task_memcpy",
	  .is_supported = doca_dma_cap_task_memcpy_is_supported },
	{ .name = "task_memcpy_max_buf_size",
	  .get_u64 = doca_dma_cap_task_memcpy_get_max_buf_size },
	{ .name = "task_memcpy_max_buf_list_len",
	  .get_u32 = doca_dma_cap_task_memcpy_get_max_buf_list_len },
	{},
};
