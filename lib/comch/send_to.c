// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task of a producer. */
#include <string.h>

#include <doca_error.h>

#include "core/exec/task_bufs.h"
#include "producer.h"

LOG_SOURCE("COMCH::PRODUCER");

#define MAX_CONSUMER_ID 65534

_Static_assert(offsetof(struct doca_sqe, op) ==
		       offsetof(struct doca_sqe, dst) + sizeof(struct doca_seg),
	       "immediate data goes from one into the other");

static struct doca_comch_producer_task_send *
send_of(const struct doca_task *task)
{
	return list_entry(task, struct doca_comch_producer_task_send, task);
}

/* Without data there is no source, and immediate data alone is sent. */
static doca_error_t send_to_validate(const struct doca_task *task)
{
	struct task_bytes bytes;

	if (segs_empty(task_src(task)))
		return DOCA_SUCCESS;
	return doca_priv_task_check(task, &bytes);
}

static void send_to_prepare(struct doca_task *task, struct doca_sqe *sqe,
			    struct doca_seg *run, uint32_t first)
{
	const struct doca_comch_producer_task_send *send = send_of(task);
	const struct doca_buf *buf = task_hold_src(task);
	struct segs segs = {
		.dev = task->ctx->dev,
		.run = run,
		.first = first,
		.max = task->pool->limits.list_len,
	};

	sqe->opcode = task->opcode;
	sqe->flags = send->imm_length << DOCA_SQE_IMM_SHIFT;
	if (send->consumer_id <= MAX_CONSUMER_ID)
		sqe->aux = send->consumer_id;
	if (!segs_empty(buf))
		sqe->flags |= segs_from_source(&segs, buf, &sqe->src);
	if (send->imm_length)
		memcpy((char *)sqe + offsetof(struct doca_sqe, dst), send->imm,
		       send->imm_length);
}

static void send_to_finish(struct doca_task *task, uint32_t length,
			   const uint64_t *result)
{
	(void)length;
	(void)result;
	task_unhold_bufs(task);
}

static void send_to_limit(struct task_limits *limits)
{
	if (limits->tasks > COMCH_MAX_TASKS)
		limits->tasks = COMCH_MAX_TASKS;
	if (limits->list_len > COMCH_MAX_SEND_LIST)
		limits->list_len = COMCH_MAX_SEND_LIST;
}

DEFINE_TASK(doca_comch_producer_task_send)

const struct task_type comch_send_to = {
	TASK_OBJECT(doca_comch_producer_task_send),
	.name = "send",
	.src = { .name = "buffer", .list = true, .data = true },
	.limit = send_to_limit,
	.validate = send_to_validate,
	.finish = send_to_finish,
	.ring = {
		.opcode = DOCA_OP_SEND_TO,
		.prepare = send_to_prepare,
	},
};

DEFINE_SET_CONF(doca_comch_producer_task_send_set_conf, doca_comch_producer, 0,
		doca_comch_producer_task_send)
DEFINE_ALLOC(doca_comch_producer, 0, doca_comch_producer_task_send)

static bool is_imm(const uint8_t *imm, uint32_t length,
		   const struct log_site *site)
{
	if (length <= COMCH_MAX_IMM && (imm || !length))
		return true;
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
	       "%s(): there are up to %u bytes of immediate data, not %u%s",
	       site->func, COMCH_MAX_IMM, length, imm ? "" : " at NULL");
	return false;
}

doca_error_t doca_comch_producer_task_send_alloc_init(
	struct doca_comch_producer *producer, const struct doca_buf *buf,
	uint8_t *imm_data, uint32_t imm_data_len, uint32_t consumer_id,
	struct doca_comch_producer_task_send **task)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_ctx(producer, doca_comch_producer) || !valid_or_null(buf) ||
	    !is_imm(imm_data, imm_data_len, &site))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_comch_producer_task_send_alloc_(
		producer, (union doca_data){ .u64 = 0 }, task, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	task_set_src(&(*task)->task, buf);
	(*task)->imm = imm_data;
	(*task)->imm_length = imm_data_len;
	(*task)->consumer_id = consumer_id;
	return DOCA_SUCCESS;
}

void doca_comch_producer_task_send_set_imm_data(
	struct doca_comch_producer_task_send *task, uint8_t *imm_data,
	uint32_t imm_data_len)
{
	static const struct log_site site = LOG_SITE;

	if (!task_may_set(TASK_OF(task), &doca_comch_producer_task_send_object_,
			  &site) ||
	    !is_imm(imm_data, imm_data_len, &site))
		return;
	task->imm = imm_data;
	task->imm_length = imm_data_len;
}

void doca_comch_producer_task_send_set_consumer_id(
	struct doca_comch_producer_task_send *task, const uint32_t consumer_id)
{
	static const struct log_site site = LOG_SITE;

	if (task_may_set(TASK_OF(task), &doca_comch_producer_task_send_object_,
			 &site))
		task->consumer_id = consumer_id;
}

DEFINE_AS_TASK(doca_comch_producer_task_send_as_task,
	       doca_comch_producer_task_send)
DEFINE_SET_BUF(doca_comch_producer_task_send_set_buf,
	       doca_comch_producer_task_send, const struct doca_buf, src)
DEFINE_GET_BUF(doca_comch_producer_task_send_get_buf,
	       doca_comch_producer_task_send, const struct doca_buf, src)
DEFINE_TASK_GET(doca_comch_producer_task_send_get_imm_data,
		doca_comch_producer_task_send, uint8_t *, imm)
DEFINE_TASK_GET(doca_comch_producer_task_send_get_imm_data_len,
		doca_comch_producer_task_send, uint32_t, imm_length)
DEFINE_TASK_GET(doca_comch_producer_task_send_get_consumer_id,
		doca_comch_producer_task_send, uint32_t, consumer_id)
