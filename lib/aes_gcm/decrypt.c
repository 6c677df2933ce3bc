// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task that decrypts a message whose tag is right. */
#include <doca_error.h>

#include "aes_gcm.h"

LOG_SOURCE("AES_GCM::DECRYPT");

struct doca_aes_gcm_task_decrypt {
	struct doca_task task;
	struct gcm_values gcm;
};

/* The sender chooses how long a source is: one too short for its tag fails as a wrong tag does. */
static doca_error_t decrypt_validate(const struct doca_task *task)
{
	const struct gcm_task *gcm = list_entry(task, struct gcm_task, task);
	struct task_bytes bytes;
	doca_error_t ret;

	ret = gcm_check(task, &bytes);
	if (ret != DOCA_SUCCESS ||
	    bytes.src < (uint64_t)gcm->gcm.aad_size + gcm->gcm.tag_size)
		return ret;
	return gcm_check_room(task, &bytes, bytes.src - gcm->gcm.tag_size);
}

DEFINE_TASK(doca_aes_gcm_task_decrypt)

const struct task_type gcm_decrypt = {
	TASK_OBJECT(doca_aes_gcm_task_decrypt),
	.name = "decrypt",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = decrypt_validate,
	.finish = gcm_finish,
	.ring = {
		.opcode = DOCA_OP_GCM_DECRYPT,
		.prepare = gcm_prepare,
		.unkeyed = gcm_unkeyed,
	},
};

DEFINE_SET_CONF(doca_aes_gcm_task_decrypt_set_conf, doca_aes_gcm, GCM_DECRYPT,
		doca_aes_gcm_task_decrypt)
DEFINE_AS_TASK(doca_aes_gcm_task_decrypt_as_task, doca_aes_gcm_task_decrypt)
DEFINE_SET_BUF(doca_aes_gcm_task_decrypt_set_src, doca_aes_gcm_task_decrypt,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_aes_gcm_task_decrypt_get_src, doca_aes_gcm_task_decrypt,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_aes_gcm_task_decrypt_set_dst, doca_aes_gcm_task_decrypt,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_aes_gcm_task_decrypt_get_dst, doca_aes_gcm_task_decrypt,
	       struct doca_buf, dst)
DEFINE_TASK_GET(doca_aes_gcm_task_decrypt_get_key, doca_aes_gcm_task_decrypt,
		struct doca_aes_gcm_key *, gcm.key)
DEFINE_TASK_SET(doca_aes_gcm_task_decrypt_set_tag_size,
		doca_aes_gcm_task_decrypt, uint32_t, gcm.tag_size)
DEFINE_TASK_GET(doca_aes_gcm_task_decrypt_get_tag_size,
		doca_aes_gcm_task_decrypt, uint32_t, gcm.tag_size)
DEFINE_TASK_SET(doca_aes_gcm_task_decrypt_set_aad_size,
		doca_aes_gcm_task_decrypt, uint32_t, gcm.aad_size)
DEFINE_TASK_GET(doca_aes_gcm_task_decrypt_get_aad_size,
		doca_aes_gcm_task_decrypt, uint32_t, gcm.aad_size)
DEFINE_SET_KEY(doca_aes_gcm_task_decrypt_set_key, doca_aes_gcm_task_decrypt)
DEFINE_SET_IV(doca_aes_gcm_task_decrypt_set_iv, doca_aes_gcm_task_decrypt)
DEFINE_GET_IV(doca_aes_gcm_task_decrypt_get_iv, doca_aes_gcm_task_decrypt)
DEFINE_ALLOC_GCM(doca_aes_gcm_task_decrypt_alloc_init, GCM_DECRYPT,
		 doca_aes_gcm_task_decrypt)
