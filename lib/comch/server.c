// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Servers. */
#include <errno.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/driver/driver.h"
#include "core/driver/endpoint.h"
#include "ends.h"
#include "lane.h"
#include "send.h"

LOG_SOURCE("COMCH::SERVER");

/* Events in the inbox: two for each client, and two for each of their consumers. */
#define SERVER_CONSUMERS 512
#define SERVER_PROMISES (2 * (COMCH_MAX_CLIENTS + SERVER_CONSUMERS))

static struct doca_comch_server *server_of(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_comch_server, ctx);
}

static doca_error_t server_init(struct doca_ctx *ctx)
{
	party_init(&server_of(ctx)->party, ctx, SERVER_CONN_SLOTS,
		   SERVER_PROMISES);
	return DOCA_SUCCESS;
}

static doca_error_t server_check(const struct doca_ctx *ctx)
{
	const struct party *party = party_of(ctx);
	const char *missing = NULL;

	if (!party->connect_cb)
		missing = "connection_status_changed";
	else if (!party->recv_cb)
		missing = "msg_recv";
	if (!missing)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "cannot start %s %p: it has no callback; call "
		    "doca_comch_server_event_%s_register()",
		    ctx->type->name, (const void *)ctx, missing);
}

static doca_error_t listen_error(const struct doca_comch_server *server,
				 int err)
{
	const char *name = server->party.shown;
	const char *dev = server->ctx.dev->info.name;

	switch (err) {
	case -EADDRINUSE:
		return FAIL(IN_USE,
			    "cannot start server \"%s\": the representor of %s "
			    "has a server of this name",
			    name, dev);
	case -ENXIO:
		return FAIL(INITIALIZATION,
			    "cannot start server \"%s\": the pair of %s is "
			    "gone; open its representor anew",
			    name, dev);
	case -EDQUOT:
		return FAIL(INITIALIZATION,
			    "cannot start server \"%s\": the user has too many "
			    "objects; raise max_object_bytes, a parameter of "
			    "the doca module",
			    name);
	default:
		return FAIL(INITIALIZATION, "cannot start server \"%s\": %s%s",
			    name, errno_text(err),
			    driver_is_in_process() ?
				    "; other processes could not connect to "
				    "this one. DOCA_RUNTIME_DIR, if it is set, "
				    "must name a directory that is the user's "
				    "alone" :
				    "");
	}
}

static doca_error_t server_start(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);
	int err;

	err = driver_queue_listen(&ctx->queue, server->function,
				  server->party.name, server->party.max_msg);
	return err ? listen_error(server, err) : DOCA_SUCCESS;
}

static const struct task_type *const tasks[] = { &comch_send };

const struct ctx_type doca_comch_server_type = {
	CTX_OBJECT(doca_comch_server, tasks),
	.name = "comch server",
	.lane = &comch_lane,
	.late_user_data = true,
	.queue = party_queue,
	.init = server_init,
	.check = server_check,
	.start = server_start,
};

DEFINE_DESTROY(doca_comch_server_destroy, doca_comch_server)
DEFINE_AS_CTX(doca_comch_server_as_ctx, doca_comch_server)

/* Check that the device is a DPU's side, and that the representor is of one of its pairs. */
static doca_error_t check_rep(const struct doca_dev *dev,
			      const struct doca_dev_rep *rep,
			      const struct log_site *site)
{
	doca_error_t ret = comch_is_dpu(&dev->info, 0);

	if (ret == DOCA_ERROR_NOT_SUPPORTED)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): device %s is not the DPU's side of a "
			       "pair, where servers are; see docactl pair show",
			       site->func, dev->info.name);
	if (ret == DOCA_SUCCESS && rep->info.function)
		ret = comch_is_dpu(&dev->info, rep->info.function);
	else if (ret == DOCA_SUCCESS)
		ret = DOCA_ERROR_NOT_SUPPORTED;
	if (ret == DOCA_ERROR_NOT_SUPPORTED)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): representor %s is not of a pair of %s",
			       site->func, rep->info.vuid, dev->info.name);
	return ret;
}

doca_error_t doca_comch_server_create(struct doca_dev *dev,
				      struct doca_dev_rep *repr,
				      const char *name,
				      struct doca_comch_server **comch_server)
{
	static const struct log_site site = LOG_SITE;
	struct party named = { 0 };
	struct doca_comch_server *server;
	struct doca_ctx *ctx;
	doca_error_t ret;

	if (!valid(dev) || !valid(repr) || !given(name) || !given(comch_server))
		return DOCA_ERROR_INVALID_VALUE;
	ret = party_set_name(&named, name, &site);
	if (ret == DOCA_SUCCESS)
		ret = check_rep(dev, repr, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_priv_ctx_new(&doca_comch_server_type, dev, &ctx,
					&site);
	if (ret != DOCA_SUCCESS)
		return ret;
	server = server_of(ctx);
	party_set_name(&server->party, name, &site);
	server->rep = repr;
	server->function = repr->info.function;
	*comch_server = server;
	return DOCA_SUCCESS;
}

struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection)
{
	struct party *party = valid(connection) ? connection->party : NULL;

	if (!party || party->ctx->type != &doca_comch_server_type)
		return NULL;
	return server_of(party->ctx);
}

doca_error_t
doca_comch_server_disconnect(struct doca_comch_server *comch_server,
			     struct doca_comch_connection *connection)
{
	if (!valid_ctx(comch_server, doca_comch_server) || !valid(connection))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(ctx_domain(&comch_server->ctx), return DOCA_ERROR_IN_USE);
	if (connection->party && connection->party != &comch_server->party)
		return FAIL(INVALID_VALUE,
			    "cannot close connection %p: it is not one of %s "
			    "%p",
			    (void *)connection, comch_server->ctx.type->name,
			    (void *)comch_server);
	if (!connection->party || !connection_drop(connection))
		return FAIL(NOT_CONNECTED,
			    "cannot close connection %p: it is closed already",
			    (void *)connection);
	return DOCA_SUCCESS;
}
