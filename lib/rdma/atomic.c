// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Atomic operations on eight bytes of the peer. What was there before is fetched, so the
 * peer's buffer is the source, and the result the destination.
 */
#include <doca_error.h>

#include "task.h"

LOG_SOURCE("RDMA");

RDMA_TASK(doca_rdma_task_atomic_cmp_swp);
DEFINE_TASK(doca_rdma_task_atomic_cmp_swp)

const struct rdma_kind rdma_cmp_swp = {
	RDMA_TYPE(doca_rdma_task_atomic_cmp_swp, "atomic_cmp_swp",
		  rdma_ask_atomic),
	.opcode = IBV_WR_ATOMIC_CMP_AND_SWP,
	.fetches = true,
	.word = true,
	.access = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
};

DEFINE_SET_CONF(doca_rdma_task_atomic_cmp_swp_set_conf, doca_rdma, RDMA_CMP_SWP,
		doca_rdma_task_atomic_cmp_swp)
DEFINE_AS_TASK(doca_rdma_task_atomic_cmp_swp_as_task,
	       doca_rdma_task_atomic_cmp_swp)
DEFINE_SET_CONNECTION(doca_rdma_task_atomic_cmp_swp_set_rdma_connection,
		      doca_rdma_task_atomic_cmp_swp)
DEFINE_GET_CONNECTION(doca_rdma_task_atomic_cmp_swp_get_rdma_connection,
		      doca_rdma_task_atomic_cmp_swp)
DEFINE_SET_BUF(doca_rdma_task_atomic_cmp_swp_set_dst_buf,
	       doca_rdma_task_atomic_cmp_swp, struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_atomic_cmp_swp_get_dst_buf,
	       doca_rdma_task_atomic_cmp_swp, struct doca_buf, src)
DEFINE_SET_BUF(doca_rdma_task_atomic_cmp_swp_set_result_buf,
	       doca_rdma_task_atomic_cmp_swp, struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_atomic_cmp_swp_get_result_buf,
	       doca_rdma_task_atomic_cmp_swp, struct doca_buf, dst)
DEFINE_TASK_SET(doca_rdma_task_atomic_cmp_swp_set_cmp_data,
		doca_rdma_task_atomic_cmp_swp, uint64_t, rdma.operand)
DEFINE_TASK_GET(doca_rdma_task_atomic_cmp_swp_get_cmp_data,
		doca_rdma_task_atomic_cmp_swp, uint64_t, rdma.operand)
DEFINE_TASK_SET(doca_rdma_task_atomic_cmp_swp_set_swap_data,
		doca_rdma_task_atomic_cmp_swp, uint64_t, rdma.swap)
DEFINE_TASK_GET(doca_rdma_task_atomic_cmp_swp_get_swap_data,
		doca_rdma_task_atomic_cmp_swp, uint64_t, rdma.swap)

doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf,
	uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
	struct doca_rdma_task_atomic_cmp_swp **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(dst_buf) ||
	    !valid_or_null(result_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_CMP_SWP, rdma_connection, task,
			    user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, dst_buf);
	task_set_dst(&new->task, result_buf);
	new->rdma.operand = cmp_data;
	new->rdma.swap = swap_data;
	*task = (struct doca_rdma_task_atomic_cmp_swp *)new;
	return DOCA_SUCCESS;
}

RDMA_TASK(doca_rdma_task_atomic_fetch_add);
DEFINE_TASK(doca_rdma_task_atomic_fetch_add)

const struct rdma_kind rdma_fetch_add = {
	RDMA_TYPE(doca_rdma_task_atomic_fetch_add, "atomic_fetch_add",
		  rdma_ask_atomic),
	.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
	.fetches = true,
	.word = true,
	.access = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
};

DEFINE_SET_CONF(doca_rdma_task_atomic_fetch_add_set_conf, doca_rdma,
		RDMA_FETCH_ADD, doca_rdma_task_atomic_fetch_add)
DEFINE_AS_TASK(doca_rdma_task_atomic_fetch_add_as_task,
	       doca_rdma_task_atomic_fetch_add)
DEFINE_SET_CONNECTION(doca_rdma_task_atomic_fetch_add_set_rdma_connection,
		      doca_rdma_task_atomic_fetch_add)
DEFINE_GET_CONNECTION(doca_rdma_task_atomic_fetch_add_get_rdma_connection,
		      doca_rdma_task_atomic_fetch_add)
DEFINE_SET_BUF(doca_rdma_task_atomic_fetch_add_set_dst_buf,
	       doca_rdma_task_atomic_fetch_add, struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_atomic_fetch_add_get_dst_buf,
	       doca_rdma_task_atomic_fetch_add, struct doca_buf, src)
DEFINE_SET_BUF(doca_rdma_task_atomic_fetch_add_set_result_buf,
	       doca_rdma_task_atomic_fetch_add, struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_atomic_fetch_add_get_result_buf,
	       doca_rdma_task_atomic_fetch_add, struct doca_buf, dst)
DEFINE_TASK_SET(doca_rdma_task_atomic_fetch_add_set_add_data,
		doca_rdma_task_atomic_fetch_add, uint64_t, rdma.operand)
DEFINE_TASK_GET(doca_rdma_task_atomic_fetch_add_get_add_data,
		doca_rdma_task_atomic_fetch_add, uint64_t, rdma.operand)

doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf,
	uint64_t add_data, union doca_data user_data,
	struct doca_rdma_task_atomic_fetch_add **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(dst_buf) ||
	    !valid_or_null(result_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_task_new(rdma, RDMA_FETCH_ADD, rdma_connection, task,
			    user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, dst_buf);
	task_set_dst(&new->task, result_buf);
	new->rdma.operand = add_data;
	*task = (struct doca_rdma_task_atomic_fetch_add *)new;
	return DOCA_SUCCESS;
}
