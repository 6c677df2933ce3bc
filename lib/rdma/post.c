// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/exec/task_bufs.h"
#include "plain.h"
#include "post.h"
#include "request.h"

LOG_SOURCE("RDMA");

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

static inline void append(struct doca_rdma_connection *connection,
			  struct doca_task *task)
{
	task->next = NULL;
	if (connection->first)
		connection->last->next = task;
	else
		connection->first = task;
	connection->last = task;
}

static inline void hold_back(struct doca_rdma_connection *connection,
			     struct doca_task *task)
{
	append(connection, task);
	if (doca_likely(connection->unposted) && !list_empty(&connection->work))
		return;
	if (!connection->unposted)
		connection->unposted = task;
	rdma_connection_kick(connection);
}

static inline void hold_back_receive(struct doca_rdma *rdma,
				     struct doca_task *task)
{
	list_add_tail(&rdma->unposted, &values_of(task)->link);
	rdma_stir(rdma);
}

/* Chain the requests of tasks that can be posted now; return their number, and @end behind them. */
static uint32_t chain(const struct doca_rdma_connection *connection,
		      struct doca_task **end)
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
	*end = task;
	return n;
}

static doca_error_t post_error(const struct doca_task *task, int err)
{
	LOG_ERR("%s task %p: the device does not take it: %s", task->type->name,
		(const void *)task, errno_text(err));
	return err == EINVAL || err == -EINVAL ? DOCA_ERROR_INVALID_VALUE :
						 DOCA_ERROR_IO_FAILED;
}

/* The device does not take it. So it is not plain. */
static void set_fault(struct doca_task *task, doca_error_t fault)
{
	values_of(task)->fault = fault;
	task->state = TASK_INFLIGHT;
}

/*
 * The call has failed: requests before @bad are posted, and its task ends in its turn. Without
 * @bad all of them are, but the device was not told, so it will flush them.
 */
__attribute__((noinline)) static void
posts_failed(struct doca_rdma_connection *connection, uint32_t n,
	     const struct ibv_send_wr *bad, int err)
{
	struct doca_task *task = connection->unposted;
	uint32_t done;

	for (done = 0; done < n && bad != &wr_of(task)->send; done++)
		task = task->next;
	connection->unposted = task;
	connection->posted += done;
	if (done < n)
		set_fault(task, post_error(task, err));
	else
		rdma_connection_break(connection);
}

static bool post_sends(struct doca_rdma_connection *connection)
{
	struct doca_task *first = connection->unposted, *end;
	uint32_t n = chain(connection, &end);
	struct ibv_send_wr *bad = NULL;
	int err;

	if (!n)
		return false;
	err = ibv_post_send(connection->qp, &wr_of(first)->send, &bad);
	if (doca_unlikely(err)) {
		posts_failed(connection, n, bad, err);
		return true;
	}
	connection->unposted = end;
	connection->posted += n;
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
		set_fault(task, post_error(task, err));
		list_add_tail(&rdma->refused, link);
		break;
	}
	return true;
}

/* Return true if there is nothing left to do; see rdma_stir(). */
static bool is_calm(const struct doca_rdma *rdma)
{
	return list_empty(&rdma->work) && list_empty(&rdma->refused) &&
	       list_empty(&rdma->unposted) && list_empty(&rdma->due) &&
	       !rdma->failed && !rdma->canceled && !rdma->cut;
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
	rdma->calm = is_calm(rdma);
	/* The device tells of none of these, and a wait may have been requested. */
	if (!list_empty(&rdma->work) || !list_empty(&rdma->refused))
		doca_priv_ctx_kick(&rdma->ctx);
	return posted;
}

/* Check before holding: a buffer that was released cannot be held. */
__attribute__((noinline)) static void make(struct doca_task *task)
{
	const struct rdma_kind *kind = kind_of(task);
	struct rdma_values *values = values_of(task);

	values->fault = rdma_request_make(task);
	task_hold_src(task);
	task_hold_dst(task);
	if (kind->event && values->event)
		sync_net_hold(values->event);
}

/* The long way: the task is refused, or held back, or others have to be posted with it. */
__attribute__((noinline)) static doca_error_t post_later(struct doca_task *task,
							 bool flush)
{
	struct doca_rdma *rdma = rdma_of(task->ctx);
	struct rdma_values *values = values_of(task);
	bool receives = kind_of(task)->receives;

	if (values->fault == DOCA_ERROR_NOT_CONNECTED ||
	    (receives && values->fault != DOCA_SUCCESS)) {
		list_add_tail(&rdma->refused, &values->link);
		rdma_stir(rdma);
	} else if (receives) {
		hold_back_receive(rdma, task);
	} else {
		hold_back(values->connection, task);
		rdma_connection_kick(values->connection);
	}
	if (flush)
		rdma_post(rdma);
	return DOCA_SUCCESS;
}

__attribute__((noinline)) static doca_error_t submit_odd(struct doca_task *task,
							 bool flush)
{
	task->state = TASK_INFLIGHT;
	make(task);
	return post_later(task, flush);
}

/* The last task of the connection could not be posted. */
__attribute__((noinline)) static doca_error_t
post_failed(struct doca_rdma_connection *connection,
	    const struct ibv_send_wr *bad, int err)
{
	connection->unposted = connection->last;
	posts_failed(connection, 1, bad, err);
	rdma_connection_kick(connection);
	rdma_post(connection->rdma);
	return DOCA_SUCCESS;
}

static doca_error_t put_receive(struct doca_task *task, bool flush)
{
	struct doca_rdma *rdma = rdma_of(task->ctx);
	struct ibv_recv_wr *wr = &wr_of(task)->receive, *bad = NULL;
	int err;

	if (doca_unlikely(!rdma_plain_receive(task)))
		return submit_odd(task, flush);
	task->state = TASK_PLAIN;
	if (!flush) {
		hold_back_receive(rdma, task);
		return DOCA_SUCCESS;
	}
	if (doca_unlikely(!rdma->calm))
		return post_later(task, true);
	wr->next = NULL;
	list_add_tail(&rdma->receives, &values_of(task)->link);
	err = ibv_post_srq_recv(rdma->srq, wr, &bad);
	if (doca_likely(!err || !bad))
		return DOCA_SUCCESS;
	list_del(&values_of(task)->link);
	set_fault(task, post_error(task, err));
	return post_later(task, true);
}

__attribute__((always_inline)) static inline doca_error_t
put_move(struct doca_task *task, bool flush, enum rdma_plain plain)
{
	struct doca_rdma_connection *connection = values_of(task)->connection;
	struct ibv_send_wr *wr = &wr_of(task)->send, *bad = NULL;
	struct doca_rdma *rdma = rdma_of(task->ctx);
	int err;

	if (doca_unlikely(!rdma_plain_move(task, plain)))
		return submit_odd(task, flush);
	task->state = TASK_PLAIN;
	if (!flush) {
		hold_back(connection, task);
		return DOCA_SUCCESS;
	}
	if (doca_unlikely(!rdma->calm || connection->unposted ||
			  connection->posted >= rdma->sq_size))
		return post_later(task, true);
	wr->next = NULL;
	append(connection, task);
	err = ibv_post_send(connection->qp, wr, &bad);
	if (doca_unlikely(err))
		return post_failed(connection, bad, err);
	connection->posted++;
	return DOCA_SUCCESS;
}

static doca_error_t put_send(struct doca_task *task, bool flush)
{
	return put_move(task, flush, RDMA_PLAIN_SEND);
}

static doca_error_t put_write(struct doca_task *task, bool flush)
{
	return put_move(task, flush, RDMA_PLAIN_WRITE);
}

static doca_error_t put_read(struct doca_task *task, bool flush)
{
	return put_move(task, flush, RDMA_PLAIN_READ);
}

/* Take a task over, which is counted already. Each function returns DOCA_SUCCESS. */
static inline doca_error_t put(struct doca_task *task, bool flush)
{
	switch (kind_of(task)->plain) {
	case RDMA_PLAIN_SEND:
		return put_send(task, flush);
	case RDMA_PLAIN_WRITE:
		return put_write(task, flush);
	case RDMA_PLAIN_READ:
		return put_read(task, flush);
	case RDMA_PLAIN_RECEIVE:
		return put_receive(task, flush);
	default:
		return submit_odd(task, flush);
	}
}

/* A task of a batch or a graph does not end as plain ones do. */
void rdma_submit(struct doca_task *task, bool flush)
{
	put(task, flush);
	if (task->sink)
		task->state = TASK_INFLIGHT;
}

doca_error_t rdma_put(struct doca_task *task, bool flush)
{
	if (doca_unlikely(task->state != TASK_OWNED ||
			  !driver_current(task->ctx->queue.generation)))
		return task_submit_any(task, flush);
	task->ctx->inflight++;
	return put(task, flush);
}
