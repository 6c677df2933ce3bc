// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Opens and closes devices. The functions of device memory are pointers in the context,
 * which is public. For a device without device memory they are set as soon as the context
 * is opened. Other devices are left alone.
 */
#include <errno.h>
#include <stdlib.h>

#include <open_doca_dm.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "dm.h"
#include "real.h"

LOG_SOURCE("DM");

/* Query the device, and add the pool's size if the caller has room for it. */
static int query_device_ex(struct ibv_context *verbs,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t size)
{
	struct context *ctx;
	struct pool pool;
	int err, state;

	state = lock_uncancelled(&dm_lock);
	ctx = context_of(verbs);
	unlock_uncancelled(&dm_lock, state);
	err = ctx->query_device_ex(verbs, input, attr, size);
	if (err || !ctx->backend ||
	    size < offsetof(struct ibv_device_attr_ex, max_dm_size) +
			    sizeof(attr->max_dm_size))
		return err;
	state = lock_uncancelled(&dm_lock);
	if (!ctx->backend->query(ctx->device, &pool))
		attr->max_dm_size = pool.size;
	unlock_uncancelled(&dm_lock, state);
	return 0;
}

/* Return true if the provider's structure is long enough for our functions. */
static bool has_room(const struct verbs_context *vctx)
{
	return vctx &&
	       vctx->sz >= sizeof(*vctx) -
				   offsetof(struct verbs_context, reg_dm_mr);
}

static bool has_memory(struct ibv_context *verbs)
{
	struct ibv_device_attr_ex attr = {};

	return ibv_query_device_ex(verbs, NULL, &attr) || attr.max_dm_size;
}

static void find_backend(struct context *ctx)
{
	const char *name = ibv_get_device_name(ctx->vctx->context.device);

	ctx->backend = backend_get(&ctx->err);
	if (!ctx->backend)
		return;
	ctx->err = ctx->backend->device_id(name, &ctx->device);
	if (!ctx->err)
		return;
	LOG_ERR("no device memory for %s: %s", name, errno_text(ctx->err));
	ctx->backend = NULL;
}

/* Open the device in any case, without device memory if there is none. */
static struct ibv_context *equip(struct ibv_context *verbs)
{
	struct verbs_context *vctx = verbs ? verbs_get_ctx(verbs) : NULL;
	struct context *ctx;
	int state;

	if (!has_room(vctx) || has_memory(verbs))
		return verbs;
	ctx = calloc(1, sizeof(*ctx));
	if (!ctx) {
		LOG_ERR("no device memory for %s: out of memory",
			ibv_get_device_name(verbs->device));
		return verbs;
	}
	ctx->vctx = vctx;
	ctx->query_device_ex = vctx->query_device_ex;
	list_init(&ctx->dms);
	state = lock_uncancelled(&dm_lock);
	find_backend(ctx);
	context_add(ctx);
	unlock_uncancelled(&dm_lock, state);
	vctx->query_device_ex = query_device_ex;
	vctx->alloc_dm = dm_alloc;
	vctx->free_dm = dm_free;
	vctx->reg_dm_mr = dm_reg_mr;
	return verbs;
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	return equip(real.open_device(device));
}

EXPORT struct ibv_context *ibv_import_device(int fd)
{
	return equip(real.import_device(fd));
}

/* The rest goes with the context, as the kernel treats a device's own memory. */
EXPORT int ibv_close_device(struct ibv_context *verbs)
{
	struct context *ctx;
	int err, state;

	state = lock_uncancelled(&dm_lock);
	ctx = context_of(verbs);
	if (ctx)
		list_del(&ctx->link);
	unlock_uncancelled(&dm_lock, state);
	err = real.close_device(verbs);
	if (!ctx)
		return err;
	state = lock_uncancelled(&dm_lock);
	if (err) {
		context_add(ctx);
	} else {
		dm_free_all(ctx);
		free(ctx);
	}
	unlock_uncancelled(&dm_lock, state);
	return err;
}
