// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>

#include <doca_error.h>

#include "connection.h"
#include "core/exec/task_bufs.h"
#include "request.h"

LOG_SOURCE("RDMA");

/* A task fails with a line that names it. */
#define UNFIT(task, code, words, ...)                        \
	FAIL(code, "%s task %p: " words, (task)->type->name, \
	     (const void *)(task), ##__VA_ARGS__)

/* Memory of a peer. */
struct target {
	uint64_t address;
	uint64_t length;
	uint32_t key;
};

/* Local memory: the data of a list of buffers, or the room behind it. */
struct local {
	bool room;
	bool head; /* only the first buffer counts */
	uint32_t max; /* buffers */
	uint64_t limit; /* bytes that are used of the room */
	uint64_t length;
	int nr_sges;
	bool seen; /* the CPU can read it */
};

static const char *buf_fault(const struct doca_task *task,
			     const struct doca_buf *buf)
{
	if (!buf->refcount)
		return "was released already";
	if (!buf->mmap->started || !mmap_find(buf->mmap, task->ctx->dev))
		return "is in an mmap that is not started or lacks the device "
		       "of the context";
	if (!doca_priv_buf_fits(buf))
		return "has data that is not within its memory";
	return NULL;
}

/* The first task that uses an mmap has it registered; all others find the key. */
static doca_error_t local_key(const struct doca_task *task,
			      const struct doca_buf *buf, bool written,
			      uint32_t *lkey)
{
	const char *fault = buf_fault(task, buf);
	struct mmap_key *key;

	if (!fault && buf->mmap->from_export)
		fault = "is memory of another process, which only its owner "
			"can send or receive";
	if (doca_unlikely(fault))
		return UNFIT(task, INVALID_VALUE, "buffer %p %s (mmap %p)",
			     (const void *)buf, fault, (void *)buf->mmap);
	if (doca_unlikely(written && !doca_priv_mmap_writable(buf->mmap)))
		return UNFIT(task, NOT_PERMITTED,
			     "buffer %p is in an mmap that does not allow "
			     "writes (mmap %p)",
			     (const void *)buf, (void *)buf->mmap);
	key = mmap_find(buf->mmap, task->ctx->dev);
	if (doca_unlikely(!__atomic_load_n(&key->mr, __ATOMIC_ACQUIRE)))
		return mmap_get_lkey(buf->mmap, key, lkey);
	*lkey = key->lkey;
	return DOCA_SUCCESS;
}

static doca_error_t too_long(const struct doca_task *task, uint64_t bytes)
{
	return UNFIT(task, INVALID_VALUE,
		     "%" PRIu64 " bytes are more than the device moves in one "
		     "task, %u",
		     bytes, rdma_of(task->ctx)->hca.max_message);
}

/* To a device an element of no bytes may be one of 2 GiB, so there is none. */
static doca_error_t put_buf(struct doca_task *task, const struct doca_buf *buf,
			    struct local *local)
{
	uint64_t bytes = local->room ? doca_priv_buf_tailroom(buf) :
				       doca_priv_buf_data_len(buf);
	uint64_t left = local->limit - local->length;
	uint32_t lkey = 0;
	doca_error_t ret;

	ret = local_key(task, buf, local->room, &lkey);
	if (doca_unlikely(ret != DOCA_SUCCESS))
		return ret;
	if (bytes > left && !local->room)
		return too_long(task, local->length + bytes);
	if (bytes > left)
		bytes = left;
	if (!bytes)
		return DOCA_SUCCESS;
	sges_of(task)[local->nr_sges++] = (struct ibv_sge){
		.addr = local->room ? doca_priv_buf_tail(buf) :
				      doca_priv_buf_data(buf),
		.length = bytes,
		.lkey = lkey,
	};
	local->length += bytes;
	local->seen &= buf->mmap->dmabuf_fd < 0;
	return DOCA_SUCCESS;
}

static doca_error_t put_local(struct doca_task *task,
			      const struct doca_buf *buf, struct local *local)
{
	doca_error_t ret;
	uint32_t n = 0;

	local->length = 0;
	local->nr_sges = 0;
	local->seen = true;
	for (; buf; buf = doca_priv_buf_next(buf)) {
		if (doca_unlikely(++n > local->max))
			return UNFIT(task, INVALID_VALUE,
				     "its list has more than %u buffers",
				     local->max);
		ret = put_buf(task, buf, local);
		if (doca_unlikely(ret != DOCA_SUCCESS))
			return ret;
		if (local->head)
			break;
	}
	return DOCA_SUCCESS;
}

static const char *access_name(uint32_t access)
{
	switch (access) {
	case DOCA_ACCESS_FLAG_RDMA_READ:
		return "READ";
	case DOCA_ACCESS_FLAG_RDMA_WRITE:
		return "WRITE";
	default:
		return "ATOMIC";
	}
}

static doca_error_t find_peers(const struct doca_task *task,
			       const struct doca_buf *buf,
			       struct target *target)
{
	const struct rdma_kind *kind = kind_of(task);
	const char *fault = buf_fault(task, buf);

	if (!fault && doca_priv_buf_next(buf))
		fault = "is a list; memory of a peer is one buffer";
	if (!fault && !doca_priv_mmap_is_peers(buf->mmap))
		fault = "is not memory of a peer: its mmap was not made from "
			"a descriptor of doca_mmap_export_rdma()";
	if (doca_unlikely(fault))
		return UNFIT(task, INVALID_VALUE, "buffer %p %s (mmap %p)",
			     (const void *)buf, fault, (void *)buf->mmap);
	if (doca_unlikely(!(buf->mmap->access & kind->access)))
		return UNFIT(task, NOT_PERMITTED,
			     "the peer has exported its memory without "
			     "DOCA_ACCESS_FLAG_RDMA_%s (mmap %p)",
			     access_name(kind->access), (void *)buf->mmap);
	target->key = mmap_find(buf->mmap, task->ctx->dev)->rkey;
	target->address = doca_priv_buf_data(buf);
	target->length = doca_priv_buf_data_len(buf);
	if (kind->fetches && (target->length || !kind->word))
		return DOCA_SUCCESS;
	target->address = doca_priv_buf_tail(buf);
	target->length = doca_priv_buf_tailroom(buf);
	return DOCA_SUCCESS;
}

static doca_error_t check_word(const struct doca_task *task,
			       struct target *target)
{
	if (target->length < RDMA_WORD || target->address % RDMA_WORD)
		return UNFIT(task, INVALID_VALUE,
			     "the peer's memory must be %u bytes at an address "
			     "that is a multiple of it",
			     RDMA_WORD);
	target->length = RDMA_WORD;
	return DOCA_SUCCESS;
}

static doca_error_t find_event(const struct doca_task *task,
			       struct target *target)
{
	const struct doca_sync_event_remote_net *event = values_of(task)->event;
	const struct mmap_key *key;

	if (!event)
		return UNFIT(task, INVALID_VALUE, "its sync event is missing");
	key = mmap_find(event->mmap, task->ctx->dev);
	if (!key)
		return UNFIT(task, INVALID_VALUE,
			     "sync event %p is of another device",
			     (const void *)event);
	if (!(event->mmap->access & kind_of(task)->access))
		return UNFIT(task, NOT_PERMITTED,
			     "the peer does not let sync event %p be changed "
			     "so",
			     (const void *)event);
	*target = (struct target){
		.key = key->rkey,
		.address = (uintptr_t)event->mmap->addr,
		.length = RDMA_WORD,
	};
	return DOCA_SUCCESS;
}

/* Find the memory of the peer. A write of nothing needs none. */
static doca_error_t find_target(const struct doca_task *task,
				struct target *target)
{
	const struct rdma_kind *kind = kind_of(task);
	const struct doca_buf *buf = kind->fetches ? task_src(task) :
						     task_dst(task);
	doca_error_t ret;

	*target = (struct target){ 0 };
	if (kind->event)
		return find_event(task, target);
	if (!buf)
		return kind->fetches ? UNFIT(task, INVALID_VALUE,
					     "the peer's buffer is missing") :
				       DOCA_SUCCESS;
	ret = find_peers(task, buf, target);
	if (ret == DOCA_SUCCESS && kind->word)
		ret = check_word(task, target);
	return ret;
}

static doca_error_t check_lengths(const struct doca_task *task,
				  const struct target *target, uint64_t length)
{
	if (kind_of(task)->fetches && length < target->length)
		return UNFIT(task, INVALID_VALUE,
			     "%" PRIu64 " bytes are to be fetched, and its "
			     "buffers have room for %" PRIu64,
			     target->length, length);
	if (!kind_of(task)->fetches && length > target->length)
		return UNFIT(task, INVALID_VALUE,
			     "it has %" PRIu64 " bytes of data, and the peer's "
			     "buffer room for %" PRIu64,
			     length, target->length);
	if (kind_of(task)->event && length != RDMA_WORD)
		return UNFIT(task, INVALID_VALUE,
			     "it has %" PRIu64 " bytes of data, and the value "
			     "of a sync event has %u",
			     length, RDMA_WORD);
	return DOCA_SUCCESS;
}

static doca_error_t check_connection(const struct doca_task *task)
{
	const struct rdma_values *values = values_of(task);
	const struct doca_rdma_connection *connection = values->connection;
	bool same = connection->id == values->connection_id;

	if (doca_likely(same && (connection->state == RDMA_READY ||
				 connection->state == RDMA_REPEATING)))
		return DOCA_SUCCESS;
	return UNFIT(task, NOT_CONNECTED, "connection %u is not connected%s",
		     values->connection_id,
		     same && rdma_is_coming(connection->state) ? " yet" :
								 " any more");
}

/* The device would keep it until there is room for one, and all tasks behind it. */
static doca_error_t check_reads(const struct doca_task *task)
{
	const struct rdma_kind *kind = kind_of(task);

	if ((!kind->fetches && !kind->word) ||
	    doca_likely(values_of(task)->connection->there.rd_atomic))
		return DOCA_SUCCESS;
	return UNFIT(task, NOT_SUPPORTED,
		     "the peer of connection %u allows no reads and atomic "
		     "operations",
		     values_of(task)->connection_id);
}

static void fill(struct doca_task *task, const struct target *target,
		 const struct local *local)
{
	struct rdma_values *values = values_of(task);
	const struct rdma_kind *kind = kind_of(task);
	struct ibv_send_wr *wr = &wr_of(task)->send;

	values->length = local->length;
	wr->num_sge = local->nr_sges;
	wr->send_flags = IBV_SEND_SIGNALED;
	if (!kind->fetches && local->seen && local->length &&
	    local->length <= values->connection->max_inline)
		wr->send_flags |= IBV_SEND_INLINE;
	if (!kind->word) {
		wr->wr.rdma.remote_addr = target->address;
		wr->wr.rdma.rkey = target->key;
		return;
	}
	wr->wr.atomic.remote_addr = target->address;
	wr->wr.atomic.rkey = target->key;
	wr->wr.atomic.compare_add = values->operand;
	wr->wr.atomic.swap = values->swap;
}

static doca_error_t make_send(struct doca_task *task)
{
	const struct doca_rdma *rdma = rdma_of(task->ctx);
	const struct rdma_kind *kind = kind_of(task);
	struct target target = { 0 };
	struct local local = {
		.room = kind->fetches,
		.head = kind->word, /* not all devices scatter a word */
		.max = rdma->set.send_list,
		.limit = rdma->hca.max_message,
	};
	doca_error_t ret = check_connection(task);

	if (kind->fetches && local.max > rdma->hca.read_list)
		local.max = rdma->hca.read_list;
	if (ret == DOCA_SUCCESS)
		ret = check_reads(task);
	if (ret == DOCA_SUCCESS && kind->access)
		ret = find_target(task, &target);
	if (ret == DOCA_SUCCESS && kind->fetches &&
	    target.length > rdma->hca.max_message)
		ret = too_long(task, target.length);
	if (kind->fetches)
		local.limit = target.length;
	if (ret == DOCA_SUCCESS)
		ret = put_local(task,
				kind->fetches ? task_dst(task) : task_src(task),
				&local);
	if (ret == DOCA_SUCCESS && kind->access)
		ret = check_lengths(task, &target, local.length);
	if (ret == DOCA_SUCCESS)
		fill(task, &target, &local);
	return ret;
}

static doca_error_t make_receive(struct doca_task *task)
{
	const struct doca_rdma *rdma = rdma_of(task->ctx);
	struct local local = {
		.room = true,
		.max = rdma->set.receive_list,
		.limit = rdma->hca.max_message,
	};
	doca_error_t ret = put_local(task, task_dst(task), &local);

	wr_of(task)->receive.num_sge = local.nr_sges;
	return ret;
}

doca_error_t rdma_request_make(struct doca_task *task)
{
	return kind_of(task)->receives ? make_receive(task) : make_send(task);
}

void rdma_request_init(struct doca_task *task)
{
	const struct doca_rdma *rdma = rdma_of(task->ctx);
	struct ibv_sge *sges =
		&rdma->sges[(size_t)task->index * rdma->list_max];
	union rdma_wr *wr = wr_of(task);

	if (kind_of(task)->receives) {
		wr->receive.wr_id = task->index;
		wr->receive.sg_list = sges;
		return;
	}
	wr->send.wr_id = task->index;
	wr->send.sg_list = sges;
	wr->send.opcode = kind_of(task)->opcode;
}

/* The request is the task's, so it may be written before the task is submitted. */
doca_error_t rdma_validate(const struct doca_task *task)
{
	return rdma_request_make((struct doca_task *)task);
}

/* A peer's write with immediate data has written elsewhere, and uses no buffer. */
void rdma_finish(struct doca_task *task, uint32_t length,
		 const uint64_t *result)
{
	struct rdma_values *values = values_of(task);

	(void)result;
	values->fault = DOCA_SUCCESS; /* plain tasks have none */
	values->length = task->status == DOCA_SUCCESS ? length : 0;
	if (task->status == DOCA_SUCCESS &&
	    !(kind_of(task)->receives &&
	      values->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM))
		segs_append(task_dst(task), length);
	if (kind_of(task)->event && values->event)
		sync_net_unhold(values->event);
	task_unhold_bufs(task);
}
