// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The channel of librdmacm's events, and its identifiers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_error.h>

#include "cm.h"
#include "core/base/errno_text.h"
#include "core/base/loader.h"

LOG_SOURCE("RDMA");

void rdma_cm_reset(struct doca_rdma *rdma)
{
	rdma->cm = NULL;
	list_init(&rdma->listeners);
	list_init(&rdma->due);
	rdma->cm_until = 0;
	rdma->told_full = false;
	rdma->told_foreign = false;
	rdma->told_unable = false;
}

static doca_error_t no_channel(const struct doca_rdma *rdma, int err)
{
	return FAIL(DRIVER,
		    "%s %p cannot have connections by address: %s; the module "
		    "rdma_ucm must be loaded",
		    rdma->ctx.type->name, (const void *)rdma, errno_text(err));
}

/* The first channel of a process makes a list of devices, and with it locks of two libraries. */
static doca_error_t create_channel(struct doca_rdma *rdma)
{
	int state, err = loader_enter(&state);

	if (err)
		return FAIL(DRIVER,
			    "%s %p cannot have connections by address: %s",
			    rdma->ctx.type->name, (const void *)rdma,
			    loader_reason(err));
	rdma->cm = rdma_create_event_channel();
	err = errno;
	loader_leave(state);
	return rdma->cm ? DOCA_SUCCESS : no_channel(rdma, err);
}

doca_error_t rdma_cm_open(struct doca_rdma *rdma)
{
	doca_error_t res;
	int flags, err;

	if (rdma->cm)
		return DOCA_SUCCESS;
	res = create_channel(rdma);
	if (res != DOCA_SUCCESS)
		return res;
	flags = fcntl(rdma->cm->fd, F_GETFL);
	fcntl(rdma->cm->fd, F_SETFL, flags | O_NONBLOCK);
	err = rdma_news_add(rdma, RDMA_NEWS_CM, rdma->cm->fd);
	if (err) {
		rdma_destroy_event_channel(rdma->cm);
		rdma->cm = NULL;
		return no_channel(rdma, err);
	}
	doca_priv_ctx_kick(&rdma->ctx);
	return DOCA_SUCCESS;
}

static void free_listeners(struct doca_rdma *rdma, bool forked)
{
	struct list *link = rdma->listeners.next, *next;
	struct rdma_listener *listener;
	uint32_t i;

	for (; link != &rdma->listeners; link = next) {
		next = link->next;
		listener = list_entry(link, struct rdma_listener, link);
		for (i = 0; i < listener->nr_ids && !forked; i++)
			rdma_destroy_id(listener->ids[i]);
		free(listener);
	}
	list_init(&rdma->listeners);
}

/* The kernel tells peers of identifiers that are destroyed: it disconnects, or rejects. */
void rdma_cm_cancel(struct doca_rdma *rdma)
{
	uint32_t i;

	free_listeners(rdma, false);
	for (i = 0; i < rdma->nr_connections; i++)
		rdma_cm_release(rdma->slots[i]);
}

void rdma_cm_close(struct doca_rdma *rdma, bool forked)
{
	free_listeners(rdma, forked);
	if (rdma->cm && forked)
		close(rdma->cm->fd);
	else if (rdma->cm)
		rdma_destroy_event_channel(rdma->cm);
	rdma->cm = NULL;
}

const char *rdma_cm_dev_name(const struct rdma_cm_id *id)
{
	return id->verbs ? ibv_get_device_name(id->verbs->device) : "no device";
}

/* librdmacm has contexts of its own. */
bool rdma_cm_fits(const struct doca_rdma *rdma, const struct rdma_cm_id *id)
{
	return id->verbs && id->port_num == DEV_PORT &&
	       !strcmp(rdma_cm_dev_name(id),
		       ibv_get_device_name(rdma->pd->context->device));
}

void rdma_cm_limit(struct doca_rdma_connection *connection,
		   const struct rdma_conn_param *param)
{
	const struct rdma_hca *hca = &connection->rdma->hca;
	uint8_t here = hca->rd_atomic, there = hca->init_rd_atomic;

	connection->here.rd_atomic = here < param->responder_resources ?
					     here :
					     param->responder_resources;
	connection->there.rd_atomic =
		there < param->initiator_depth ? there : param->initiator_depth;
}
