// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reads of memory of the peer. */
#include <doca_error.h>

#include "task.h"

LOG_SOURCE("RDMA");

RDMA_TASK(doca_rdma_task_read);
DEFINE_TASK(doca_rdma_task_read)

const struct rdma_kind rdma_read = {
	RDMA_TYPE(doca_rdma_task_read, "read", rdma_ask),
	.opcode = IBV_WR_RDMA_READ,
	.plain = RDMA_PLAIN_READ,
	.fetches = true,
	.access = DOCA_ACCESS_FLAG_RDMA_READ,
};

DEFINE_SET_CONF(doca_rdma_task_read_set_conf, doca_rdma, RDMA_READ,
		doca_rdma_task_read)
DEFINE_AS_TASK(doca_rdma_task_read_as_task, doca_rdma_task_read)
DEFINE_SET_CONNECTION(doca_rdma_task_read_set_rdma_connection,
		      doca_rdma_task_read)
DEFINE_GET_CONNECTION(doca_rdma_task_read_get_rdma_connection,
		      doca_rdma_task_read)
DEFINE_SET_BUF(doca_rdma_task_read_set_src_buf, doca_rdma_task_read,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_read_get_src_buf, doca_rdma_task_read,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_rdma_task_read_set_dst_buf, doca_rdma_task_read,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_read_get_dst_buf, doca_rdma_task_read,
	       struct doca_buf, dst)
DEFINE_TASK_GET(doca_rdma_task_read_get_result_len, doca_rdma_task_read,
		uint32_t, rdma.length)

doca_error_t doca_rdma_task_read_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_read **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(src_buf) ||
	    !valid_or_null(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_READ, rdma_connection, task, user_data,
			    &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, src_buf);
	task_set_dst(&new->task, dst_buf);
	*task = (struct doca_rdma_task_read *)new;
	return DOCA_SUCCESS;
}
