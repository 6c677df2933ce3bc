// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include <doca_error.h>

#include "core/exec/lane_ring.h"
#include "send.h"

LOG_SOURCE("COMCH::SEND");

#define NO_SLOT UINT32_MAX

static struct doca_comch_task_send *send_of(struct doca_task *task)
{
	return list_entry(task, struct doca_comch_task_send, task);
}

static void append(struct doca_task **first, struct doca_task **last,
		   struct doca_task *task)
{
	task->next = NULL;
	if (*first)
		(*last)->next = task;
	else
		*first = task;
	*last = task;
}

static struct doca_task *pop(struct doca_task **first)
{
	struct doca_task *task = *first;

	*first = task->next;
	return task;
}

/* Return the place in the backlog for the message of a task without a slot. */
static char *kept(const struct party *party, const struct doca_task *task)
{
	return party->backlog + (size_t)task->index * party->max_msg;
}

static bool may_have_slot(const struct party *party,
			  const struct doca_comch_connection *connection)
{
	return connection->slots < party->conn_slots;
}

static void put(struct party *party, struct doca_comch_task_send *send,
		const void *msg)
{
	send->slot = party->free_slots[--party->nr_free];
	send->connection->slots++;
	memcpy(inbox_slot(&party->inbox, send->slot), msg, send->len);
	lane_ring_submit(&send->task, false);
}

static void keep(struct party *party, struct doca_comch_task_send *send)
{
	struct doca_comch_connection *connection = send->connection;

	memcpy(kept(party, &send->task), send->msg, send->len);
	append(&connection->first, &connection->last, &send->task);
	if (may_have_slot(party, connection) && list_empty(&connection->waits))
		list_add_tail(&party->waiting, &connection->waits);
}

static void send_or_keep(struct doca_task *task)
{
	struct doca_comch_task_send *send = send_of(task);
	struct party *party = party_of(task->ctx);
	struct doca_comch_connection *connection = party_find(party, send->id);

	send->slot = NO_SLOT;
	if (!connection || !connection->open) {
		send->connection = NULL;
		append(&party->failed, &party->last_failed, task);
		doca_priv_ctx_kick(task->ctx);
		return;
	}
	send->connection = connection;
	connection->sends++;
	if (!connection->first && may_have_slot(party, connection) &&
	    party->nr_free)
		put(party, send, send->msg);
	else
		keep(party, send);
}

void send_submit(struct doca_task *task, bool flush)
{
	send_or_keep(task);
	if (flush)
		lane_ring_flush(task->ctx);
}

/* Give free slots to connections in turn. */
static void go_on(struct party *party)
{
	struct doca_comch_connection *connection;
	struct doca_task *task;

	while (party->nr_free && !list_empty(&party->waiting)) {
		connection = list_entry(party->waiting.next,
					struct doca_comch_connection, waits);
		list_del(&connection->waits);
		if (!connection->first)
			continue;
		task = pop(&connection->first);
		put(party, send_of(task), kept(party, task));
		if (connection->first && may_have_slot(party, connection))
			list_add_tail(&party->waiting, &connection->waits);
	}
}

static void free_slot(struct party *party, struct doca_comch_task_send *send)
{
	struct doca_comch_connection *connection = send->connection;

	party->free_slots[party->nr_free++] = send->slot;
	connection->slots--;
	if (connection->first && list_empty(&connection->waits))
		list_add_tail(&party->waiting, &connection->waits);
}

/* A lost context completes tasks that are still in lists: leave those alone. */
static void send_finish(struct doca_task *task, uint32_t length,
			const uint64_t *result)
{
	struct doca_comch_task_send *send = send_of(task);
	struct doca_comch_connection *connection = send->connection;
	struct party *party = party_of(task->ctx);

	(void)length;
	(void)result;
	if (!connection)
		return;
	connection->sends--;
	if (task->status == DOCA_SUCCESS)
		connection_count(connection, SENT_MESSAGES, send->len);
	else if (party->stopping && task->status == DOCA_ERROR_NOT_CONNECTED)
		task->status = DOCA_ERROR_SHUTDOWN;
	if (task->ctx->lost)
		return;
	if (send->slot != NO_SLOT)
		free_slot(party, send);
	if (!connection->open && !connection->sends)
		list_add_tail(&party->ended, &connection->ends);
	go_on(party);
}

enum lane_turn send_end_failed(struct party *party)
{
	doca_error_t error = DOCA_ERROR_NOT_CONNECTED;
	struct doca_ctx *ctx = party->ctx;
	struct doca_task *task;

	if (!party->failed)
		return LANE_IDLE;
	task = pop(&party->failed);
	if (party->stopping)
		error = DOCA_ERROR_SHUTDOWN;
	else
		LOG_(log_once(&ctx->told_soft),
		     "%s %p: task %p failed: its connection is closed; the "
		     "context goes on",
		     ctx->type->name, (void *)ctx, (void *)task);
	return task_complete(task, error, 0, NULL) ? LANE_CALLED : LANE_AGAIN;
}

void send_close(struct doca_comch_connection *connection)
{
	struct party *party = connection->party;

	connection->open = false;
	list_del(&connection->waits);
	while (connection->first)
		append(&party->failed, &party->last_failed,
		       pop(&connection->first));
	if (!connection->sends)
		list_add_tail(&party->ended, &connection->ends);
}

static void send_prepare(struct doca_task *task, struct doca_sqe *sqe,
			 struct doca_seg *run, uint32_t first)
{
	const struct doca_comch_task_send *send = send_of(task);

	(void)run;
	(void)first;
	sqe->opcode = task->opcode;
	sqe->src.address = send->slot;
	sqe->src.length = send->len;
	sqe->op[0] = send->id;
}

/* The allocation has checked everything. */
static doca_error_t send_validate(const struct doca_task *task)
{
	(void)task;
	return DOCA_SUCCESS;
}

static void send_limit(struct task_limits *limits)
{
	if (limits->tasks > COMCH_MAX_TASKS)
		limits->tasks = COMCH_MAX_TASKS;
}

DEFINE_TASK(doca_comch_task_send)

const struct task_type comch_send = {
	TASK_OBJECT(doca_comch_task_send),
	.name = "send",
	.limit = send_limit,
	.validate = send_validate,
	.finish = send_finish,
	.ring = {
		.opcode = DOCA_OP_MSG_SEND,
		.prepare = send_prepare,
	},
};

static doca_error_t check(const struct party *party,
			  const struct doca_comch_connection *peer,
			  uint32_t len, const struct log_site *site)
{
	const struct doca_ctx *ctx = party->ctx;

	/* Then the allocation fails, and says so. */
	if (ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_SUCCESS;
	if (peer->party && peer->party != party)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): connection %p is not one of %s %p",
			       site->func, (const void *)peer, ctx->type->name,
			       (const void *)ctx);
	if (!peer->open)
		return ANSWER_AT(site, NOT_CONNECTED,
				 "%s(): connection %p is closed", site->func,
				 (const void *)peer);
	if (len > peer->max_msg)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): a message of %u bytes is longer than "
			       "both sides of the connection take, %u",
			       site->func, len, peer->max_msg);
	return DOCA_SUCCESS;
}

static doca_error_t alloc(struct party *party, const struct object_type *object,
			  const struct doca_comch_connection *peer,
			  const void *msg, uint32_t len,
			  struct doca_comch_task_send **task,
			  const struct log_site *site)
{
	struct doca_comch_task_send *send;
	struct doca_task *base;
	doca_error_t ret;

	ret = check(party, peer, len, site);
	if (ret == DOCA_SUCCESS)
		ret = task_new(party->ctx, object, 0, task,
			       (union doca_data){ .u64 = 0 }, &base, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	send = send_of(base);
	send->msg = msg;
	send->len = len;
	send->id = peer->id;
	*task = send;
	return DOCA_SUCCESS;
}

doca_error_t
doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
				       struct doca_comch_connection *peer,
				       const void *msg, uint32_t len,
				       struct doca_comch_task_send **task)
{
	static const struct log_site site = LOG_SITE;

	if (!valid_ctx(comch_server, doca_comch_server) || !valid(peer) ||
	    !given(msg) || !given(len) || !given(task))
		return DOCA_ERROR_INVALID_VALUE;
	return alloc(&comch_server->party, &doca_comch_server_object, peer, msg,
		     len, task, &site);
}

doca_error_t
doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
				       struct doca_comch_connection *peer,
				       const void *msg, uint32_t len,
				       struct doca_comch_task_send **task)
{
	static const struct log_site site = LOG_SITE;

	if (!valid_ctx(comch_client, doca_comch_client) || !valid(peer) ||
	    !given(msg) || !given(len) || !given(task))
		return DOCA_ERROR_INVALID_VALUE;
	return alloc(&comch_client->party, &doca_comch_client_object, peer, msg,
		     len, task, &site);
}

DEFINE_SET_CONF(doca_comch_server_task_send_set_conf, doca_comch_server, 0,
		doca_comch_task_send)
DEFINE_SET_CONF(doca_comch_client_task_send_set_conf, doca_comch_client, 0,
		doca_comch_task_send)
DEFINE_AS_TASK(doca_comch_task_send_as_task, doca_comch_task_send)
