// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Sync events: life and settings. sync_event_value.c reads and writes the
 * value, sync_event_task.c has the tasks.
 */
#include <doca_buf.h>
#include <doca_error.h>
#include <doca_mmap.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/memory/buf.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

static void sync_set_started(struct doca_sync_event *event, bool started)
{
	__atomic_store_n(&event->started, started, __ATOMIC_RELAXED);
}

/* Check what both ways to start require. */
static doca_error_t sync_check(const struct doca_sync_event *event)
{
	if (event->publisher && event->subscriber)
		return DOCA_SUCCESS;
	LOG_ERR("cannot start sync event %p: it has no %s; call "
		"doca_sync_event_add_%s_location_cpu() or ..._remote_pci()",
		(const void *)event,
		event->publisher ? "subscriber" : "publisher",
		event->publisher ? "subscriber" : "publisher");
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t sync_ctx_check(const struct doca_ctx *ctx)
{
	const struct doca_sync_event *event = to_event(ctx);
	doca_error_t ret;

	ret = sync_check(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!ctx->dev) {
		LOG_ERR("cannot start sync event %p as a context: it has no "
			"device; call doca_sync_event_add_..._location_cpu()",
			(const void *)event);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t sync_ctx_start(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = to_event(ctx);
	doca_error_t ret;

	if (!event->from_export) {
		ret = sync_map(
			event, ctx->dev,
			event->remote_pci ? DOCA_ACCESS_FLAG_PCI_READ_WRITE : 0,
			&event->mmap);
		if (ret != DOCA_SUCCESS)
			return DOCA_ERROR_INITIALIZATION;
		event->seg.address = (uintptr_t)event->value;
	}
	event->seg.key = doca_priv_mmap_key(event->mmap, ctx->dev);
	event->seg.length = sizeof(uint64_t);
	sync_set_started(event, true);
	LOG_DBG("sync event %p is started as a context", (void *)event);
	return DOCA_SUCCESS;
}

static void sync_close(struct doca_sync_event *event)
{
	sync_set_started(event, false);
	LOG_DBG("sync event %p is stopped", (void *)event);
	sync_drop_exports(event);
	sync_remote_destroy(event);
	if (event->from_export || !event->mmap)
		return;
	doca_mmap_destroy(event->mmap);
	event->mmap = NULL;
}

static void sync_ctx_stop(struct doca_ctx *ctx)
{
	sync_close(to_event(ctx));
}

static doca_error_t sync_init(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = to_event(ctx);

	pthread_mutex_init(&event->remote.lock, NULL);
	event->value = &event->own;
	return DOCA_SUCCESS;
}

static doca_error_t sync_fini(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = to_event(ctx);

	if (event->started && !event->as_ctx) {
		LOG_ERR("cannot destroy sync event %p: it is started; stop it "
			"first",
			(void *)event);
		return DOCA_ERROR_IN_USE;
	}
	if (event->buf)
		doca_buf_dec_refcount(event->buf, NULL);
	if (event->mmap)
		doca_mmap_destroy(event->mmap);
	if (event->net_dev)
		doca_priv_dev_put(event->net_dev);
	pthread_mutex_destroy(&event->remote.lock);
	return DOCA_SUCCESS;
}

static doca_error_t sync_may_set_conf(const struct doca_ctx *ctx)
{
	if (!to_event(ctx)->started && doca_priv_ctx_idle(ctx))
		return DOCA_SUCCESS;
	return FAIL(NOT_PERMITTED,
		    "cannot configure the tasks of sync event %p: it is "
		    "started",
		    (const void *)ctx);
}

const struct ctx_type doca_sync_event_type = {
	CTX_OBJECT(doca_sync_event, sync_task_types),
	.name = "sync event",
	.init = sync_init,
	.fini = sync_fini,
	.may_configure = sync_may_set_conf,
	.check = sync_ctx_check,
	.start = sync_ctx_start,
	.stop = sync_ctx_stop,
};

doca_error_t sync_event_new(struct doca_sync_event **event,
			    const struct log_site *site)
{
	struct doca_ctx *ctx;
	doca_error_t ret;

	ret = doca_priv_ctx_new(&doca_sync_event_type, NULL, &ctx, site);
	if (ret == DOCA_SUCCESS)
		*event = to_event(ctx);
	return ret;
}

doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
	static const struct log_site site = LOG_SITE;

	if (!given(event))
		return DOCA_ERROR_INVALID_VALUE;
	return sync_event_new(event, &site);
}

DEFINE_DESTROY(doca_sync_event_destroy, doca_sync_event)

struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event)
{
	if (!sync_valid(event))
		return NULL;
	if (event->started && !event->as_ctx) {
		LOG_ERR("sync event %p is started alone: it is no context "
			"until it is stopped",
			(void *)event);
		return NULL;
	}
	event->as_ctx = true;
	return &event->ctx;
}

doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
	doca_error_t ret;

	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	if (event->started || event->as_ctx) {
		LOG_ERR("cannot start sync event %p: it %s", (void *)event,
			event->as_ctx ? "is a context, use doca_ctx_start()" :
					"is started");
		return DOCA_ERROR_BAD_STATE;
	}
	ret = sync_check(event);
	if (ret == DOCA_SUCCESS && event->from_export)
		ret = sync_remote_create(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	sync_set_started(event, true);
	LOG_DBG("sync event %p is started", (void *)event);
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	if (event->as_ctx) {
		LOG_ERR("cannot stop sync event %p: it is a context, use "
			"doca_ctx_stop()",
			(void *)event);
		return DOCA_ERROR_BAD_STATE;
	}
	if (event->started)
		sync_close(event);
	return DOCA_SUCCESS;
}

doca_error_t sync_may_configure(const struct doca_sync_event *event)
{
	if (event->from_export) {
		LOG_ERR("sync event %p was made from an export: only its "
			"exporter can configure it",
			(const void *)event);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (event->started) {
		LOG_ERR("sync event %p cannot be configured: it is started",
			(const void *)event);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t add_cpu(struct doca_sync_event *event, struct doca_dev *dev,
			    bool *has)
{
	doca_error_t ret = sync_may_configure(event);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (!event->ctx.dev)
		event->ctx.dev = doca_priv_dev_get(dev);
	if (!event->net_dev && dev->info.type == DOCA_DEV_RDMA && !dev->from_pd)
		event->net_dev = doca_priv_dev_get(dev);
	*has = true;
	return DOCA_SUCCESS;
}

static doca_error_t add_remote(struct doca_sync_event *event, bool *has)
{
	doca_error_t ret = sync_may_configure(event);

	if (ret != DOCA_SUCCESS)
		return ret;
	event->remote_pci = true;
	*has = true;
	return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event,
					   struct doca_dev *dev)
{
	if (!sync_valid(event) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return add_cpu(event, dev, &event->publisher);
}

doca_error_t
doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event,
					    struct doca_dev *dev)
{
	if (!sync_valid(event) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return add_cpu(event, dev, &event->subscriber);
}

doca_error_t
doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event)
{
	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	return add_remote(event, &event->publisher);
}

doca_error_t doca_sync_event_add_subscriber_location_remote_pci(
	struct doca_sync_event *event)
{
	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	return add_remote(event, &event->subscriber);
}

doca_error_t
doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event)
{
	doca_error_t ret;

	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	ret = sync_may_configure(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	event->remote_net = true;
	event->publisher = true;
	return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_add_publisher_location_dpu(struct doca_sync_event *event)
{
	return doca_sync_event_add_publisher_location_remote_pci(event);
}

doca_error_t
doca_sync_event_add_subscriber_location_dpu(struct doca_sync_event *event)
{
	return doca_sync_event_add_subscriber_location_remote_pci(event);
}

/* Set where the value is; takes over the reference to @buf. */
static void set_value(struct doca_sync_event *event, uint64_t *value,
		      struct doca_buf *buf)
{
	if (event->buf)
		doca_buf_dec_refcount(event->buf, NULL);
	event->buf = buf;
	event->value = value;
}

doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event,
				      uint64_t *addr)
{
	doca_error_t ret;

	if (!sync_valid(event) || !given(addr))
		return DOCA_ERROR_INVALID_VALUE;
	if ((uintptr_t)addr % sizeof(*addr)) {
		LOG_ERR("sync event %p: address %p is not a multiple of 8",
			(void *)event, (void *)addr);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = sync_may_configure(event);
	if (ret == DOCA_SUCCESS)
		set_value(event, addr, NULL);
	return ret;
}

doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event,
					  struct doca_buf *buf)
{
	uintptr_t data, end;
	doca_error_t ret;

	if (!sync_valid(event) || !valid(buf))
		return DOCA_ERROR_INVALID_VALUE;
	ret = sync_may_configure(event);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (buf->mmap->from_export || buf->mmap->dmabuf_fd >= 0) {
		LOG_ERR("sync event %p: buffer %p is not in memory of this "
			"process; let the process that has it make the event "
			"and export it",
			(void *)event, (void *)buf);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	data = (uintptr_t)buf->data;
	end = (uintptr_t)buf->head + buf->len;
	if (data % sizeof(uint64_t) || data < (uintptr_t)buf->head ||
	    data > end || end - data < sizeof(uint64_t)) {
		LOG_ERR("sync event %p: the data of buffer %p, at %p, is not "
			"8 bytes at a multiple of 8",
			(void *)event, (void *)buf, buf->data);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = doca_buf_inc_refcount(buf, NULL);
	if (ret == DOCA_SUCCESS)
		set_value(event, buf->data, buf);
	return ret;
}
