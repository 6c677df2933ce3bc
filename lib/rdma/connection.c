// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The connections of a context: their slots, and how they end. */
#include <errno.h>
#include <stdlib.h>

#include <doca_error.h>

#include "poll.h"
#include "core/base/errno_text.h"

LOG_SOURCE("RDMA");

static struct doca_rdma_connection *new_slot(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection;

	if (rdma->nr_connections == rdma->set.max_connections)
		return NULL;
	connection = calloc(1, sizeof(*connection));
	if (!connection)
		return NULL;
	list_init(&connection->work);
	list_init(&connection->due_link);
	doca_priv_debug_add(connection, &rdma_connection_object,
			    sizeof(*connection), 1);
	rdma->slots[rdma->nr_connections++] = connection;
	return connection;
}

static struct doca_rdma_connection *free_slot(const struct doca_rdma *rdma)
{
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++)
		if (rdma->slots[i]->state == RDMA_FREE)
			return rdma->slots[i];
	return NULL;
}

/* A new slot is taken first: a pointer to an old one may still be used by mistake. */
static struct doca_rdma_connection *take_slot(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection = new_slot(rdma);

	return connection ? connection : free_slot(rdma);
}

static struct doca_rdma_connection **row_of(const struct doca_rdma *rdma,
					    uint32_t qp_num)
{
	return &rdma->rows[qp_num & rdma->row_mask];
}

static void enter(struct doca_rdma_connection *connection)
{
	struct doca_rdma_connection **row =
		row_of(connection->rdma, connection->here.qp_num);

	connection->next = *row;
	*row = connection;
}

static void leave(struct doca_rdma_connection *connection)
{
	struct doca_rdma_connection **link =
		row_of(connection->rdma, connection->here.qp_num);

	while (*link && *link != connection)
		link = &(*link)->next;
	if (*link)
		*link = connection->next;
}

/* Connections may wait for nothing but a look at the completion queue. */
static void settle_all(struct doca_rdma *rdma)
{
	uint32_t i;

	if (rdma->nr_connections < rdma->set.max_connections)
		return;
	for (i = 0; i < rdma->nr_connections; i++)
		rdma_settle(rdma->slots[i]);
}

bool rdma_has_place(struct doca_rdma *rdma)
{
	settle_all(rdma);
	return rdma->nr_connections < rdma->set.max_connections ||
	       free_slot(rdma);
}

doca_error_t rdma_connection_new(struct doca_rdma *rdma, enum rdma_state state,
				 uint32_t level,
				 struct doca_rdma_connection **out)
{
	struct doca_rdma_connection *connection;
	bool place;
	int err;

	place = rdma_has_place(rdma);
	if (rdma->failed)
		return FAIL(BAD_STATE, "%s %p is not running",
			    rdma->ctx.type->name, (void *)rdma);
	if (!place)
		return FAIL(FULL,
			    "%s %p has its %u connections; disconnect some, or "
			    "call doca_rdma_set_max_num_connections() before "
			    "the start",
			    rdma->ctx.type->name, (void *)rdma,
			    rdma->nr_connections);
	connection = take_slot(rdma);
	if (!connection) {
		LOG_(level, "out of memory for a connection");
		return DOCA_ERROR_NO_MEMORY;
	}
	connection->rdma = rdma;
	connection->posted = 0;
	connection->patient_until = 0;
	connection->contacted = false;
	connection->reported = 0;
	connection->fatal = false;
	connection->user_data.u64 = 0;
	connection->by_address = false;
	connection->bridged = false;
	connection->cm_id = NULL;
	connection->until = 0;
	err = rdma_qp_create(connection);
	if (err) {
		LOG_(level, "%s: no queue pair%s: %s%s",
		     rdma->ctx.dev->info.name,
		     state == RDMA_REQUESTED ? " for a peer" : "",
		     errno_text(err),
		     err == -ENOMEM ? "; RLIMIT_MEMLOCK may be too low" : "");
		return DOCA_ERROR_DRIVER;
	}
	connection->id = ++rdma->next_id;
	connection->state = state;
	enter(connection);
	*out = connection;
	return DOCA_SUCCESS;
}

void rdma_connection_kick(struct doca_rdma_connection *connection)
{
	rdma_stir(connection->rdma);
	if (list_empty(&connection->work))
		list_add_tail(&connection->rdma->work, &connection->work);
}

void rdma_cm_tell(struct doca_rdma_connection *connection, unsigned int what)
{
	struct doca_rdma *rdma = connection->rdma;

	connection->due |= what;
	list_del(&connection->due_link);
	list_add_tail(&rdma->due, &connection->due_link);
	rdma_stir(rdma);
	doca_priv_ctx_kick(&rdma->ctx);
}

/* Each completion that is there is one of a task in flight. */
void rdma_connection_close(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;

	connection->state = RDMA_CLOSED;
	rdma_qp_fail(connection);
	connection->last_taken = rdma->taken + rdma->ctx.inflight;
	rdma_connection_kick(connection);
	doca_priv_ctx_kick(&rdma->ctx);
}

void rdma_cm_release(struct doca_rdma_connection *connection)
{
	if (connection->cm_id)
		rdma_destroy_id(connection->cm_id);
	connection->cm_id = NULL;
	connection->due = 0;
	list_del(&connection->due_link);
}

void rdma_connection_free(struct doca_rdma_connection *connection)
{
	leave(connection);
	rdma_cm_release(connection);
	rdma_qp_destroy(connection);
	list_del(&connection->work);
	connection->state = RDMA_FREE;
	connection->rdma->told_full = false;
}

void rdma_settle(struct doca_rdma_connection *connection)
{
	if (connection->state == RDMA_CLOSED && !connection->due &&
	    rdma_is_drained(connection))
		rdma_connection_free(connection);
}

void rdma_connections_cancel(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection;
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++) {
		connection = rdma->slots[i];
		if (connection->state == RDMA_FREE)
			continue;
		if (connection->state != RDMA_CLOSED)
			connection->state = RDMA_BROKEN;
		rdma_qp_fail(connection);
		rdma_connection_kick(connection);
	}
}

void rdma_connections_cut(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection;
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++) {
		connection = rdma->slots[i];
		rdma_qp_destroy(connection);
		connection->posted = 0;
		if (connection->first)
			rdma_connection_kick(connection);
	}
}

void rdma_connections_close(struct doca_rdma *rdma, bool forked)
{
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++) {
		if (!forked)
			rdma_cm_release(rdma->slots[i]);
		if (!forked)
			rdma_qp_destroy(rdma->slots[i]);
		rdma_addr_free(rdma->slots[i]->addr);
		doca_priv_debug_free(rdma->slots[i]);
	}
	free(rdma->slots);
	free(rdma->rows);
	rdma->slots = NULL;
	rdma->rows = NULL;
	rdma->nr_connections = 0;
}
