/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Plain tasks, as most are: one buffer on each side, mmaps whose keys are known, a connection
 * that works. Their requests are filled in here, and they end here, without calls. All others
 * take the way of request.c and task_complete(), which has the same effects.
 */
#ifndef DOCA_RDMA_PLAIN_H
#define DOCA_RDMA_PLAIN_H

#include "connection.h"
#include "core/memory/segs.h"
#include "request.h"

/* Fill in the one element of a request. */
static inline bool rdma_plain_sge(struct doca_task *task,
				  const struct doca_buf *buf, bool room,
				  uint32_t length)
{
	const struct doca_mmap *mmap = buf->mmap;
	struct ibv_sge *sge = sges_of(task);

	if (doca_unlikely(!buf->sound ||
			  __atomic_load_n(&mmap->lkey_dev, __ATOMIC_ACQUIRE) !=
				  task->ctx->dev ||
			  (room && !doca_priv_mmap_writable(mmap))))
		return false;
	sge->addr = room ? buf->room.address : buf->source.address;
	sge->length = length;
	sge->lkey = mmap->one.lkey;
	return true;
}

/* Name the memory of the peer in a request. */
static inline bool rdma_plain_target(struct doca_task *task,
				     const struct doca_buf *buf, bool fetches)
{
	const struct doca_mmap *mmap = buf->mmap;
	struct ibv_send_wr *wr = &wr_of(task)->send;
	uint32_t access = fetches ? DOCA_ACCESS_FLAG_RDMA_READ :
				    DOCA_ACCESS_FLAG_RDMA_WRITE;

	if (doca_unlikely(!buf->sound || mmap->rkey_dev != task->ctx->dev ||
			  !(mmap->access & access)))
		return false;
	wr->wr.rdma.remote_addr = fetches ? buf->source.address :
					    buf->room.address;
	wr->wr.rdma.rkey = mmap->one.rkey;
	return true;
}

static inline bool rdma_plain_connection(const struct doca_task *task,
					 bool fetches)
{
	const struct rdma_values *values = values_of(task);
	const struct doca_rdma_connection *connection = values->connection;

	return connection->state == RDMA_READY &&
	       connection->id == values->connection_id &&
	       (!fetches || connection->there.rd_atomic);
}

/*
 * Fill in the request of a task that sends, writes or reads, and hold its buffers. Return false
 * if it is not plain. The data of the source moves into the room of the destination, of which a
 * message has none here.
 */
__attribute__((always_inline)) static inline bool
rdma_plain_move(struct doca_task *task, enum rdma_plain plain)
{
	bool fetches = plain == RDMA_PLAIN_READ;
	struct doca_buf *src = task->src, *dst = task->dst;
	struct doca_buf *local = fetches ? dst : src;
	struct rdma_values *values = values_of(task);
	struct ibv_send_wr *wr = &wr_of(task)->send;
	uint32_t length = src->source.length;

	if (doca_unlikely(!rdma_plain_connection(task, fetches) ||
			  length - 1 >= rdma_of(task->ctx)->hca.max_message ||
			  !rdma_plain_sge(task, local, fetches, length)))
		return false;
	if (plain != RDMA_PLAIN_SEND) {
		if (doca_unlikely(dst->room.length < length ||
				  !rdma_plain_target(task, fetches ? src : dst,
						     fetches)))
			return false;
		doca_priv_buf_hold(dst);
	}
	doca_priv_buf_hold(src);
	values->length = length;
	wr->num_sge = 1;
	wr->send_flags = IBV_SEND_SIGNALED;
	if (!fetches && length <= values->connection->max_inline &&
	    doca_likely(local->mmap->dmabuf_fd < 0))
		wr->send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
	return true;
}

/* Likewise of one that receives. */
static inline bool rdma_plain_receive(struct doca_task *task)
{
	const struct doca_rdma *rdma = rdma_of(task->ctx);
	struct doca_buf *dst = task->dst;
	uint32_t length = dst->room.length;

	if (length > rdma->hca.max_message)
		length = rdma->hca.max_message;
	if (doca_unlikely(!length || !rdma_plain_sge(task, dst, true, length)))
		return false;
	wr_of(task)->receive.num_sge = 1;
	doca_priv_buf_hold(dst);
	return true;
}

/*
 * These are out of line, and return the task, so that the caller need not keep it across the
 * call.
 */
struct doca_task *rdma_plain_append_slowly(struct doca_task *task);
struct doca_task *rdma_plain_free_buf(struct doca_task *task,
				      struct doca_buf *buf);

/* Give the output to the destination. */
static inline struct doca_task *rdma_plain_append(struct doca_task *task)
{
	uint32_t length = values_of(task)->length;

	return doca_likely(task->dst->sound && length &&
			   doca_priv_buf_fill(task->dst, length)) ?
		       task :
		       rdma_plain_append_slowly(task);
}

static inline struct doca_task *rdma_plain_unhold(struct doca_task *task,
						  struct doca_buf *buf)
{
	return doca_likely(--buf->holds) ? task :
					   rdma_plain_free_buf(task, buf);
}

/* Hand a plain task that has succeeded back; its length is set. */
static inline void rdma_plain_end(struct doca_task *task, enum rdma_plain plain)
{
	task->ctx->inflight--;
	task->state = TASK_OWNED;
	task->status = DOCA_SUCCESS;
	if (plain == RDMA_PLAIN_SEND) {
		task = rdma_plain_unhold(task, task->src);
	} else if (plain == RDMA_PLAIN_RECEIVE) {
		task = rdma_plain_append(task);
		task = rdma_plain_unhold(task, task->dst);
	} else {
		task = rdma_plain_append(task);
		task = rdma_plain_unhold(task, task->dst);
		task = rdma_plain_unhold(task, task->src);
	}
	task->type->done(task);
}

#endif /* DOCA_RDMA_PLAIN_H */
