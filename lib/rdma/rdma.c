// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The context of RDMA tasks. */
#include <doca_error.h>

#include "request.h"
#include "settings.h"

LOG_SOURCE("RDMA");

static const struct task_type *const tasks[RDMA_TASKS] = {
	[RDMA_RECEIVE] = &rdma_receive.type,
	[RDMA_SEND] = &rdma_send.type,
	[RDMA_SEND_IMM] = &rdma_send_imm.type,
	[RDMA_READ] = &rdma_read.type,
	[RDMA_WRITE] = &rdma_write.type,
	[RDMA_WRITE_IMM] = &rdma_write_imm.type,
	[RDMA_CMP_SWP] = &rdma_cmp_swp.type,
	[RDMA_FETCH_ADD] = &rdma_fetch_add.type,
	[RDMA_EVENT_GET] = &rdma_event_get.type,
	[RDMA_EVENT_SET] = &rdma_event_set.type,
	[RDMA_EVENT_ADD] = &rdma_event_add.type,
};

static doca_error_t rdma_init(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	doca_error_t ret = rdma_hca_ask(&ctx->dev->info, &rdma->hca);

	if (ret == DOCA_SUCCESS)
		rdma_settings_init(rdma);
	return ret;
}

const struct ctx_type doca_rdma_type = {
	CTX_OBJECT(doca_rdma, tasks),
	.name = "RDMA context",
	.lane = &rdma_lane,
	.init = rdma_init,
};

DEFINE_CREATE(doca_rdma_create, doca_rdma)
DEFINE_AS_CTX(doca_rdma_as_ctx, doca_rdma)

/* The code for one that is started is DOCA's for this library. */
doca_error_t doca_rdma_destroy(struct doca_rdma *rdma)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret =
		doca_priv_ctx_destroy(CTX_OF(rdma), &doca_rdma_object, &site);

	return ret == DOCA_ERROR_IN_USE ? DOCA_ERROR_BAD_STATE : ret;
}

static doca_error_t nowhere(const struct doca_rdma *rdma, const char *what)
{
	return FAIL(NOT_SUPPORTED,
		    "%s %p runs on the CPU: it has no %s, for no device here "
		    "executes programs of the user",
		    rdma->ctx.type->name, (const void *)rdma, what);
}

doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma,
				      doca_dpa_dev_rdma_t *dpa_rdma)
{
	if (!rdma_valid(rdma) || !given(dpa_rdma))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(rdma, "handle for a DPA");
}

doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma,
				      struct doca_gpu_dev_rdma **gpu_rdma)
{
	if (!rdma_valid(rdma) || !given(gpu_rdma))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(rdma, "handle for a GPU");
}

doca_error_t
doca_rdma_dpa_completion_attach(struct doca_rdma *rdma,
				struct doca_dpa_completion *dpa_comp)
{
	if (!rdma_valid(rdma) || !given(dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	return nowhere(rdma, "completions for a DPA");
}
