// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What DMA can do: the same on all devices, for the kernel copies. */
#include <doca_error.h>

#include "core/caps.h"
#include "dma.h"

#define LIST_MAX 64

/*
 * An allocated task is always accepted by submit, whatever lists its buffers are
 * by then, and nothing is allocated on the data path. So each task owns segments
 * for the longest list on either side, 2 KiB of them, and the size of the
 * segment table limits the tasks of a context. The other way round, lists that
 * share a pool, would save memory and break the first promise.
 */
doca_error_t dma_limits_get(struct dma_limits *limits)
{
	struct doca_query caps;
	uint32_t by_segments;
	doca_error_t ret;

	ret = doca_priv_caps(&caps);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!(caps.out_opcodes & (1ULL << DOCA_OP_MEMCPY)))
		return DOCA_ERROR_NOT_SUPPORTED;

	limits->length = caps.out_max_length;
	limits->list_len = caps.out_max_segments < LIST_MAX ?
				   caps.out_max_segments :
				   LIST_MAX;
	limits->tasks = caps.out_max_queue_entries;
	by_segments = caps.out_max_queue_segments / (2 * limits->list_len);
	if (limits->tasks > by_segments)
		limits->tasks = by_segments;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma,
					    uint32_t *max_num_tasks)
{
	if (!dma || !max_num_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_tasks = dma->limits.tasks;
	return DOCA_SUCCESS;
}

doca_error_t
doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
	struct dma_limits limits;

	if (!devinfo)
		return DOCA_ERROR_INVALID_VALUE;
	return dma_limits_get(&limits);
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
	const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
	struct dma_limits limits;
	doca_error_t ret;

	if (!devinfo || !max_buf_list_len)
		return DOCA_ERROR_INVALID_VALUE;
	ret = dma_limits_get(&limits);
	if (ret == DOCA_SUCCESS)
		*max_buf_list_len = limits.list_len;
	return ret;
}

doca_error_t
doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
					  uint64_t *buf_size)
{
	struct dma_limits limits;
	doca_error_t ret;

	if (!devinfo || !buf_size)
		return DOCA_ERROR_INVALID_VALUE;
	ret = dma_limits_get(&limits);
	if (ret == DOCA_SUCCESS)
		*buf_size = limits.length;
	return ret;
}
