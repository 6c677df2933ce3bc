// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Standing before libibverbs. The calls of device memory are pointers in the context,
 * which is public: they are set where the device has no memory of its own, as soon as the
 * context is opened. Devices that have some are left alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <open_doca_dm.h>

#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "dm.h"

LOG_SOURCE("DM");

#define EXPORT __attribute__((visibility("default")))

pthread_mutex_t dm_lock = PTHREAD_MUTEX_INITIALIZER;
unsigned int forks_seen;

static struct list contexts = { &contexts, &contexts };

/* The library's own. They are there as soon as there is a context. */
static struct {
	struct ibv_context *(*open_device)(struct ibv_device *device);
	struct ibv_context *(*import_device)(int fd);
	int (*close_device)(struct ibv_context *context);
	int (*dereg_mr)(struct ibv_mr *mr);
	int (*rereg_mr)(struct ibv_mr *mr, int flags, struct ibv_pd *pd,
			void *addr, size_t length, int access);
	struct ibv_dm *(*import_dm)(struct ibv_context *context,
				    uint32_t handle);
	void (*unimport_dm)(struct ibv_dm *dm);
} real;

static void before_fork(void)
{
	pthread_mutex_lock(&dm_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&dm_lock);
}

static void in_child(void)
{
	forks_seen++;
	pthread_mutex_unlock(&dm_lock);
}

static void *find(const char *name, const char *version)
{
	return dlvsym(RTLD_NEXT, name, version);
}

static __attribute__((constructor)) void begin(void)
{
	real.open_device = find("ibv_open_device", "IBVERBS_1.1");
	real.close_device = find("ibv_close_device", "IBVERBS_1.1");
	real.dereg_mr = find("ibv_dereg_mr", "IBVERBS_1.1");
	real.rereg_mr = find("ibv_rereg_mr", "IBVERBS_1.1");
	real.import_device = find("ibv_import_device", "IBVERBS_1.10");
	real.import_dm = find("ibv_import_dm", "IBVERBS_1.13");
	real.unimport_dm = find("ibv_unimport_dm", "IBVERBS_1.13");
	pthread_atfork(before_fork, after_fork, in_child);
}

struct context *context_of(struct ibv_context *verbs)
{
	struct list *pos;

	list_for_each(pos, &contexts) {
		struct context *ctx = list_entry(pos, struct context, link);

		if (&ctx->vctx->context == verbs)
			return ctx;
	}
	return NULL;
}

/* The device's, with the size of the pool where the caller has room for it. */
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

/* Whether the provider's structure is long enough for our functions. */
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
	LOG_ERR("no device memory for %s: %s", name, strerror(-ctx->err));
	ctx->backend = NULL;
}

/* It is opened in any case; without device memory if there is none to be had. */
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
	list_add_tail(&contexts, &ctx->link);
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

/* As the kernel does with a device's own memory, the rest goes with the context. */
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
		list_add_tail(&contexts, &ctx->link);
	} else {
		dm_free_all(ctx);
		free(ctx);
	}
	unlock_uncancelled(&dm_lock, state);
	return err;
}

EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	return dm_dereg_mr(mr, real.dereg_mr);
}

EXPORT int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd,
			void *addr, size_t length, int access)
{
	const struct rereg r = { flags, pd, addr, length, access };

	return dm_rereg_mr(mr, &r, real.rereg_mr);
}

EXPORT struct ibv_dm *ibv_import_dm(struct ibv_context *verbs, uint32_t handle)
{
	struct ibv_dm *dm = NULL;
	struct context *ctx;
	int state;

	state = lock_uncancelled(&dm_lock);
	ctx = context_of(verbs);
	if (ctx)
		dm = dm_import(ctx, handle);
	unlock_uncancelled(&dm_lock, state);
	return ctx ? dm : real.import_dm(verbs, handle);
}

EXPORT void ibv_unimport_dm(struct ibv_dm *dm)
{
	if (dm_is_ours(dm))
		dm_free(dm);
	else
		real.unimport_dm(dm);
}
