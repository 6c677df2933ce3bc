// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Objects of the device that a started context has. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <doca_error.h>

#include "async.h"
#include "cm.h"
#include "connection.h"
#include "core/base/errno_text.h"
#include "request.h"

LOG_SOURCE("RDMA");

#define PATIENCE_S 300
#define NS 1000000000ull

static doca_error_t cannot_start(const struct doca_rdma *rdma, const char *what,
				 int err)
{
	const char *remedy = "";

	if (err == ENOMEM)
		remedy = "; there is no memory, or not enough of "
			 "RLIMIT_MEMLOCK, which ulimit -l raises";
	else if (err == EDQUOT)
		remedy = "; the user has too many queues: max_queues is a "
			 "parameter of the doca module; within a process all "
			 "contexts together have 1024";
	else if (err == ENODEV)
		remedy = "; it was removed";
	LOG_ERR("cannot start %s on %s: no %s: %s%s", rdma->ctx.type->name,
		rdma->ctx.dev->info.name, what, errno_text(err), remedy);
	return DOCA_ERROR_INITIALIZATION;
}

/* Seconds, from the environment; 0: none. */
static uint64_t patience(void)
{
	const char *text = secure_getenv("DOCA_RDMA_FIRST_CONTACT");
	unsigned long long seconds;
	char *end;

	if (!text || !*text)
		return PATIENCE_S * NS;
	errno = 0;
	seconds = strtoull(text, &end, 10);
	if (errno || *end || seconds > UINT32_MAX) {
		LOG_WARN("DOCA_RDMA_FIRST_CONTACT is no number of seconds: %u "
			 "are taken",
			 PATIENCE_S);
		return PATIENCE_S * NS;
	}
	return seconds * NS;
}

static uint32_t receive_queue(const struct doca_rdma *rdma)
{
	uint32_t tasks = rdma->pools[RDMA_RECEIVE].num;
	uint32_t size = rdma->set.receive_queue;

	if (size < tasks)
		size = tasks;
	return size ? size : 1;
}

/* Each task has one completion, so the queue cannot overflow. */
static doca_error_t make_queues(struct doca_rdma *rdma)
{
	struct ibv_context *context = rdma->pd->context;
	struct ibv_srq_init_attr attr = {
		.attr = {
			.max_wr = receive_queue(rdma),
			.max_sge = rdma->set.receive_list,
		},
	};
	int entries = rdma->ctx.nr_tasks ? rdma->ctx.nr_tasks : 1;
	int flags;

	rdma->channel = ibv_create_comp_channel(context);
	if (!rdma->channel)
		return cannot_start(rdma, "completion channel", errno);
	flags = fcntl(rdma->channel->fd, F_GETFL);
	if (flags < 0 ||
	    fcntl(rdma->channel->fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return cannot_start(rdma, "completion channel", errno);
	rdma->cq = ibv_create_cq(context, entries, NULL, rdma->channel, 0);
	if (!rdma->cq)
		return cannot_start(rdma, "completion queue", errno);
	rdma->srq = ibv_create_srq(rdma->pd, &attr);
	if (!rdma->srq)
		return cannot_start(rdma, "queue for receives", errno);
	return DOCA_SUCCESS;
}

static doca_error_t find_port(struct doca_rdma *rdma)
{
	static const union ibv_gid none;
	struct ibv_context *context = rdma->pd->context;
	struct rdma_port *port = &rdma->port;
	struct ibv_gid_entry entry;
	int err = rdma_port_ask(context, port);

	port->gid_index = rdma->set.gid_index;
	if (!err && !rdma->set.has_gid)
		err = rdma_gid_choose(context, &port->gid_index);
	if (err)
		return cannot_start(rdma, "address (GID) of its port", -err);
	if (ibv_query_gid_ex(context, DEV_PORT, port->gid_index, &entry, 0) ||
	    !memcmp(&entry.gid, &none, sizeof(none)))
		return FAIL(INVALID_VALUE,
			    "cannot start %s on %s: entry %u of its table of "
			    "GIDs is empty; call doca_rdma_set_gid_index()",
			    rdma->ctx.type->name, rdma->ctx.dev->info.name,
			    port->gid_index);
	port->gid = entry.gid;
	port->scope = entry.ndev_ifindex;
	if (rdma->set.has_mtu && rdma_mtu_of(rdma->set.mtu) > port->mtu)
		return FAIL(
			INVALID_VALUE,
			"cannot start %s on %s: its port has an MTU of %u by "
			"now; call doca_rdma_set_mtu()",
			rdma->ctx.type->name, rdma->ctx.dev->info.name,
			128u << port->mtu);
	if (rdma->set.has_mtu)
		port->mtu = rdma_mtu_of(rdma->set.mtu);
	return DOCA_SUCCESS;
}

/* Have the context hear of what happens to the device. */
static doca_error_t hear_of_device(struct doca_rdma *rdma)
{
	int err = rdma_news_open(rdma);

	if (!err) {
		err = -dev_notice_open(&rdma->notice, rdma->ctx.dev);
		rdma->has_notice = !err;
	}
	if (!err)
		err = rdma_news_add(rdma, RDMA_NEWS_REMOVED,
				    rdma->notice.queue.fd);
	if (!err)
		err = rdma_news_add(rdma, RDMA_NEWS_DEVICE,
				    rdma->pd->context->async_fd);
	if (err)
		return cannot_start(rdma, "news of the device", err);
	rdma_async_join(rdma);
	return DOCA_SUCCESS;
}

static doca_error_t make_requests(struct doca_rdma *rdma)
{
	uint32_t n = rdma->ctx.nr_tasks, i;

	rdma->list_max = rdma->set.send_list;
	if (rdma->set.receive_list > rdma->list_max)
		rdma->list_max = rdma->set.receive_list;
	rdma->sges =
		calloc((size_t)n * rdma->list_max + 1, sizeof(*rdma->sges));
	rdma->slots = calloc(rdma->set.max_connections, sizeof(*rdma->slots));
	while (rdma->row_mask + 1 < rdma->set.max_connections)
		rdma->row_mask += rdma->row_mask + 1;
	rdma->rows = calloc(rdma->row_mask + 1, sizeof(*rdma->rows));
	if (!rdma->sges || !rdma->slots || !rdma->rows)
		return cannot_start(rdma, "memory for its requests", ENOMEM);
	for (i = 0; i < n; i++)
		rdma_request_init(task_at(&rdma->ctx, i));
	return DOCA_SUCCESS;
}

/* Sends of all kinds, rounded up, are enough for one connection. */
static uint32_t send_queue(const struct doca_rdma *rdma)
{
	uint32_t sends = rdma->ctx.nr_tasks - rdma->pools[RDMA_RECEIVE].num;
	uint32_t size = 1;

	while (size < sends && size < rdma->set.send_queue)
		size *= 2;
	return size;
}

static void reset(struct doca_rdma *rdma)
{
	rdma->channel = NULL;
	rdma->cq = NULL;
	rdma->srq = NULL;
	rdma->sges = NULL;
	rdma->slots = NULL;
	rdma->rows = NULL;
	rdma->row_mask = 0;
	rdma->nr_connections = 0;
	rdma->next_id = 0;
	list_init(&rdma->work);
	list_init(&rdma->receives);
	list_init(&rdma->unposted);
	list_init(&rdma->refused);
	rdma->turned = false;
	rdma->calm = false;
	rdma->wc = rdma->wcs;
	rdma->nr_wcs = 0;
	rdma->armed = false;
	rdma->events = 0;
	rdma->patience_ns = patience();
	rdma->canceled = false;
	rdma->failed = false;
	rdma->cut = false;
	rdma->news.epoll_fd = -1;
	rdma->has_notice = false;
	list_init(&rdma->link);
	rdma_cm_reset(rdma);
	rdma->sq_size = send_queue(rdma);
}

static doca_error_t get_pd(struct doca_rdma *rdma)
{
	return dev_get_pd(rdma->ctx.dev, &rdma->pd) == DOCA_SUCCESS ?
		       DOCA_SUCCESS :
		       DOCA_ERROR_INITIALIZATION;
}

doca_error_t rdma_open(struct doca_rdma *rdma)
{
	doca_error_t ret = dev_has_driver(rdma->ctx.dev);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (rdma->ctx.nr_tasks > rdma->hca.max_tasks)
		return FAIL(INVALID_VALUE,
			    "cannot start %s: %u tasks are more than %s has "
			    "completions for, %u",
			    rdma->ctx.type->name, rdma->ctx.nr_tasks,
			    rdma->ctx.dev->info.name, rdma->hca.max_tasks);
	reset(rdma);
	rdma_async_begin(rdma);
	ret = get_pd(rdma);
	if (ret == DOCA_SUCCESS)
		ret = find_port(rdma);
	if (ret == DOCA_SUCCESS)
		ret = make_queues(rdma);
	if (ret == DOCA_SUCCESS)
		ret = make_requests(rdma);
	if (ret == DOCA_SUCCESS)
		ret = hear_of_device(rdma);
	if (ret != DOCA_SUCCESS)
		rdma_close(rdma, false);
	return ret;
}

static void destroy_queues(struct doca_rdma *rdma)
{
	if (rdma->srq)
		ibv_destroy_srq(rdma->srq);
	if (rdma->cq && rdma->events)
		ibv_ack_cq_events(rdma->cq, rdma->events);
	if (rdma->cq)
		ibv_destroy_cq(rdma->cq);
	if (rdma->channel)
		ibv_destroy_comp_channel(rdma->channel);
}

/* In the child of a fork only the descriptor is its own. */
void rdma_close(struct doca_rdma *rdma, bool forked)
{
	rdma_async_leave(rdma);
	rdma_connections_close(rdma, forked);
	rdma_cm_close(rdma, forked);
	if (rdma->has_notice)
		dev_notice_close(&rdma->notice);
	rdma_news_close(rdma);
	if (!forked)
		destroy_queues(rdma);
	else if (rdma->channel)
		close(rdma->channel->fd);
	free(rdma->sges);
}

doca_error_t rdma_is_ours(const struct doca_rdma *rdma,
			  const struct log_site *site)
{
	if (driver_current(rdma->ctx.queue.generation))
		return DOCA_SUCCESS;
	return FAIL_AT(site, BAD_STATE,
		       "%s(): %s %p was started before this process was forked",
		       site->func, rdma->ctx.type->name, (const void *)rdma);
}

doca_error_t rdma_is_running(const struct doca_rdma *rdma,
			     const struct log_site *site)
{
	if (rdma->ctx.state == DOCA_CTX_STATE_RUNNING && !rdma->failed)
		return rdma_is_ours(rdma, site);
	return FAIL_AT(site, BAD_STATE, "%s(): %s %p is not running",
		       site->func, rdma->ctx.type->name, (const void *)rdma);
}
