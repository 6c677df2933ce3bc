// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reasons for which a wait for a context's progress engine ends. */
#include "ctx.h"
#include "pe.h"

void doca_priv_ctx_kick(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		pe_kick_ctx(ctx->pe, ctx);
}

void doca_priv_ctx_watch(struct doca_ctx *ctx, unsigned int slot, int fd)
{
	doca_priv_ctx_unwatch(ctx, slot);
	ctx->watches[slot].fd = fd;
	if (ctx->pe->armed && !pe_watch(ctx->pe, &ctx->watches[slot]))
		pe_kick_ctx(ctx->pe, ctx);
}

void doca_priv_ctx_unwatch(struct doca_ctx *ctx, unsigned int slot)
{
	struct ctx_watch *watch = &ctx->watches[slot];

	if (watch->fd < 0)
		return;
	pe_unwatch(ctx->pe, watch);
	watch->fd = -1;
}

void ctx_unwatch_all(struct doca_ctx *ctx)
{
	unsigned int i;

	for (i = 0; i < CTX_WATCHES; i++)
		doca_priv_ctx_unwatch(ctx, i);
	ctx->deadline = 0;
}

void ctx_set_deadline(struct doca_ctx *ctx, uint64_t ns)
{
	ctx->deadline = ns;
	if (ns)
		pe_visit(ctx->pe, ctx);
	if (ctx->pe->armed && !pe_arm_timer(ctx->pe))
		pe_kick_ctx(ctx->pe, ctx);
}
