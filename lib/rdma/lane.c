// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The lane of RDMA contexts: the device's queues. Tasks of a connection end in their order. One
 * that fails breaks its connection, for the device takes no more; those behind it fail, too.
 * Receives belong to no connection until they end.
 *
 * A device never returns the receives of a common queue. So a context that stops ends the
 * connections first, after which nobody writes to the memory of receives, and then these.
 */
#include <errno.h>

#include <doca_error.h>

#include "core/base/clock.h"
#include "core/base/errno_text.h"
#include "async.h"
#include "cm.h"
#include "failure.h"
#include "plain.h"
#include "poll.h"
#include "post.h"

LOG_SOURCE("RDMA");

#define CANCEL_NS 2000000000ull /* a device has so long to give tasks back */
#define ACK_EVENTS 64 /* to acknowledge takes a lock */

static struct doca_task *task_of_link(const struct list *link)
{
	return &list_entry(link, struct rdma_task, rdma.link)->task;
}

static enum lane_turn turn_of(bool called)
{
	return called ? LANE_CALLED : LANE_AGAIN;
}

static enum lane_turn stray(void)
{
	LOG_ERR_ONCE("the device has completed a request that it does not "
		     "have; please report this");
	return LANE_AGAIN;
}

/* Tasks fail now, so the device must not reach their memory any more. */
static void lose(struct doca_rdma *rdma)
{
	rdma->canceled = true;
	rdma->cut = true;
	rdma_stir(rdma);
	doca_priv_ctx_unwatch(&rdma->ctx, RDMA_WATCH_NEWS);
	rdma_cm_cancel(rdma);
	rdma_connections_cancel(rdma);
	rdma_connections_cut(rdma);
	ctx_set_deadline(&rdma->ctx, 0);
	ctx_lose(&rdma->ctx, "its completion queue has failed");
}

/* The connection breaks with it, if there is one. */
static void task_failed(struct doca_rdma_connection *connection,
			const struct doca_task *task,
			const struct rdma_failure *failure)
{
	struct doca_ctx *ctx = task->ctx;
	bool breaks = connection && (connection->state == RDMA_READY ||
				     connection->state == RDMA_REPEATING);

	if (breaks)
		LOG_ERR("%s %p: %s task %p failed: %s; connection %u is broken, "
			"and tasks behind it fail",
			ctx->type->name, (void *)ctx, task->type->name,
			(const void *)task, failure->why, connection->id);
	if (breaks)
		rdma_connection_break(connection);
	else if (!connection && failure->error != DOCA_ERROR_NOT_CONNECTED &&
		 failure->error != DOCA_ERROR_SHUTDOWN)
		ctx_failed(ctx, "a task has failed");
}

static inline void take_result(struct rdma_values *values,
			       const struct ibv_wc *wc)
{
	bool imm = wc->wc_flags & IBV_WC_WITH_IMM;

	values->imm = imm ? wc->imm_data : 0;
	values->opcode = imm ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM :
			       DOCA_RDMA_OPCODE_RECV_SEND;
	if (wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM)
		values->opcode = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;
}

static enum lane_turn receive_failed(struct doca_task *task,
				     const struct ibv_wc *wc)
{
	struct rdma_failure failure = rdma_failure_of(wc->status, true);

	task_failed(values_of(task)->connection, task, &failure);
	return turn_of(task_complete(task, failure.error, 0, NULL));
}

static enum lane_turn end_receive(struct doca_rdma *rdma,
				  struct doca_task *task,
				  const struct ibv_wc *wc)
{
	struct doca_rdma_connection *connection =
		rdma_connection_of(rdma, wc->qp_num);
	struct rdma_values *values = values_of(task);

	list_del(&values->link);
	values->connection = connection;
	if (wc->status != IBV_WC_SUCCESS)
		return receive_failed(task, wc);
	if (connection)
		connection->contacted = true;
	take_result(values, wc);
	return turn_of(task_complete(task, DOCA_SUCCESS, wc->byte_len, NULL));
}

/*
 * Programs submit as soon as they have the peer's details, which it may get much later. Then
 * the device gives up after two seconds; so tasks are repeated until the peer has answered
 * once.
 */
static bool may_repeat(struct doca_rdma_connection *connection)
{
	if (connection->contacted || connection->rdma->canceled ||
	    connection->state != RDMA_READY || !connection->rdma->patience_ns)
		return false;
	if (!connection->patient_until)
		connection->patient_until =
			clock_ns() + connection->rdma->patience_ns;
	return clock_ns() < connection->patient_until;
}

/* All requests have come back: do them again, or end them if that is not wanted any more. */
static void repeat(struct doca_rdma_connection *connection)
{
	int err;

	if (connection->answered < connection->posted)
		return;
	rdma_take_back(connection);
	if (connection->state != RDMA_REPEATING)
		return;
	connection->state = RDMA_READY;
	err = rdma_qp_repeat(connection);
	if (!err)
		return;
	LOG_ERR("connection %u: cannot repeat what its peer did not answer: %s",
		connection->id, errno_text(err));
	values_of(connection->first)->fault = DOCA_ERROR_CONNECTION_RESET;
}

/* A task that the device has failed comes back as flushed, so the first one says so. */
static struct rdma_failure failure_of(struct doca_rdma_connection *connection,
				      enum ibv_wc_status status)
{
	bool flushed = status == IBV_WC_WR_FLUSH_ERR && connection->fatal;

	if (doca_unlikely(status != IBV_WC_SUCCESS))
		connection->fatal = false;
	return flushed ?
		       rdma_failure_of(IBV_WC_FATAL_ERR, false) :
		       rdma_failure_of(status, connection->state != RDMA_READY);
}

static enum lane_turn end_send(struct doca_task *task, const struct ibv_wc *wc)
{
	struct doca_rdma_connection *connection = values_of(task)->connection;
	struct rdma_failure failure = failure_of(connection, wc->status);

	if (!connection->answered && wc->status == IBV_WC_RETRY_EXC_ERR &&
	    may_repeat(connection))
		connection->state = RDMA_REPEATING;
	if (connection->state == RDMA_REPEATING || connection->answered) {
		connection->answered++;
		repeat(connection);
		return LANE_AGAIN;
	}
	if (task != connection->first || !connection->posted)
		return stray();
	rdma_pop_posted(connection);
	if (failure.error == DOCA_SUCCESS)
		connection->contacted = true;
	else
		task_failed(connection, task, &failure);
	if (!connection->posted)
		rdma_async_remind(connection);
	rdma_settle(connection);
	return turn_of(task_complete(task, failure.error,
				     values_of(task)->length, NULL));
}

/*
 * A peer may send as soon as it has answered, of which librdmacm tells later. Its message is as
 * good an answer; the callback for that comes before the message's.
 */
static bool waits(struct doca_rdma *rdma, const struct ibv_wc *wc)
{
	struct doca_rdma_connection *connection;

	if ((!rdma->cm && list_empty(&rdma->due)) || rdma->canceled ||
	    wc->status != IBV_WC_SUCCESS || !(wc->opcode & IBV_WC_RECV))
		return false;
	connection = rdma_connection_of(rdma, wc->qp_num);
	if (!connection)
		return false;
	if (connection->state == RDMA_ACCEPTED && !connection->bridged)
		rdma_cm_established(connection);
	return connection->due & RDMA_TELL_ESTABLISHED;
}

/* Take a completion, which there must be; its task may be any, or none. */
__attribute__((noinline)) static enum lane_turn end_any(struct doca_rdma *rdma)
{
	const struct ibv_wc *wc = rdma->wc;
	struct doca_task *task;

	if (waits(rdma, wc)) /* then deliver() has the turn */
		return LANE_AGAIN;
	rdma_pop_wc(rdma);
	task = task_inflight(&rdma->ctx, wc->wr_id);
	if (!task || values_of(task)->fault != DOCA_SUCCESS)
		return stray();
	return kind_of(task)->receives ? end_receive(rdma, task, wc) :
					 end_send(task, wc);
}

/* End one of the tasks that no connection has, or that could not be posted. */
static enum lane_turn end_refused(struct doca_rdma *rdma)
{
	struct rdma_failure failure = { .why = "it was refused" };
	struct rdma_values *values;
	struct doca_task *task;

	if (list_empty(&rdma->refused))
		return LANE_IDLE;
	task = task_of_link(rdma->refused.next);
	values = values_of(task);
	list_del(&values->link);
	failure.error = values->fault;
	if (rdma->canceled)
		failure.error = DOCA_ERROR_SHUTDOWN;
	if (kind_of(task)->receives)
		values->connection = NULL;
	task_failed(NULL, task, &failure);
	return turn_of(task_complete(task, failure.error, 0, NULL));
}

/* End the first task of a connection whose tasks the device does not have. */
static enum lane_turn end_here(struct doca_rdma *rdma)
{
	struct rdma_failure failure = { .why = "it was refused" };
	struct doca_rdma_connection *connection;
	struct doca_task *task;

	if (list_empty(&rdma->work))
		return LANE_IDLE;
	connection =
		list_entry(rdma->work.next, struct doca_rdma_connection, work);
	if (!rdma_ends_here(connection))
		return LANE_IDLE;
	task = rdma_pop(connection);
	failure.error = values_of(task)->fault;
	if (failure.error == DOCA_SUCCESS || rdma->canceled)
		failure.error = DOCA_ERROR_SHUTDOWN;
	else
		task_failed(connection, task, &failure);
	rdma_settle(connection);
	return turn_of(task_complete(task, failure.error, 0, NULL));
}

/* Return true if the device has requests of any connection. */
static bool has_posted(const struct doca_rdma *rdma)
{
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++)
		if (rdma->slots[i]->posted)
			return true;
	return false;
}

/* The context stops: wait for the device, and then end the receives. */
static enum lane_turn end_canceled(struct doca_rdma *rdma)
{
	struct doca_task *task;

	if (!rdma->canceled)
		return LANE_IDLE;
	if (!rdma->cut) {
		if (has_posted(rdma) && clock_ns() < rdma->until)
			return LANE_IDLE;
		rdma->cut = true;
		rdma_connections_cut(rdma);
		ctx_set_deadline(&rdma->ctx, 0);
		return LANE_AGAIN;
	}
	if (list_empty(&rdma->receives))
		return LANE_IDLE;
	task = task_of_link(rdma->receives.next);
	list_del(&values_of(task)->link);
	values_of(task)->connection = NULL;
	return turn_of(task_complete(task, DOCA_ERROR_SHUTDOWN, 0, NULL));
}

/* Post what there is room for, or end a task that the device does not have. */
static enum lane_turn turn_here(struct doca_rdma *rdma)
{
	enum lane_turn turn;

	if (rdma_post(rdma))
		return LANE_AGAIN;
	turn = end_refused(rdma);
	return turn == LANE_IDLE ? end_here(rdma) : turn;
}

/* Once between two polls: a device that always has completions must not hold it up. */
static bool is_due_here(const struct doca_rdma *rdma)
{
	return !rdma->nr_wcs && !rdma->turned &&
	       (!list_empty(&rdma->work) || !list_empty(&rdma->refused));
}

static enum lane_turn lane_progress(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	enum lane_turn turn = LANE_IDLE;

	if (doca_unlikely(is_due_here(rdma))) {
		rdma->turned = true;
		turn = turn_here(rdma);
	}
	if (turn != LANE_IDLE)
		return turn;
	if (rdma_look(rdma))
		return end_any(rdma);
	if (doca_unlikely(rdma->failed && !rdma->cut))
		lose(rdma);
	if (ctx->lost)
		return LANE_AGAIN;
	turn = turn_here(rdma);
	if (turn == LANE_IDLE)
		turn = end_canceled(rdma);
	return turn;
}

__attribute__((noinline)) struct doca_task *
rdma_plain_append_slowly(struct doca_task *task)
{
	segs_append(task->dst, values_of(task)->length);
	return task;
}

__attribute__((noinline)) struct doca_task *
rdma_plain_free_buf(struct doca_task *task, struct doca_buf *buf)
{
	doca_priv_buf_free(buf);
	return task;
}

/* Some wait for room in the send queue. */
__attribute__((noinline)) static struct doca_task *
look_for_room(struct doca_task *task)
{
	struct doca_rdma_connection *connection = values_of(task)->connection;

	if (rdma_has_room(connection))
		rdma_connection_kick(connection);
	return task;
}

/* Return true if a request of the connection is done in its turn, with nothing else to do. */
static inline bool is_in_turn(const struct doca_rdma_connection *connection,
			      const struct doca_task *task)
{
	return connection->first == task && connection->posted &&
	       connection->state == RDMA_READY &&
	       !rdma_async_is_told(connection);
}

static inline enum lane_turn end_plain_send(struct doca_rdma *rdma,
					    struct doca_task *task,
					    enum rdma_plain plain)
{
	struct doca_rdma_connection *connection = values_of(task)->connection;

	if (doca_unlikely(!is_in_turn(connection, task)))
		return end_any(rdma);
	rdma_pop_wc(rdma);
	connection->first = task->next;
	connection->posted--;
	connection->contacted = true;
	if (doca_unlikely(connection->unposted))
		task = look_for_room(task);
	rdma_plain_end(task, plain);
	return LANE_CALLED;
}

static inline enum lane_turn end_plain_receive(struct doca_rdma *rdma,
					       struct doca_task *task)
{
	const struct ibv_wc *wc = rdma->wc;
	struct doca_rdma_connection *connection =
		rdma_connection_of(rdma, wc->qp_num);
	struct rdma_values *values = values_of(task);

	if (doca_unlikely(!connection || connection->state != RDMA_READY ||
			  wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM))
		return end_any(rdma);
	rdma_pop_wc(rdma);
	connection->contacted = true;
	list_del(&values->link);
	values->connection = connection;
	values->length = wc->byte_len;
	take_result(values, wc);
	rdma_plain_end(task, RDMA_PLAIN_RECEIVE);
	return LANE_CALLED;
}

/* Take a completion, which there must be. Most are of plain tasks. */
__attribute__((noinline)) static enum lane_turn end_one(struct doca_rdma *rdma)
{
	const struct ibv_wc *wc = rdma->wc;
	enum rdma_plain plain;
	struct doca_task *task;

	if (doca_unlikely(wc->wr_id >= rdma->ctx.nr_tasks ||
			  wc->status != IBV_WC_SUCCESS))
		return end_any(rdma);
	task = task_at(&rdma->ctx, wc->wr_id);
	if (doca_unlikely(task->state != TASK_PLAIN))
		return end_any(rdma);
	plain = kind_of(task)->plain;
	return plain == RDMA_PLAIN_RECEIVE ? end_plain_receive(rdma, task) :
					     end_plain_send(rdma, task, plain);
}

/*
 * Like lane_progress(), while there is nothing else to do, nor news. The engine's full turns may
 * always be another context's, so ask for one after some completions.
 */
static enum lane_turn lane_reap(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);

	if (doca_unlikely(!rdma->calm ||
			  !driver_current(ctx->queue.generation)))
		return LANE_AGAIN;
	if (doca_likely(rdma_poll(rdma)))
		return doca_unlikely(rdma_news_wait(&rdma->news, rdma->taken)) ?
			       LANE_AGAIN :
			       end_one(rdma);
	if (doca_unlikely(!rdma->calm || !ctx->inflight ||
			  rdma_async_is_marked(rdma) ||
			  rdma_news_idle(&rdma->news)))
		return LANE_AGAIN;
	return LANE_IDLE;
}

static bool lane_flush(struct doca_ctx *ctx)
{
	return rdma_post(rdma_of(ctx));
}

/* Receives that wait are not posted any more; they end behind those that are. */
static void lane_cancel(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	struct list *link;

	if (rdma->canceled)
		return;
	rdma->canceled = true;
	rdma_stir(rdma);
	while (!list_empty(&rdma->unposted)) {
		link = rdma->unposted.next;
		list_del(link);
		list_add_tail(&rdma->receives, link);
	}
	doca_priv_ctx_unwatch(ctx, RDMA_WATCH_NEWS);
	rdma_cm_cancel(rdma);
	rdma_connections_cancel(rdma);
	rdma->until = clock_ns() + CANCEL_NS;
	ctx_set_deadline(ctx, rdma->until);
}

static void drain_channel(struct doca_rdma *rdma)
{
	struct ibv_cq *cq;
	void *arg;

	while (!ibv_get_cq_event(rdma->channel, &cq, &arg))
		rdma->events++;
	if (rdma->events >= ACK_EVENTS) {
		ibv_ack_cq_events(rdma->cq, rdma->events);
		rdma->events = 0;
	}
	rdma->armed = false;
}

/* Return true if end_canceled() has something to do. */
static bool ends_more(const struct doca_rdma *rdma)
{
	if (!rdma->canceled)
		return false;
	return rdma->cut ? !list_empty(&rdma->receives) : !has_posted(rdma);
}

/* A completion that came before the request makes no event: look after it. */
static bool lane_arm(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);

	if (!list_empty(&rdma->refused) || !list_empty(&rdma->work) ||
	    ends_more(rdma) || (!rdma->canceled && rdma_cm_is_due(rdma)))
		return true;
	rdma_news_soon(rdma);
	if (rdma->armed)
		drain_channel(rdma);
	if (ibv_req_notify_cq(rdma->cq, 0))
		return true;
	rdma->armed = true;
	return rdma_look(rdma) || rdma->failed;
}

static doca_error_t lane_start(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	doca_error_t ret = rdma_open(rdma);

	if (ret == DOCA_SUCCESS)
		doca_priv_ctx_watch(ctx, RDMA_WATCH_QUEUE, rdma->channel->fd);
	return ret;
}

static void lane_stop(struct doca_ctx *ctx, bool forked)
{
	rdma_close(rdma_of(ctx), forked);
}

/* One event of librdmacm in a call: peers may send them without end. */
static enum lane_turn lane_deliver(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	enum lane_turn turn;
	uint32_t news;

	if (rdma->canceled)
		return LANE_IDLE;
	turn = rdma_cm_tell_next(rdma);
	if (turn != LANE_IDLE)
		return turn;
	news = rdma_news_look(rdma);
	if (news & RDMA_NEWS_REMOVED)
		dev_notice_look(&rdma->notice, ctx->dev);
	if (news & RDMA_NEWS_DEVICE)
		rdma_async_read(rdma);
	if (rdma_async_act(rdma) || rdma_cm_give_up(rdma))
		return LANE_AGAIN;
	if (news & RDMA_NEWS_CM)
		rdma_cm_take_event(rdma);
	return rdma_cm_tell_next(rdma);
}

static bool lane_busy(const struct doca_ctx *ctx)
{
	return rdma_cm_is_busy(rdma_of(ctx));
}

const struct lane_ops rdma_lane = {
	.name = "verbs",
	.start = lane_start,
	.stop = lane_stop,
	.submit = rdma_submit,
	.put = rdma_put,
	.flush = lane_flush,
	.progress = lane_progress,
	.reap = lane_reap,
	.deliver = lane_deliver,
	.busy = lane_busy,
	.cancel = lane_cancel,
	.arm = lane_arm,
};
