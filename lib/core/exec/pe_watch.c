// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "pe.h"
#include "pe_watch.h"

LOG_SOURCE("COMMON::PE");

/* One look reports one engine; the next look finds others. */
struct found {
	const void *pe;
	const void *ctx;
	const char *name;
	uint32_t inflight;
};

/* Do not touch contexts of a parent process. */
static const struct doca_ctx *done_in(const struct doca_pe *pe)
{
	const struct doca_ctx *ctx;
	struct list *pos;

	if (!driver_current(pe->generation))
		return NULL;
	list_for_each(pos, &pe->ctxs) {
		ctx = list_entry(pos, struct doca_ctx, link);
		if (ctx->inflight && ctx->lane->done && ctx->lane->done(ctx))
			return ctx;
	}
	return NULL;
}

static void look_at(void *object, void *arg)
{
	struct doca_pe *pe = object;
	struct found *found = arg;
	const struct doca_ctx *ctx = done_in(pe);

	if (!ctx || pe->seen != pe->progressed) {
		pe->seen = pe->progressed;
		pe->looks = 0;
		return;
	}
	if (++pe->looks <= PE_WATCH_LOOKS || pe->forgotten || found->pe)
		return;
	pe->forgotten = true;
	*found = (struct found){ pe, ctx, ctx->type->name, ctx->inflight };
}

void pe_watch_look(void)
{
	struct found found = { 0 };

	debug_each_idle(&doca_priv_pe_object, look_at, &found);
	if (found.pe)
		LOG_WARN("progress engine %p: of %u tasks in flight on %s %p "
			 "some have been done for a second, and nobody has "
			 "called doca_pe_progress(), in DOCA 1.3 "
			 "doca_workq_progress_retrieve(), which alone tells "
			 "the program",
			 found.pe, found.inflight, found.name, found.ctx);
}
