// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The AES-GCM context. */
#include <doca_error.h>

#include "aes_gcm.h"

LOG_SOURCE("AES_GCM");

static const struct task_type *const tasks[GCM_TASKS] = {
	[GCM_ENCRYPT] = &gcm_encrypt,
	[GCM_DECRYPT] = &gcm_decrypt,
};

static doca_error_t gcm_fini(struct doca_ctx *ctx)
{
	const struct doca_aes_gcm *aes_gcm =
		list_entry(ctx, struct doca_aes_gcm, ctx);

	if (!aes_gcm->keys)
		return DOCA_SUCCESS;
	return FAIL(IN_USE,
		    "cannot destroy AES-GCM %p: %u keys are left; call "
		    "doca_aes_gcm_key_destroy() before",
		    (void *)ctx, aes_gcm->keys);
}

const struct ctx_type doca_aes_gcm_type = {
	CTX_OBJECT(doca_aes_gcm, tasks),
	.name = "AES-GCM",
	.fini = gcm_fini,
};

DEFINE_CREATE(doca_aes_gcm_create, doca_aes_gcm)
DEFINE_DESTROY(doca_aes_gcm_destroy, doca_aes_gcm)
DEFINE_AS_CTX(doca_aes_gcm_as_ctx, doca_aes_gcm)
DEFINE_CAP_MAX_TASKS(doca_aes_gcm_cap_get_max_num_tasks, doca_aes_gcm,
		     GCM_ENCRYPT)
