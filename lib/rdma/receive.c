// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receives: each takes one message of any connection of the context. */
#include <doca_error.h>

#include "task.h"

LOG_SOURCE("RDMA");

RDMA_TASK(doca_rdma_task_receive);
DEFINE_TASK(doca_rdma_task_receive)

const struct rdma_kind rdma_receive = {
	RDMA_TYPE(doca_rdma_task_receive, "receive", rdma_ask_receive),
	.plain = RDMA_PLAIN_RECEIVE,
	.receives = true,
};

DEFINE_SET_CONF(doca_rdma_task_receive_set_conf, doca_rdma, RDMA_RECEIVE,
		doca_rdma_task_receive)
DEFINE_AS_TASK(doca_rdma_task_receive_as_task, doca_rdma_task_receive)
DEFINE_SET_BUF(doca_rdma_task_receive_set_dst_buf, doca_rdma_task_receive,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_receive_get_dst_buf, doca_rdma_task_receive,
	       struct doca_buf, dst)
DEFINE_TASK_GET(doca_rdma_task_receive_get_result_len, doca_rdma_task_receive,
		uint32_t, rdma.length)
DEFINE_TASK_GET(doca_rdma_task_receive_get_result_immediate_data,
		doca_rdma_task_receive, doca_be32_t, rdma.imm)
DEFINE_TASK_GET(doca_rdma_task_receive_get_result_opcode,
		doca_rdma_task_receive, enum doca_rdma_opcode, rdma.opcode)
DEFINE_GET_CONNECTION(doca_rdma_task_receive_get_result_rdma_connection,
		      doca_rdma_task_receive)

doca_error_t doca_rdma_task_receive_allocate_init(
	struct doca_rdma *rdma, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_receive **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid_or_null(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_RECEIVE, NULL, task, user_data, &new,
			    &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_dst(&new->task, dst_buf);
	*task = (struct doca_rdma_task_receive *)new;
	return DOCA_SUCCESS;
}
