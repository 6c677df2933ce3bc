// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Clients, and their search for servers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "core/base/clock.h"
#include "core/base/errno_text.h"
#include "core/device/pairs.h"
#include "core/driver/driver.h"
#include "core/driver/endpoint.h"
#include "event.h"
#include "lane.h"
#include "send.h"

LOG_SOURCE("COMCH::CLIENT");

#define NS_PER_MS 1000000ull
#define AGAIN_NS (10 * NS_PER_MS)
#define PATIENCE "DOCA_COMCH_CONNECT_MS"
#define PATIENCE_MS 3000
#define MAX_PATIENCE_MS (24 * 3600 * 1000)

/* Events in the inbox: two for the connection, and two for each of its consumers. */
#define CLIENT_PROMISES (2 * (1 + COMCH_MAX_ATTACHED))

static struct doca_comch_client *client_of(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_comch_client, ctx);
}

static doca_error_t client_init(struct doca_ctx *ctx)
{
	party_init(&client_of(ctx)->party, ctx, PARTY_SLOTS, CLIENT_PROMISES);
	return DOCA_SUCCESS;
}

static doca_error_t client_check(const struct doca_ctx *ctx)
{
	if (party_of(ctx)->recv_cb)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "cannot start %s %p: it has no callback; call "
		    "doca_comch_client_event_msg_recv_register()",
		    ctx->type->name, (const void *)ctx);
}

static uint32_t patience_ms(void)
{
	const char *text = secure_getenv(PATIENCE);
	unsigned long ms;
	char *end;

	if (!text)
		return PATIENCE_MS;
	errno = 0;
	ms = strtoul(text, &end, 10);
	if (!errno && *text >= '0' && *text <= '9' && !*end &&
	    ms <= MAX_PATIENCE_MS)
		return ms;
	LOG_WARN("%s is \"%s\", which is no number of milliseconds up to %d; "
		 "clients wait %d for their servers",
		 PATIENCE, text, MAX_PATIENCE_MS, PATIENCE_MS);
	return PATIENCE_MS;
}

/* Return the VUID of the pair whose host's side is this device, or "?". */
static void find_vuid(const struct doca_devinfo *devinfo, char *vuid)
{
	struct driver_function *pairs;
	uint32_t nr, i;

	strcpy(vuid, "?");
	if (doca_priv_pairs(&pairs, &nr) != DOCA_SUCCESS)
		return;
	for (i = 0; i < nr; i++)
		if (pairs[i].host == devinfo->id)
			strcpy(vuid, pairs[i].vuid);
	free(pairs);
}

static doca_error_t ask_failed(const struct doca_comch_client *client, int err)
{
	const char *name = client->party.shown;

	if (err == -EDQUOT)
		return FAIL(INITIALIZATION,
			    "cannot connect to server \"%s\": the user has too "
			    "many connections; close some, or raise "
			    "max_connections, a parameter of the doca module",
			    name);
	if (err == -ENXIO)
		return FAIL(INITIALIZATION,
			    "cannot connect to server \"%s\": the pair of %s "
			    "is gone",
			    name, client->ctx.dev->info.name);
	return FAIL(INITIALIZATION, "cannot connect to server \"%s\": %s", name,
		    errno_text(err));
}

static doca_error_t ask(struct doca_comch_client *client)
{
	struct party *party = &client->party;
	int err;

	client->again = 0;
	err = driver_queue_connect(&client->ctx.queue, party->name,
				   party->max_msg);
	return err ? ask_failed(client, err) : DOCA_SUCCESS;
}

static doca_error_t client_start(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);
	doca_error_t ret;

	client->patience_ms = patience_ms();
	client->until = clock_ns() + client->patience_ms * NS_PER_MS;
	ret = ask(client);
	return ret == DOCA_SUCCESS ? DOCA_ERROR_IN_PROGRESS : ret;
}

static void give_up(struct doca_comch_client *client, uint32_t status)
{
	const struct party *party = &client->party;
	const char *dev = client->ctx.dev->info.name;
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];

	find_vuid(&client->ctx.dev->info, vuid);
	switch (status) {
	case DOCA_STATUS_NOT_CONNECTED:
		LOG_ERR("cannot connect: for %u ms there was no server \"%s\" "
			"for %s, pair %s; start it before, or have clients "
			"wait longer with " PATIENCE "%s",
			client->patience_ms, party->shown, dev, vuid,
			driver_is_in_process() ?
				"; a server of another user is there only "
				"with a pair for any users, which DOCA_PROFILE "
				"can name" :
				"");
		break;
	case DOCA_STATUS_BAD_ACCESS:
		LOG_ERR("cannot connect: server \"%s\" for %s, pair %s, is "
			"another user's; %s a pair for any users",
			party->shown, dev, vuid,
			driver_is_in_process() ? "DOCA_PROFILE can name" :
						 "docactl pair add makes");
		break;
	default:
		LOG_ERR("cannot connect: server \"%s\" for %s, pair %s, has no "
			"room for one more client: it may have %u; or one of %s",
			party->shown, dev, vuid, COMCH_MAX_CLIENTS,
			driver_is_in_process() ?
				"the processes has too many connections: a "
				"server's has 64, or as many as DOCA_IMPORTERS "
				"names in its environment" :
				"the users has too many connections: close "
				"some, or raise max_connections, a parameter "
				"of the doca module");
	}
	ctx_failed(&client->ctx, NULL);
}

/* Try again later, for a server may come. */
static void on_refused(struct doca_comch_client *client, uint32_t status)
{
	uint64_t now = clock_ns();

	if (status != DOCA_STATUS_NOT_CONNECTED || now >= client->until) {
		give_up(client, status);
		return;
	}
	client->again = now + AGAIN_NS;
	if (client->again > client->until)
		client->again = client->until;
	ctx_set_deadline(&client->ctx, client->again);
}

static void on_connected(struct doca_comch_client *client,
			 const struct doca_event *event)
{
	struct doca_comch_connection *connection;

	connection = connection_new(client->ctx.dev);
	if (!connection) {
		ctx_failed(&client->ctx, NULL);
		return;
	}
	party_add(&client->party, connection, event);
	client->connection = connection;
}

static void ask_again(struct doca_comch_client *client)
{
	if (!client->again || clock_ns() < client->again)
		return;
	ctx_set_deadline(&client->ctx, 0);
	if (ask(client) != DOCA_SUCCESS)
		ctx_failed(&client->ctx, NULL);
}

/* Called by polls and waits, and again after the answer. */
static doca_error_t client_poll_start(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);
	struct doca_event event;

	if (client->connection)
		return DOCA_SUCCESS;
	if (ctx->failing)
		return DOCA_ERROR_IN_PROGRESS;
	ask_again(client);
	if (client->again || !event_take(&client->party, &event))
		return DOCA_ERROR_IN_PROGRESS;
	if (event.type == DOCA_EVENT_CONNECTED)
		on_connected(client, &event);
	else if (event.type == DOCA_EVENT_REFUSED)
		on_refused(client, event.status);
	return client->connection ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS;
}

/* Forget the connection: it was dropped, or party_close() drops it. */
static void client_stop(struct doca_ctx *ctx)
{
	client_of(ctx)->connection = NULL;
}

static const struct task_type *const tasks[] = { &comch_send };

const struct ctx_type doca_comch_client_type = {
	CTX_OBJECT(doca_comch_client, tasks),
	.name = "comch client",
	.lane = &comch_lane,
	.late_user_data = true,
	.queue = party_queue,
	.init = client_init,
	.check = client_check,
	.start = client_start,
	.poll_start = client_poll_start,
	.stop = client_stop,
};

DEFINE_DESTROY(doca_comch_client_destroy, doca_comch_client)
DEFINE_AS_CTX(doca_comch_client_as_ctx, doca_comch_client)

doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
				      struct doca_comch_client **comch_client)
{
	static const struct log_site site = LOG_SITE;
	struct party named = { 0 };
	struct doca_ctx *ctx;
	doca_error_t ret;

	if (!valid(dev) || !given(name) || !given(comch_client))
		return DOCA_ERROR_INVALID_VALUE;
	ret = party_set_name(&named, name, &site);
	if (ret == DOCA_SUCCESS)
		ret = comch_is_host(&dev->info);
	if (ret == DOCA_ERROR_NOT_SUPPORTED)
		return FAIL(NOT_SUPPORTED,
			    "%s(): device %s is not the host's side of a pair, "
			    "where clients are; see docactl pair show",
			    __func__, dev->info.name);
	if (ret == DOCA_SUCCESS)
		ret = doca_priv_ctx_new(&doca_comch_client_type, dev, &ctx,
					&site);
	if (ret != DOCA_SUCCESS)
		return ret;
	party_set_name(party_of(ctx), name, &site);
	*comch_client = client_of(ctx);
	return DOCA_SUCCESS;
}

struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection)
{
	struct party *party = valid(connection) ? connection->party : NULL;

	if (!party || party->ctx->type != &doca_comch_client_type)
		return NULL;
	return client_of(party->ctx);
}

doca_error_t
doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
				 struct doca_comch_connection **connection)
{
	if (!valid_ctx(comch_client, doca_comch_client) || !given(connection))
		return DOCA_ERROR_INVALID_VALUE;
	if (comch_client->ctx.state != DOCA_CTX_STATE_RUNNING)
		return FAIL(BAD_STATE, "%s %p is not connected",
			    comch_client->ctx.type->name,
			    (const void *)comch_client);
	*connection = comch_client->connection;
	return DOCA_SUCCESS;
}
