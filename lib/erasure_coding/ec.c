// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The erasure coding context, and the capabilities of devices. */
#include <doca_error.h>

#include "ec.h"

LOG_SOURCE("EC");

static const struct task_type *const tasks[EC_TASKS] = {
	[EC_CREATE] = &ec_task_create,
	[EC_RECOVER] = &ec_task_recover,
	[EC_UPDATE] = &ec_task_update,
	[EC_GALOIS_MUL] = &ec_task_galois_mul,
};

static doca_error_t ec_fini(struct doca_ctx *ctx)
{
	const struct doca_ec *ec = list_entry(ctx, struct doca_ec, ctx);

	if (!ec->nr_matrices)
		return DOCA_SUCCESS;
	return FAIL(IN_USE,
		    "cannot destroy EC %p: %u matrices of it are left; call "
		    "doca_ec_matrix_destroy() before",
		    (const void *)ec, ec->nr_matrices);
}

const struct ctx_type doca_ec_type = {
	CTX_OBJECT(doca_ec, tasks),
	.name = "EC",
	.fini = ec_fini,
};

DEFINE_CREATE(doca_ec_create, doca_ec)
DEFINE_DESTROY(doca_ec_destroy, doca_ec)
DEFINE_AS_CTX(doca_ec_as_ctx, doca_ec)
DEFINE_CAP_SUPPORTED(doca_ec_cap_task_create_is_supported, ec_task_create)
DEFINE_CAP_SUPPORTED(doca_ec_cap_task_recover_is_supported, ec_task_recover)
DEFINE_CAP_SUPPORTED(doca_ec_cap_task_update_is_supported, ec_task_update)
DEFINE_CAP_SUPPORTED(doca_ec_cap_task_galois_mul_is_supported,
		     ec_task_galois_mul)
DEFINE_CAP_LIMIT(doca_ec_cap_get_max_block_size, ec_task_create, uint64_t,
		 block)
DEFINE_CAP_LIMIT(doca_ec_cap_get_max_buf_list_len, ec_task_create, uint32_t,
		 list_len)
