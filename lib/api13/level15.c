// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Everything that level 1.5 has in another form than level 1.3, or in addition. */
#include "../../include/doca-1.5/doca_level.h"

#include <doca_log.h>

#include "lane.h"

DOCA_LOG_REGISTER(API15);

PUBLIC doca_error_t doca_devinfo_get_pci_addr(
	const struct doca_devinfo *devinfo, struct doca_pci_bdf *pci_addr)
{
	if (!valid(devinfo) || !given(pci_addr))
		return DOCA_ERROR_INVALID_VALUE;
	return api13_devinfo_pci_addr(devinfo, pci_addr);
}

PUBLIC doca_error_t doca_mmap_create(const union doca_data *user_data,
				     struct doca_mmap **mmap)
{
	(void)user_data;
	return api13_mmap_new(NULL, mmap, __func__);
}

PUBLIC doca_error_t doca_mmap_set_max_num_chunks(struct doca_mmap *mmap,
						 uint32_t max_num_chunks)
{
	return api13_mmap_set_max_chunks(mmap, max_num_chunks, __func__);
}

PUBLIC doca_error_t doca_mmap_create_from_export(
	const union doca_data *user_data, const void *export_desc,
	size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	(void)user_data;
	return api13_mmap_import(NULL, export_desc, export_desc_len, dev, mmap,
				 __func__);
}

PUBLIC doca_error_t doca_buf_inventory_create(
	const union doca_data *user_data, size_t num_elements,
	uint32_t extensions, struct doca_buf_inventory **buf_inventory)
{
	(void)user_data;
	return api13_inventory_new(NULL, num_elements, extensions,
				   buf_inventory, __func__);
}

PUBLIC doca_error_t doca_buf_inventory_buf_by_args(
	struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
	void *addr, size_t len, void *data, size_t data_len,
	struct doca_buf **buf)
{
	return api13_buf_take(inventory, mmap, addr, len, data, data_len, buf,
			      __func__);
}

PUBLIC doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
	if (!valid(buf) || !buf->len || !given(data))
		return DOCA_ERROR_INVALID_VALUE;
	return v3_buf_get_data(buf->v3, data);
}

PUBLIC doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data,
				      size_t data_len)
{
	if (!valid(buf) || !buf->len || !given(data))
		return DOCA_ERROR_INVALID_VALUE;
	buf_unready(buf);
	return v3_buf_set_data(buf->v3, data, data_len);
}

static bool is_bad(const struct doca_job *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	const struct doca_buf *src = memcpy->src_buff, *dst = memcpy->dst_buff;

	return job->type != DOCA_DMA_JOB_MEMCPY || job->flags || !src || !dst ||
	       src == dst || !src->len || !dst->len;
}

/* A job of this level uses the buffers' data as they are, so they are ready for nothing. */
static doca_error_t submit(struct doca_workq *workq, const struct doca_job *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	struct doca_buf *src = (struct doca_buf *)memcpy->src_buff;
	struct lane *lane = api13_lane_find(workq, job->ctx);
	struct doca_buf *dst = memcpy->dst_buff;
	struct slot *slot;
	size_t bytes = 0;

	if (doca_unlikely(!lane || is_bad(job)))
		return api13_job_refused(workq, job);
	v3_buf_get_data_len(src->v3, &bytes);
	if (doca_unlikely(!bytes))
		return api13_job_refused(workq, job);
	if (doca_unlikely(!workq_count(workq)))
		return DOCA_ERROR_NO_MEMORY;
	buf_unready(src);
	buf_unready(dst);
	slot = slot_take(lane, job, src, dst, 0);
	slot->data_len = bytes;
	v3_buf_get_data(src->v3, &slot->src_data);
	v3_buf_get_data(dst->v3, &slot->dst_data);
	if (doca_unlikely(lane->state != LANE_UP))
		return api13_lane_defer(lane, slot);
	return slot_start(slot);
}

static bool known_buf(const struct doca_buf *buf, const char *func)
{
	return !buf || lives_to(func, buf);
}

PUBLIC doca_error_t doca_workq_submit(struct doca_workq *workq,
				      struct doca_job const *job)
{
	const struct doca_dma_job_memcpy *memcpy = (const void *)job;
	DEBUG_HELD held = NULL;

	if (!valid(workq) || !given(job))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_unlikely(doca_priv_debug) &&
	    job->type == DOCA_DMA_JOB_MEMCPY &&
	    (!known_buf(memcpy->src_buff, __func__) ||
	     !known_buf(memcpy->dst_buff, __func__)))
		return DOCA_ERROR_INVALID_VALUE;
	if (!debug_alone(&held, workq, __func__))
		return DOCA_ERROR_IN_USE;
	return submit(workq, job);
}

PUBLIC doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
						 struct doca_event *ev,
						 int flags)
{
	DEBUG_HELD held = NULL;
	doca_error_t ret;

	if (!valid(workq) || !given(ev) || flags)
		return DOCA_ERROR_INVALID_VALUE;
	if (!debug_alone(&held, workq, __func__))
		return DOCA_ERROR_IN_USE;
	ret = api13_retrieve_slowly(workq, ev);
	if (ret == DOCA_SUCCESS && doca_unlikely(ev->result.u64))
		return DOCA_ERROR_IO_FAILED;
	return ret;
}

PUBLIC doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
						       uint8_t enable)
{
	(void)enable;
	return valid(workq) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

PUBLIC doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
						doca_event_handle_t *handle)
{
	if (!valid(workq) || !given(handle))
		return DOCA_ERROR_INVALID_VALUE;
	return v3_pe_get_notification_handle(workq->pe, handle);
}

PUBLIC doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq)
{
	if (!valid(workq))
		return DOCA_ERROR_INVALID_VALUE;
	if (workq->attention & ATTEND_LANES) {
		DOCA_LOG_ERR("cannot wait for work queue %p: there are events; "
			     "retrieve until it answers DOCA_ERROR_AGAIN",
			     (void *)workq);
		return DOCA_ERROR_IN_USE;
	}
	return v3_pe_request_notification(workq->pe);
}

PUBLIC doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
						  doca_event_handle_t handle)
{
	if (!valid(workq))
		return DOCA_ERROR_INVALID_VALUE;
	return v3_pe_clear_notification(workq->pe, handle);
}

PUBLIC doca_error_t doca_dma_job_get_supported(
	const struct doca_devinfo *devinfo, enum doca_dma_job_types job_type)
{
	if (!valid(devinfo) || job_type != DOCA_DMA_JOB_MEMCPY)
		return DOCA_ERROR_INVALID_VALUE;
	return v3_dma_cap_task_memcpy_is_supported(devinfo);
}

PUBLIC doca_error_t doca_dma_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
	return v3_dma_cap_task_memcpy_get_max_buf_size(devinfo, buf_size);
}
