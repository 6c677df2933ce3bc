// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task of a consumer. */
#include <string.h>

#include <doca_error.h>

#include "consumer.h"
#include "core/exec/task_bufs.h"

LOG_SOURCE("COMCH::CONSUMER");

static struct doca_comch_consumer_task_post_recv *
recv_of(const struct doca_task *task)
{
	return list_entry(task, struct doca_comch_consumer_task_post_recv,
			  task);
}

static doca_error_t post_recv_validate(const struct doca_task *task)
{
	const struct doca_comch_consumer *consumer = consumer_of(task->ctx);
	const struct doca_buf *buf = task_dst(task);
	struct task_bytes bytes;
	doca_error_t ret;

	ret = doca_priv_task_check(task, &bytes);
	if (ret != DOCA_SUCCESS || buf->mmap == consumer->mmap)
		return ret;
	return FAIL(INVALID_VALUE,
		    "post_recv task %p: buffer %p is not in the mmap of its "
		    "consumer",
		    (const void *)task, (const void *)buf);
}

/* The lane already holds the buffer. */
static void post_recv_prepare(struct doca_task *task, struct doca_sqe *sqe,
			      struct doca_seg *run, uint32_t first)
{
	struct segs segs = { .dev = task->ctx->dev };

	(void)run;
	(void)first;
	sqe->opcode = task->opcode;
	segs_from_destination(&segs, task_dst(task), &sqe->dst);
}

static void post_recv_finish(struct doca_task *task, uint32_t length,
			     const uint64_t *result)
{
	struct doca_comch_consumer_task_post_recv *recv = recv_of(task);

	(void)result;
	if (task->status != DOCA_SUCCESS) {
		recv->producer = 0;
		recv->imm_length = 0;
	}
	task_finish_bufs(task, length);
}

void post_recv_take(struct doca_task *task, const struct doca_event *event)
{
	struct doca_comch_consumer_task_post_recv *recv = recv_of(task);

	recv->producer = event->id;
	recv->imm_length = event->imm_length;
	if (recv->imm_length > COMCH_MAX_IMM)
		recv->imm_length = COMCH_MAX_IMM;
	memcpy(recv->imm, event->imm, recv->imm_length);
}

static void post_recv_limit(struct task_limits *limits)
{
	if (limits->tasks > COMCH_MAX_TASKS)
		limits->tasks = COMCH_MAX_TASKS;
	limits->list_len = 1;
}

DEFINE_TASK(doca_comch_consumer_task_post_recv)

const struct task_type comch_post_recv = {
	TASK_OBJECT(doca_comch_consumer_task_post_recv),
	.name = "post_recv",
	.dst = { .name = "buffer", .writes = true },
	.limit = post_recv_limit,
	.validate = post_recv_validate,
	.finish = post_recv_finish,
	.ring = {
		.opcode = DOCA_OP_POST_RECV,
		.prepare = post_recv_prepare,
	},
};

DEFINE_SET_CONF(doca_comch_consumer_task_post_recv_set_conf,
		doca_comch_consumer, 0, doca_comch_consumer_task_post_recv)
DEFINE_ALLOC(doca_comch_consumer, 0, doca_comch_consumer_task_post_recv)

doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
	struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_or_null(buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_comch_consumer_task_post_recv_alloc_(
		consumer, (union doca_data){ .u64 = 0 }, task, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	(*task)->producer = 0;
	(*task)->imm_length = 0;
	task_set_dst(&(*task)->task, buf);
	return DOCA_SUCCESS;
}

DEFINE_AS_TASK(doca_comch_consumer_task_post_recv_as_task,
	       doca_comch_consumer_task_post_recv)
DEFINE_SET_BUF(doca_comch_consumer_task_post_recv_set_buf,
	       doca_comch_consumer_task_post_recv, struct doca_buf, dst)
DEFINE_GET_BUF(doca_comch_consumer_task_post_recv_get_buf,
	       doca_comch_consumer_task_post_recv, struct doca_buf, dst)
DEFINE_TASK_GET(doca_comch_consumer_task_post_recv_get_producer_id,
		doca_comch_consumer_task_post_recv, uint32_t, producer)
DEFINE_TASK_GET(doca_comch_consumer_task_post_recv_get_imm_data_len,
		doca_comch_consumer_task_post_recv, uint32_t, imm_length)

const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task)
{
	static const struct log_site site = LOG_SITE;

	if (!task_is(TASK_OF(task), &doca_comch_consumer_task_post_recv_object_,
		     &site))
		return NULL;
	return task->imm_length ? task->imm : NULL;
}
