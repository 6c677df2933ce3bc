// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "party.h"

#define DEFAULT_RECV_SLOTS 64
#define SLOT_ALIGN 64

void party_init(struct party *party, struct doca_ctx *ctx, uint32_t conn_slots,
		uint32_t promises)
{
	party->ctx = ctx;
	party->max_msg = COMCH_MAX_MSG;
	party->recv_slots = DEFAULT_RECV_SLOTS;
	party->conn_slots = conn_slots;
	party->promises = promises;
}

/* Names are any bytes, some of which would forge lines, or steer terminals. */
static void show_name(struct party *party)
{
	const char *name = party->name;
	char *to = party->shown;

	for (; *name; name++)
		if (*name < ' ' || *name > '~' || *name == '\\' || *name == '"')
			to += sprintf(to, "\\x%02x", (unsigned char)*name);
		else
			*to++ = *name;
	*to = '\0';
}

doca_error_t party_set_name(struct party *party, const char *name,
			    const struct log_site *site)
{
	size_t length = strnlen(name, COMCH_MAX_NAME);

	if (!length || length == COMCH_MAX_NAME)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): the name of a server has 1 to %u bytes, "
			       "and a zero behind them",
			       site->func, COMCH_MAX_NAME - 1);
	memcpy(party->name, name, length + 1);
	show_name(party);
	return DOCA_SUCCESS;
}

static uint32_t nr_slots(const struct doca_ctx *ctx)
{
	return ctx->nr_tasks < PARTY_SLOTS ? ctx->nr_tasks : PARTY_SLOTS;
}

/* Ask for an operation for each slot, so that a receiver without room delays no other. */
doca_error_t party_queue(const struct doca_ctx *ctx,
			 struct driver_queue_attr *attr)
{
	const struct party *party = party_of(ctx);

	attr->ops = nr_slots(ctx);
	attr->inbox = comch_power(party->recv_slots + party->promises);
	attr->recv_slots = party->recv_slots;
	attr->send_slots = nr_slots(ctx);
	attr->slot_size = (party->max_msg + SLOT_ALIGN - 1) & -SLOT_ALIGN;
	return DOCA_SUCCESS;
}

/* Pages of the backlog that are never written take no memory. */
int party_open(struct party *party)
{
	struct doca_ctx *ctx = party->ctx;
	uint32_t i, slots = nr_slots(ctx);

	inbox_init(&party->inbox, &ctx->queue);
	party->stopping = false;
	party->mask = party->inbox.mask;
	party->nr_connections = 0;
	party->failed = NULL;
	list_init(&party->waiting);
	list_init(&party->ended);
	party->message = malloc((size_t)party->max_msg + 1);
	party->table = calloc((size_t)party->mask + 1, sizeof(*party->table));
	party->free_slots = malloc(slots * sizeof(*party->free_slots));
	party->backlog = malloc((size_t)ctx->nr_tasks * party->max_msg);
	if (!party->message || !party->table || !party->free_slots ||
	    !party->backlog) {
		party_close(party);
		return -ENOMEM;
	}
	for (i = 0; i < slots; i++)
		party->free_slots[i] = slots - 1 - i;
	party->nr_free = slots;
	return 0;
}

void party_close(struct party *party)
{
	uint32_t i;

	for (i = 0; party->nr_connections && i <= party->mask; i++)
		while (party->table[i])
			party_forget(party->table[i]);
	free(party->message);
	free(party->table);
	free(party->free_slots);
	free(party->backlog);
	party->message = NULL;
	party->table = NULL;
	party->free_slots = NULL;
	party->backlog = NULL;
}

struct doca_comch_connection *party_find(const struct party *party, uint32_t id)
{
	struct doca_comch_connection *connection;

	connection = party->table[id & party->mask];
	while (connection && connection->id != id)
		connection = connection->next;
	return connection;
}

void party_add(struct party *party, struct doca_comch_connection *connection,
	       const struct doca_event *event)
{
	struct doca_comch_connection **cell;

	cell = &party->table[event->connection & party->mask];
	connection->id = event->connection;
	connection->max_msg = event->length;
	connection->party = party;
	connection->open = true;
	connection->next = *cell;
	*cell = connection;
	party->nr_connections++;
	connection_set_fd(connection, party->ctx->queue.fd);
}

void party_forget(struct doca_comch_connection *connection)
{
	struct party *party = connection->party;
	struct doca_comch_connection **cell;

	cell = &party->table[connection->id & party->mask];
	while (*cell != connection)
		cell = &(*cell)->next;
	*cell = connection->next;
	party->nr_connections--;
	connection_set_fd(connection, -1);
	list_del(&connection->waits);
	list_del(&connection->ends);
	connection->open = false;
	connection->party = NULL;
	connection_put(connection);
}
