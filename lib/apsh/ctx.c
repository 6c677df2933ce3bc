// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "core/base/args.h"
#include "objects.h"

#include "system.h"

LOG_SOURCE("APSH");

struct doca_apsh_ctx *ctx_get(struct doca_apsh_ctx *ctx)
{
	__atomic_add_fetch(&ctx->refs, 1, __ATOMIC_RELAXED);
	return ctx;
}

void ctx_put(struct doca_apsh_ctx *ctx)
{
	if (ctx && !__atomic_sub_fetch(&ctx->refs, 1, __ATOMIC_ACQ_REL))
		doca_priv_debug_free(ctx);
}

struct doca_apsh_ctx *doca_apsh_create(void)
{
	struct doca_apsh_ctx *ctx = calloc(1, sizeof(*ctx));

	if (!ctx) {
		LOG_ERR("out of memory for a context");
		return NULL;
	}
	ctx->refs = 1;
	doca_priv_debug_add(ctx, &apsh_ctx_object, sizeof(*ctx), 1);
	return ctx;
}

void doca_apsh_destroy(struct doca_apsh_ctx *ctx)
{
	if (!ctx || !valid(ctx))
		return;
	doca_priv_debug_del(ctx);
	ctx_put(ctx);
}

doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx,
				   struct doca_dev *dma_dev)
{
	if (!valid(ctx) || !valid(dma_dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->started)
		return FAIL(BAD_STATE, "the context was started; set its "
				       "device before doca_apsh_start()");
	ctx->dev = dma_dev;
	return DOCA_SUCCESS;
}

doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx)
{
	if (!valid(ctx))
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->started)
		return FAIL(BAD_STATE, "the context was started before");
	if (!ctx->dev)
		return FAIL(INVALID_VALUE, "the context has no device; call "
					   "doca_apsh_dma_dev_set() first");
	ctx->started = true;
	return DOCA_SUCCESS;
}
