// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Tasks on sync events of peers: eight bytes that are read, written or added to, where waits
 * of the peer's look by themselves.
 */
#include <doca_error.h>

#include "task.h"

LOG_SOURCE("RDMA");

RDMA_TASK(doca_rdma_task_remote_net_sync_event_get);
DEFINE_TASK(doca_rdma_task_remote_net_sync_event_get)

const struct rdma_kind rdma_event_get = {
	RDMA_TYPE(doca_rdma_task_remote_net_sync_event_get,
		  "remote_net_sync_event_get", rdma_ask),
	.opcode = IBV_WR_RDMA_READ,
	.fetches = true,
	.event = true,
	.access = DOCA_ACCESS_FLAG_RDMA_READ,
};

DEFINE_SET_CONF(doca_rdma_task_remote_net_sync_event_get_set_conf, doca_rdma,
		RDMA_EVENT_GET, doca_rdma_task_remote_net_sync_event_get)
DEFINE_AS_TASK(doca_rdma_task_remote_net_sync_event_get_as_task,
	       doca_rdma_task_remote_net_sync_event_get)
DEFINE_SET_CONNECTION(
	doca_rdma_task_remote_net_sync_event_get_set_rdma_connection,
	doca_rdma_task_remote_net_sync_event_get)
DEFINE_GET_CONNECTION(
	doca_rdma_task_remote_net_sync_event_get_get_rdma_connection,
	doca_rdma_task_remote_net_sync_event_get)
DEFINE_SET_EVENT(doca_rdma_task_remote_net_sync_event_get_set_sync_event,
		 doca_rdma_task_remote_net_sync_event_get,
		 const struct doca_sync_event_remote_net)
DEFINE_GET_EVENT(doca_rdma_task_remote_net_sync_event_get_get_sync_event,
		 doca_rdma_task_remote_net_sync_event_get,
		 const struct doca_sync_event_remote_net)
DEFINE_SET_BUF(doca_rdma_task_remote_net_sync_event_get_set_dst_buf,
	       doca_rdma_task_remote_net_sync_event_get, struct doca_buf, dst)
DEFINE_GET_BUF(doca_rdma_task_remote_net_sync_event_get_get_dst_buf,
	       doca_rdma_task_remote_net_sync_event_get, struct doca_buf, dst)
DEFINE_TASK_GET(doca_rdma_task_remote_net_sync_event_get_get_result_len,
		doca_rdma_task_remote_net_sync_event_get, uint32_t, rdma.length)

/* Allocate a task on an event, with one local buffer. */
static doca_error_t
event_task_new(struct doca_rdma *rdma, unsigned int pool,
	       struct doca_rdma_connection *connection,
	       const struct doca_sync_event_remote_net *event, const void *out,
	       union doca_data user_data, struct rdma_task **task,
	       const struct log_site *site)
{
	doca_error_t ret;

	ret = rdma_task_new(rdma, pool, connection, out, user_data, task, site);
	if (ret == DOCA_SUCCESS)
		(*task)->rdma.event =
			(struct doca_sync_event_remote_net *)event;
	return ret;
}

doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_sync_event_remote_net *event,
	struct doca_buf *dst_buf, union doca_data user_data,
	struct doca_rdma_task_remote_net_sync_event_get **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(event) ||
	    !valid_or_null(dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = event_task_new(rdma, RDMA_EVENT_GET, rdma_connection, event, task,
			     user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_dst(&new->task, dst_buf);
	*task = (struct doca_rdma_task_remote_net_sync_event_get *)new;
	return DOCA_SUCCESS;
}

RDMA_TASK(doca_rdma_task_remote_net_sync_event_notify_set);
DEFINE_TASK(doca_rdma_task_remote_net_sync_event_notify_set)

const struct rdma_kind rdma_event_set = {
	RDMA_TYPE(doca_rdma_task_remote_net_sync_event_notify_set,
		  "remote_net_sync_event_notify_set", rdma_ask),
	.opcode = IBV_WR_RDMA_WRITE,
	.event = true,
	.access = DOCA_ACCESS_FLAG_RDMA_WRITE,
};

DEFINE_SET_CONF(doca_rdma_task_remote_net_sync_event_notify_set_set_conf,
		doca_rdma, RDMA_EVENT_SET,
		doca_rdma_task_remote_net_sync_event_notify_set)
DEFINE_AS_TASK(doca_rdma_task_remote_net_sync_event_notify_set_as_task,
	       doca_rdma_task_remote_net_sync_event_notify_set)
DEFINE_SET_CONNECTION(
	doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection,
	doca_rdma_task_remote_net_sync_event_notify_set)
DEFINE_GET_CONNECTION(
	doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection,
	doca_rdma_task_remote_net_sync_event_notify_set)
DEFINE_SET_EVENT(doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event,
		 doca_rdma_task_remote_net_sync_event_notify_set,
		 struct doca_sync_event_remote_net)
DEFINE_GET_EVENT(doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event,
		 doca_rdma_task_remote_net_sync_event_notify_set,
		 struct doca_sync_event_remote_net)
DEFINE_SET_BUF(doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf,
	       doca_rdma_task_remote_net_sync_event_notify_set,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf,
	       doca_rdma_task_remote_net_sync_event_notify_set,
	       const struct doca_buf, src)

doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event,
	const struct doca_buf *src_buf, union doca_data user_data,
	struct doca_rdma_task_remote_net_sync_event_notify_set **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(event) ||
	    !valid_or_null(src_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = event_task_new(rdma, RDMA_EVENT_SET, rdma_connection, event, task,
			     user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&new->task, src_buf);
	*task = (struct doca_rdma_task_remote_net_sync_event_notify_set *)new;
	return DOCA_SUCCESS;
}

RDMA_TASK(doca_rdma_task_remote_net_sync_event_notify_add);
DEFINE_TASK(doca_rdma_task_remote_net_sync_event_notify_add)

const struct rdma_kind rdma_event_add = {
	RDMA_TYPE(doca_rdma_task_remote_net_sync_event_notify_add,
		  "remote_net_sync_event_notify_add", rdma_ask_atomic),
	.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
	.fetches = true,
	.word = true,
	.event = true,
	.access = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
};

DEFINE_SET_CONF(doca_rdma_task_remote_net_sync_event_notify_add_set_conf,
		doca_rdma, RDMA_EVENT_ADD,
		doca_rdma_task_remote_net_sync_event_notify_add)
DEFINE_AS_TASK(doca_rdma_task_remote_net_sync_event_notify_add_as_task,
	       doca_rdma_task_remote_net_sync_event_notify_add)
DEFINE_SET_CONNECTION(
	doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection,
	doca_rdma_task_remote_net_sync_event_notify_add)
DEFINE_GET_CONNECTION(
	doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection,
	doca_rdma_task_remote_net_sync_event_notify_add)
DEFINE_SET_EVENT(doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event,
		 doca_rdma_task_remote_net_sync_event_notify_add,
		 struct doca_sync_event_remote_net)
DEFINE_GET_EVENT(doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event,
		 doca_rdma_task_remote_net_sync_event_notify_add,
		 struct doca_sync_event_remote_net)
DEFINE_SET_BUF(doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf,
	       doca_rdma_task_remote_net_sync_event_notify_add, struct doca_buf,
	       dst)
DEFINE_GET_BUF(doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf,
	       doca_rdma_task_remote_net_sync_event_notify_add, struct doca_buf,
	       dst)
DEFINE_TASK_SET(doca_rdma_task_remote_net_sync_event_notify_add_set_add_data,
		doca_rdma_task_remote_net_sync_event_notify_add, uint64_t,
		rdma.operand)
DEFINE_TASK_GET(doca_rdma_task_remote_net_sync_event_notify_add_get_add_data,
		doca_rdma_task_remote_net_sync_event_notify_add, uint64_t,
		rdma.operand)

doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
	uint64_t add_data, union doca_data user_data,
	struct doca_rdma_task_remote_net_sync_event_notify_add **task)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_task *new;
	doca_error_t ret;

	if (!valid(rdma_connection) || !valid_or_null(event) ||
	    !valid_or_null(result_buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = event_task_new(rdma, RDMA_EVENT_ADD, rdma_connection, event, task,
			     user_data, &new, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_dst(&new->task, result_buf);
	new->rdma.operand = add_data;
	*task = (struct doca_rdma_task_remote_net_sync_event_notify_add *)new;
	return DOCA_SUCCESS;
}
