// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The memcpy task. */
#include <doca_error.h>

#include "core/exec/task_bufs.h"
#include "dma.h"

LOG_SOURCE("DMA::MEMCPY");

static doca_error_t memcpy_validate(const struct doca_task *task)
{
	struct task_bytes bytes;
	doca_error_t ret;

	ret = doca_priv_task_check(task, &bytes);
	if (ret != DOCA_SUCCESS || bytes.src <= bytes.dst)
		return ret;
	return FAIL(INVALID_VALUE,
		    "memcpy task %p: the source has %llu bytes, the "
		    "destination room for %llu",
		    (const void *)task, (unsigned long long)bytes.src,
		    (unsigned long long)bytes.dst);
}

static void memcpy_finish(struct doca_task *task, uint32_t length,
			  const uint64_t *result)
{
	(void)result;
	task_finish_bufs(task, length);
}

DEFINE_TASK(doca_dma_task_memcpy)

const struct task_type dma_memcpy = {
	TASK_OBJECT(doca_dma_task_memcpy),
	.name = "memcpy",
	.src = { .name = "source", .list = true, .data = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = memcpy_validate,
	.finish = memcpy_finish,
	.ring = {
		.opcode = DOCA_OP_MEMCPY,
		.plain = true,
		.prepare = task_prepare_bufs,
	},
};

DEFINE_CAP_SUPPORTED(doca_dma_cap_task_memcpy_is_supported, dma_memcpy)
DEFINE_CAP_LIMIT(doca_dma_cap_task_memcpy_get_max_buf_list_len, dma_memcpy,
		 uint32_t, list_len)
DEFINE_CAP_LIMIT(doca_dma_cap_task_memcpy_get_max_buf_size, dma_memcpy,
		 uint64_t, length)
DEFINE_SET_CONF(doca_dma_task_memcpy_set_conf, doca_dma, DMA_MEMCPY,
		doca_dma_task_memcpy)
DEFINE_ALLOC_SRC_DST(doca_dma_task_memcpy_alloc_init, doca_dma, DMA_MEMCPY,
		     doca_dma_task_memcpy)
DEFINE_AS_TASK(doca_dma_task_memcpy_as_task, doca_dma_task_memcpy)
DEFINE_SET_BUF(doca_dma_task_memcpy_set_src, doca_dma_task_memcpy,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_dma_task_memcpy_set_dst, doca_dma_task_memcpy,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_dma_task_memcpy_get_src, doca_dma_task_memcpy,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_dma_task_memcpy_get_dst, doca_dma_task_memcpy,
	       struct doca_buf, dst)
