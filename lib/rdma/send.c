// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Messages, with immediate data or without. The peer has a receive task for each. */
#include <doca_error.h>

#include "task.h"

LOG_SOURCE("RDMA");

RDMA_TASK(doca_rdma_task_send);
DEFINE_TASK(doca_rdma_task_send)

const struct rdma_kind rdma_send = {
	RDMA_TYPE(doca_rdma_task_send, "send", rdma_ask),
	.opcode = IBV_WR_SEND,
	.plain = RDMA_PLAIN_SEND,
};

DEFINE_SET_CONF(doca_rdma_task_send_set_conf, doca_rdma, RDMA_SEND,
		doca_rdma_task_send)
DEFINE_AS_TASK(doca_rdma_task_send_as_task, doca_rdma_task_send)
DEFINE_SET_CONNECTION(doca_rdma_task_send_set_rdma_connection,
		      doca_rdma_task_send)
DEFINE_GET_CONNECTION(doca_rdma_task_send_get_rdma_connection,
		      doca_rdma_task_send)
DEFINE_SET_BUF(doca_rdma_task_send_set_src_buf, doca_rdma_task_send,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_send_get_src_buf, doca_rdma_task_send,
	       const struct doca_buf, src)

doca_error_t doca_rdma_task_send_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, union doca_data user_data,
	struct doca_rdma_task_send **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(src_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_SEND, rdma_connection, task, user_data,
			    &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, src_buf);
	*task = (struct doca_rdma_task_send *)new;
	return DOCA_SUCCESS;
}

RDMA_TASK(doca_rdma_task_send_imm);
DEFINE_TASK(doca_rdma_task_send_imm)

const struct rdma_kind rdma_send_imm = {
	RDMA_TYPE(doca_rdma_task_send_imm, "send_imm", rdma_ask),
	.opcode = IBV_WR_SEND_WITH_IMM,
	.plain = RDMA_PLAIN_SEND,
};

DEFINE_SET_CONF(doca_rdma_task_send_imm_set_conf, doca_rdma, RDMA_SEND_IMM,
		doca_rdma_task_send_imm)
DEFINE_AS_TASK(doca_rdma_task_send_imm_as_task, doca_rdma_task_send_imm)
DEFINE_SET_CONNECTION(doca_rdma_task_send_imm_set_rdma_connection,
		      doca_rdma_task_send_imm)
DEFINE_GET_CONNECTION(doca_rdma_task_send_imm_get_rdma_connection,
		      doca_rdma_task_send_imm)
DEFINE_SET_BUF(doca_rdma_task_send_imm_set_src_buf, doca_rdma_task_send_imm,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_send_imm_get_src_buf, doca_rdma_task_send_imm,
	       const struct doca_buf, src)
DEFINE_TASK_SET(doca_rdma_task_send_imm_set_immediate_data,
		doca_rdma_task_send_imm, doca_be32_t, wr.send.imm_data)
DEFINE_TASK_GET(doca_rdma_task_send_imm_get_immediate_data,
		doca_rdma_task_send_imm, doca_be32_t, wr.send.imm_data)

doca_error_t doca_rdma_task_send_imm_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, doca_be32_t immediate_data,
	union doca_data user_data, struct doca_rdma_task_send_imm **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(src_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_SEND_IMM, rdma_connection, task,
			    user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, src_buf);
	new->wr.send.imm_data = immediate_data;
	*task = (struct doca_rdma_task_send_imm *)new;
	return DOCA_SUCCESS;
}
