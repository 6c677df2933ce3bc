// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "core/driver/endpoint.h"
#include "core/exec/lane_ring.h"
#include "ends.h"
#include "send.h"

LOG_SOURCE("COMCH");

void connection_ended(struct doca_comch_connection *connection)
{
	if (!connection->open)
		return;
	connection_set_fd(connection, -1);
	send_close(connection);
}

/* Execute what was submitted, which must not end with the connection. */
static void send_all(struct doca_ctx *ctx)
{
	lane_ring_flush(ctx);
	driver_queue_execute(&ctx->queue);
}

/* Close a connection, even if the other side has closed it just now. */
static void close_here(struct doca_comch_connection *connection)
{
	driver_queue_disconnect(&connection->party->ctx->queue, connection->id);
	connection_set_fd(connection, -1);
	send_close(connection);
}

bool connection_drop(struct doca_comch_connection *connection)
{
	if (!connection->open)
		return false;
	connection->dropped = true;
	send_all(connection->party->ctx);
	close_here(connection);
	doca_priv_ctx_kick(connection->party->ctx);
	if (!connection->sends)
		party_forget(connection);
	return true;
}

void party_close_all(struct party *party)
{
	struct doca_comch_connection *connection;
	uint32_t i;

	party->stopping = true;
	send_all(party->ctx);
	for (i = 0; i <= party->mask; i++)
		for (connection = party->table[i]; connection;
		     connection = connection->next)
			if (connection->open)
				close_here(connection);
	driver_queue_stop(&party->ctx->queue);
	lane_ring_flush(party->ctx);
}

/* Tell the program, which may use the connection in the callback. */
static enum lane_turn tell_server(struct doca_comch_connection *connection)
{
	struct party *party = connection->party;
	doca_comch_event_connection_status_changed_cb_t call =
		party->disconnect_cb;

	connection_get(connection);
	call((void *)party, connection, 1);
	if (connection->party)
		party_forget(connection);
	connection_put(connection);
	return LANE_CALLED;
}

/* Stop the context. The connection stays the program's until it is idle. */
static enum lane_turn tell_client(struct doca_comch_connection *connection)
{
	struct doca_ctx *ctx = connection->party->ctx;

	if (!connection->party->stopping) {
		LOG_INFO("%s %p: its server has closed the connection; it "
			 "stops",
			 ctx->type->name, (void *)ctx);
		ctx_failed(ctx, NULL);
	}
	return LANE_AGAIN;
}

enum lane_turn party_tell_end(struct party *party)
{
	struct doca_comch_connection *connection;

	if (list_empty(&party->ended))
		return LANE_IDLE;
	connection = list_entry(party->ended.next, struct doca_comch_connection,
				ends);
	list_del(&connection->ends);
	if (!party->disconnect_cb)
		return tell_client(connection);
	if (!connection->dropped)
		return tell_server(connection);
	party_forget(connection);
	return LANE_AGAIN;
}
