// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Writes into memory of the peer, which may be told by immediate data. */
#include <doca_error.h>

#include "task.h"

LOG_SOURCE("RDMA");

RDMA_TASK(doca_rdma_task_write);
DEFINE_TASK(doca_rdma_task_write)

const struct rdma_kind rdma_write = {
	RDMA_TYPE(doca_rdma_task_write, "write", rdma_ask),
	.opcode = IBV_WR_RDMA_WRITE,
	.plain = RDMA_PLAIN_WRITE,
	.access = DOCA_ACCESS_FLAG_RDMA_WRITE,
};

DEFINE_SET_CONF(doca_rdma_task_write_set_conf, doca_rdma, RDMA_WRITE,
		doca_rdma_task_write)
DEFINE_AS_TASK(doca_rdma_task_write_as_task, doca_rdma_task_write)
DEFINE_SET_CONNECTION(doca_rdma_task_write_set_rdma_connection,
		      doca_rdma_task_write)
DEFINE_GET_CONNECTION(doca_rdma_task_write_get_rdma_connection,
		      doca_rdma_task_write)
DEFINE_SET_BUF(doca_rdma_task_write_set_src_buf, doca_rdma_task_write,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_write_get_src_buf, doca_rdma_task_write,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_rdma_task_write_set_dst_buf, doca_rdma_task_write,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_write_get_dst_buf, doca_rdma_task_write,
	       struct doca_buf, dst)

doca_error_t doca_rdma_task_write_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_write **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(src_buf) ||
	    !valid_or_null(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_WRITE, rdma_connection, task, user_data,
			    &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, src_buf);
	task_set_dst(&new->task, dst_buf);
	*task = (struct doca_rdma_task_write *)new;
	return DOCA_SUCCESS;
}

RDMA_TASK(doca_rdma_task_write_imm);
DEFINE_TASK(doca_rdma_task_write_imm)

const struct rdma_kind rdma_write_imm = {
	RDMA_TYPE(doca_rdma_task_write_imm, "write_imm", rdma_ask),
	.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
	.plain = RDMA_PLAIN_WRITE,
	.access = DOCA_ACCESS_FLAG_RDMA_WRITE,
};

DEFINE_SET_CONF(doca_rdma_task_write_imm_set_conf, doca_rdma, RDMA_WRITE_IMM,
		doca_rdma_task_write_imm)
DEFINE_AS_TASK(doca_rdma_task_write_imm_as_task, doca_rdma_task_write_imm)
DEFINE_SET_CONNECTION(doca_rdma_task_write_imm_set_rdma_connection,
		      doca_rdma_task_write_imm)
DEFINE_GET_CONNECTION(doca_rdma_task_write_imm_get_rdma_connection,
		      doca_rdma_task_write_imm)
DEFINE_SET_BUF(doca_rdma_task_write_imm_set_src_buf, doca_rdma_task_write_imm,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_write_imm_get_src_buf, doca_rdma_task_write_imm,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_rdma_task_write_imm_set_dst_buf, doca_rdma_task_write_imm,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_write_imm_get_dst_buf, doca_rdma_task_write_imm,
	       struct doca_buf, dst)
DEFINE_TASK_SET(doca_rdma_task_write_imm_set_immediate_data,
		doca_rdma_task_write_imm, doca_be32_t, wr.send.imm_data)
DEFINE_TASK_GET(doca_rdma_task_write_imm_get_immediate_data,
		doca_rdma_task_write_imm, doca_be32_t, wr.send.imm_data)

doca_error_t doca_rdma_task_write_imm_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	doca_be32_t immediate_data, union doca_data user_data,
	struct doca_rdma_task_write_imm **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(src_buf) ||
	    !valid_or_null(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_WRITE_IMM, rdma_connection, task,
			    user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, src_buf);
	task_set_dst(&new->task, dst_buf);
	new->wr.send.imm_data = immediate_data;
	*task = (struct doca_rdma_task_write_imm *)new;
	return DOCA_SUCCESS;
}
