// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The task that encrypts a message, and makes its tag. */
#include <doca_error.h>

#include "aes_gcm.h"

LOG_SOURCE("AES_GCM::ENCRYPT");

struct doca_aes_gcm_task_encrypt {
	struct doca_task task;
	struct gcm_values gcm;
};

static doca_error_t encrypt_validate(const struct doca_task *task)
{
	const struct gcm_task *gcm = list_entry(task, struct gcm_task, task);
	struct task_bytes bytes;
	doca_error_t ret;

	ret = gcm_check(task, &bytes);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (bytes.src < gcm->gcm.aad_size)
		return FAIL(INVALID_VALUE,
			    "encrypt task %p: the source has %llu bytes, less "
			    "than its additional data, %u",
			    (const void *)task, (unsigned long long)bytes.src,
			    gcm->gcm.aad_size);
	return gcm_check_room(task, &bytes, bytes.src + gcm->gcm.tag_size);
}

/* Nothing is lost where the same message is sealed again, nor where it was not sealed before. */
static void encrypt_finish(struct doca_task *task, uint32_t length,
			   const uint64_t *result)
{
	struct gcm_values *gcm = &list_entry(task, struct gcm_task, task)->gcm;

	if (doca_unlikely(doca_priv_debug) && gcm->held &&
	    task->status == DOCA_SUCCESS &&
	    gcm_key_has_sealed(gcm->held, gcm->iv))
		LOG_(log_once(&gcm->held->told),
		     "encrypt task %p: key %p has sealed a message with this "
		     "initialization vector before; each message must have "
		     "another one",
		     (void *)task, (void *)gcm->held);
	gcm_finish(task, length, result);
}

DEFINE_TASK(doca_aes_gcm_task_encrypt)

const struct task_type gcm_encrypt = {
	TASK_OBJECT(doca_aes_gcm_task_encrypt),
	.name = "encrypt",
	.src = { .name = "source", .list = true, .data = true, .empty = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = encrypt_validate,
	.finish = encrypt_finish,
	.ring = {
		.opcode = DOCA_OP_GCM_ENCRYPT,
		.prepare = gcm_prepare,
		.unkeyed = gcm_unkeyed,
	},
};

DEFINE_SET_CONF(doca_aes_gcm_task_encrypt_set_conf, doca_aes_gcm, GCM_ENCRYPT,
		doca_aes_gcm_task_encrypt)
DEFINE_AS_TASK(doca_aes_gcm_task_encrypt_as_task, doca_aes_gcm_task_encrypt)
DEFINE_SET_BUF(doca_aes_gcm_task_encrypt_set_src, doca_aes_gcm_task_encrypt,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_aes_gcm_task_encrypt_get_src, doca_aes_gcm_task_encrypt,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_aes_gcm_task_encrypt_set_dst, doca_aes_gcm_task_encrypt,
	       struct doca_buf, dst)
DEFINE_GET_BUF(doca_aes_gcm_task_encrypt_get_dst, doca_aes_gcm_task_encrypt,
	       struct doca_buf, dst)
DEFINE_TASK_GET(doca_aes_gcm_task_encrypt_get_key, doca_aes_gcm_task_encrypt,
		struct doca_aes_gcm_key *, gcm.key)
DEFINE_TASK_SET(doca_aes_gcm_task_encrypt_set_tag_size,
		doca_aes_gcm_task_encrypt, uint32_t, gcm.tag_size)
DEFINE_TASK_GET(doca_aes_gcm_task_encrypt_get_tag_size,
		doca_aes_gcm_task_encrypt, uint32_t, gcm.tag_size)
DEFINE_TASK_SET(doca_aes_gcm_task_encrypt_set_aad_size,
		doca_aes_gcm_task_encrypt, uint32_t, gcm.aad_size)
DEFINE_TASK_GET(doca_aes_gcm_task_encrypt_get_aad_size,
		doca_aes_gcm_task_encrypt, uint32_t, gcm.aad_size)
DEFINE_SET_KEY(doca_aes_gcm_task_encrypt_set_key, doca_aes_gcm_task_encrypt)
DEFINE_SET_IV(doca_aes_gcm_task_encrypt_set_iv, doca_aes_gcm_task_encrypt)
DEFINE_GET_IV(doca_aes_gcm_task_encrypt_get_iv, doca_aes_gcm_task_encrypt)
DEFINE_ALLOC_GCM(doca_aes_gcm_task_encrypt_alloc_init, GCM_ENCRYPT,
		 doca_aes_gcm_task_encrypt)
