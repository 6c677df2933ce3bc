// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Sync events: their life and settings. What is done with the value is in
 * sync_event_value.c, tasks are in sync_event_task.c.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_error.h>
#include <doca_mmap.h>

#include "buf.h"
#include "dev.h"
#include "log.h"
#include "sync_event.h"

LOG_SOURCE("COMMON::SYNC_EVENT");

static inline struct doca_sync_event *to_event(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_sync_event, ctx);
}

static void sync_set_started(struct doca_sync_event *event, bool started)
{
	__atomic_store_n(&event->started, started, __ATOMIC_RELAXED);
}

/* What both ways to start ask for. */
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

static doca_error_t sync_check_tasks(const struct doca_sync_event *event)
{
	struct sync_limits limits;
	uint64_t tasks = 0, waits = 0;
	doca_error_t ret;
	int i;

	for (i = 0; i < SYNC_KINDS; i++) {
		tasks += event->pools[i].num;
		if (event->pools[i].type->waits)
			waits += event->pools[i].num;
	}
	if (!tasks) {
		LOG_ERR("cannot start sync event %p: no tasks are enabled; "
			"call doca_sync_event_task_..._set_conf()",
			(const void *)event);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = sync_limits_get(&limits);
	if (ret != DOCA_SUCCESS)
		return DOCA_ERROR_INITIALIZATION;
	if (tasks <= limits.tasks && waits <= limits.waits)
		return DOCA_SUCCESS;
	LOG_ERR("cannot start sync event %p: %u tasks, of which %u wait, are "
		"more than it may have, %u and %u",
		(const void *)event, (unsigned int)tasks, (unsigned int)waits,
		limits.tasks, limits.waits);
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
	return sync_check_tasks(event);
}

static doca_error_t sync_ctx_start(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = to_event(ctx);
	doca_error_t ret;

	if (!event->from_export) {
		ret = sync_map(event, ctx->dev,
			       DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, &event->mmap);
		if (ret != DOCA_SUCCESS)
			return DOCA_ERROR_INITIALIZATION;
		event->seg.address = (uintptr_t)event->value;
	}
	event->seg.key = doca_priv_mmap_key(event->mmap, ctx->dev);
	event->seg.length = sizeof(uint64_t);
	sync_set_started(event, true);
	return DOCA_SUCCESS;
}

static void sync_close(struct doca_sync_event *event)
{
	sync_set_started(event, false);
	sync_drop_exports(event);
	sync_remote_destroy(event);
	if (event->from_export)
		return;
	doca_mmap_destroy(event->mmap);
	event->mmap = NULL;
}

static void sync_ctx_stop(struct doca_ctx *ctx)
{
	sync_close(to_event(ctx));
}

static const struct ctx_ops sync_ctx_ops = {
	.name = "sync event",
	.check = sync_ctx_check,
	.start = sync_ctx_start,
	.stop = sync_ctx_stop,
};

struct doca_sync_event *sync_event_new(void)
{
	struct doca_sync_event *event;
	int i;

	event = aligned_alloc(_Alignof(struct doca_sync_event), sizeof(*event));
	if (!event)
		return NULL;
	memset(event, 0, sizeof(*event));
	for (i = 0; i < SYNC_KINDS; i++)
		event->pools[i].type = sync_task_types[i];
	doca_priv_ctx_init(&event->ctx, &sync_ctx_ops, NULL, event->pools,
			   SYNC_KINDS);
	pthread_mutex_init(&event->remote.lock, NULL);
	event->value = &event->own;
	return event;
}

void sync_event_free(struct doca_sync_event *event)
{
	if (event->buf)
		doca_buf_dec_refcount(event->buf, NULL);
	doca_mmap_destroy(event->mmap);
	pthread_mutex_destroy(&event->remote.lock);
	doca_priv_debug_free(event);
}

doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
	struct doca_sync_event *new;

	if (!event)
		return DOCA_ERROR_INVALID_VALUE;
	new = sync_event_new();
	if (!new)
		return DOCA_ERROR_NO_MEMORY;
	*event = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
	doca_error_t ret;

	if (!sync_valid(event))
		return DOCA_ERROR_INVALID_VALUE;
	if (event->started && !event->as_ctx) {
		LOG_ERR("cannot destroy sync event %p: it is started; stop it "
			"first",
			(void *)event);
		return DOCA_ERROR_IN_USE;
	}
	ret = doca_priv_ctx_fini(&event->ctx);
	if (ret == DOCA_SUCCESS)
		sync_event_free(event);
	return ret;
}

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
	if (ret == DOCA_SUCCESS)
		sync_set_started(event, true);
	return ret;
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
doca_sync_event_add_publisher_location_dpu(struct doca_sync_event *event)
{
	return doca_sync_event_add_publisher_location_remote_pci(event);
}

doca_error_t
doca_sync_event_add_subscriber_location_dpu(struct doca_sync_event *event)
{
	return doca_sync_event_add_subscriber_location_remote_pci(event);
}

/* With the reference to @buf, if that is where the value is. */
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

	if (!sync_valid(event) || !addr)
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
