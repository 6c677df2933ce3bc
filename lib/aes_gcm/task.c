// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Values, checks and entries of the tasks of both kinds. */
#include <string.h>

#include <doca_error.h>

#include "aes_gcm.h"

LOG_SOURCE("AES_GCM::TASK");

static struct gcm_values *values_of(const struct doca_task *task)
{
	return &list_entry(task, struct gcm_task, task)->gcm;
}

bool gcm_iv_is_valid(const uint8_t *iv, uint32_t length,
		     const struct log_site *site)
{
	if (length > GCM_IV) {
		LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
		       "%s(): invalid argument: a vector of %u bytes; it has "
		       "12",
		       site->func, length);
		return false;
	}
	return !length || given_at(iv, "iv", site);
}

/* Return why the values cannot be executed; NULL if they can. */
static const char *fault(const struct doca_task *task)
{
	const struct gcm_values *gcm = values_of(task);

	if (!gcm->key)
		return "the key is missing";
	if (&gcm->key->aes_gcm->ctx != task->ctx)
		return "the key was made for another context";
	if (gcm->iv_length != GCM_IV)
		return "the initialization vector must have 12 bytes";
	if (gcm->tag_size != GCM_TAG && gcm->tag_size != GCM_TAG_SHORT)
		return "the tag must have 12 or 16 bytes";
	if (gcm->aad_size > GCM_MAX_AAD)
		return "the additional data has more than 65536 bytes";
	return NULL;
}

doca_error_t gcm_check(const struct doca_task *task, struct task_bytes *bytes)
{
	doca_error_t ret = doca_priv_task_check(task, bytes);
	const char *why;

	if (ret != DOCA_SUCCESS)
		return ret;
	why = fault(task);
	if (!why)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE, "%s task %p: %s", task->type->name,
		    (const void *)task, why);
}

doca_error_t gcm_check_room(const struct doca_task *task,
			    const struct task_bytes *bytes, uint64_t output)
{
	if (bytes->dst >= output)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "%s task %p: the destination has room for %llu bytes, the "
		    "result has %llu",
		    task->type->name, (const void *)task,
		    (unsigned long long)bytes->dst, (unsigned long long)output);
}

void gcm_prepare(struct doca_task *task, struct doca_sqe *sqe,
		 struct doca_seg *run, uint32_t first)
{
	struct gcm_values *gcm = values_of(task);
	const char *why = fault(task);

	task_prepare_data(task, sqe, run, first);
	sqe->flags |= GCM_IV << DOCA_SQE_GCM_IV_SHIFT;
	if (doca_unlikely(why)) {
		LOG_ERR("%s task %p: %s", task->type->name, (void *)task, why);
		sqe->flags &= ~DOCA_SQE_SRC_LIST;
		sqe->src = (struct doca_seg){ .length = 1 };
		return;
	}
	if (gcm->tag_size == GCM_TAG_SHORT)
		sqe->flags |= DOCA_SQE_GCM_TAG_12;
	sqe->aux = gcm->key->object.id;
	memcpy(sqe->gcm.iv, gcm->iv, GCM_IV);
	sqe->gcm.aad_length = gcm->aad_size;
	gcm->key->inflight++;
	gcm->held = gcm->key;
}

bool gcm_unkeyed(const struct doca_task *task)
{
	return !values_of(task)->held;
}

void gcm_finish(struct doca_task *task, uint32_t length, const uint64_t *result)
{
	struct gcm_values *gcm = values_of(task);

	(void)result;
	if (gcm->held)
		gcm->held->inflight--;
	gcm->held = NULL;
	task_finish_bufs(task, length);
}
