// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The contexts of devices without device memory. */
#include "dm.h"

static struct list contexts = { &contexts, &contexts };

void context_add(struct context *ctx)
{
	list_add_tail(&contexts, &ctx->link);
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
