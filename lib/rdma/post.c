// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/exec/task_bufs.h"
#include "post.h"
#include "request.h"

LOG_SOURCE("RDMA");

static void append(struct doca_rdma_connection *connection,
		   struct doca_task *task)
{
	task->next = NULL;
	if (connection->first)
		connection->last->next = task;
	else
		connection->first = task;
	connection->last = task;
	if (!connection->unposted)
		connection->unposted = task;
	rdma_connection_kick(connection);
}

/* Check before holding: a buffer that was released cannot be held. */
static void post_later(struct doca_task *task)
{
	struct doca_rdma *rdma = rdma_of(task->ctx);
	struct rdma_values *values = values_of(task);

	values->fault = rdma_request_make(task);
	task_hold_src(task);
	task_hold_dst(task);
	if (kind_of(task)->event && values->event)
		sync_net_hold(values->event);
	if (kind_of(task)->receives)
		list_add_tail(values->fault == DOCA_SUCCESS ? &rdma->unposted :
							      &rdma->refused,
			      &values->link);
	else if (values->fault != DOCA_ERROR_NOT_CONNECTED)
		append(values->connection, task);
	else
		list_add_tail(&rdma->refused, &values->link);
}

struct doca_task *rdma_pop(struct doca_rdma_connection *connection)
{
	struct doca_task *task = connection->first;

	connection->first = task->next;
	if (connection->unposted == task)
		connection->unposted = task->next;
	return task;
}

void rdma_take_back(struct doca_rdma_connection *connection)
{
	connection->rdma->posted -= connection->posted;
	connection->posted = 0;
	connection->answered = 0;
	connection->unposted = connection->first;
	rdma_connection_kick(connection);
}

bool rdma_ends_here(const struct doca_rdma_connection *connection)
{
	if (!connection->first || connection->posted)
		return false;
	return connection->state != RDMA_READY ||
	       values_of(connection->first)->fault != DOCA_SUCCESS;
}

/* Chain the requests of tasks that can be posted now; return their number. */
static uint32_t chain(struct doca_rdma_connection *connection)
{
	uint32_t n = 0, room = connection->rdma->sq_size - connection->posted;
	struct ibv_send_wr *last = NULL;
	struct doca_task *task;

	for (task = connection->unposted; task && n < room; task = task->next) {
		if (values_of(task)->fault != DOCA_SUCCESS)
			break;
		if (last)
			last->next = &wr_of(task)->send;
		last = &wr_of(task)->send;
		n++;
	}
	if (last)
		last->next = NULL;
	return n;
}

static doca_error_t post_error(const struct doca_task *task, int err)
{
	LOG_ERR("%s task %p: the device does not take it: %s", task->type->name,
		(const void *)task, errno_text(err));
	return err == EINVAL || err == -EINVAL ? DOCA_ERROR_INVALID_VALUE :
						 DOCA_ERROR_IO_FAILED;
}

/*
 * If the call fails, requests before @bad are posted, and its task ends in its turn. Without
 * @bad all of them are, but the device was not told, so it will flush them.
 */
static bool post_sends(struct doca_rdma_connection *connection)
{
	uint32_t n = chain(connection), done;
	struct ibv_send_wr *bad = NULL;
	int err;

	if (!n)
		return false;
	err = ibv_post_send(connection->qp, &wr_of(connection->unposted)->send,
			    &bad);
	for (done = 0; done < n; done++) {
		if (err && bad == &wr_of(connection->unposted)->send)
			break;
		connection->unposted = connection->unposted->next;
	}
	connection->posted += done;
	connection->rdma->posted += done;
	if (done < n)
		values_of(connection->unposted)->fault =
			post_error(connection->unposted, err);
	else if (err)
		rdma_connection_break(connection);
	return true;
}

static struct doca_task *task_of_link(const struct list *link)
{
	return &list_entry(link, struct rdma_task, rdma.link)->task;
}

/* There is room for the receives of all tasks. */
static bool post_receives(struct doca_rdma *rdma)
{
	struct ibv_recv_wr *first = NULL, **end = &first, *bad = NULL;
	struct list *link, *next;
	struct doca_task *task;
	int err;

	list_for_each(link, &rdma->unposted) {
		*end = &wr_of(task_of_link(link))->receive;
		end = &(*end)->next;
	}
	*end = NULL;
	if (!first)
		return false;
	err = ibv_post_srq_recv(rdma->srq, first, &bad);
	list_for_each_safe(link, next, &rdma->unposted) {
		task = task_of_link(link);
		list_del(link);
		if (!err || bad != &wr_of(task)->receive) {
			list_add_tail(&rdma->receives, link);
			continue;
		}
		values_of(task)->fault = post_error(task, err);
		list_add_tail(&rdma->refused, link);
		break;
	}
	return true;
}

/* A connection stays in the list while its first task is to be ended here. */
bool rdma_post(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection;
	struct list *link, *next;
	bool posted = false;

	if (!rdma->canceled)
		posted = post_receives(rdma);
	list_for_each_safe(link, next, &rdma->work) {
		connection =
			list_entry(link, struct doca_rdma_connection, work);
		if (connection->state == RDMA_READY)
			posted |= post_sends(connection);
		if (!rdma_ends_here(connection))
			list_del(link);
	}
	/* The device tells of none of these, and a wait may have been requested. */
	if (!list_empty(&rdma->work) || !list_empty(&rdma->refused))
		doca_priv_ctx_kick(&rdma->ctx);
	return posted;
}

void rdma_submit(struct doca_task *task, bool flush)
{
	post_later(task);
	if (flush)
		rdma_post(rdma_of(task->ctx));
}
