/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_AES_GCM_AES_GCM_H
#define DOCA_AES_GCM_AES_GCM_H

#include <doca_aes_gcm.h>

#include "core/driver/driver.h"
#include "core/exec/library.h"
#include "core/exec/task_bufs.h"

enum {
	GCM_ENCRYPT,
	GCM_DECRYPT,
	GCM_TASKS,
};

#define GCM_IV 12 /* bytes */
#define GCM_TAG 16 /* bytes */
#define GCM_TAG_SHORT 12
#define GCM_MAX_AAD 65536

struct doca_aes_gcm {
	struct doca_ctx ctx;
	struct task_pool pools[GCM_TASKS];
	uint32_t keys; /* number of those that are not destroyed */
};

#define GCM_SEEN 1024

/* Vectors of the last messages that were sealed. */
struct gcm_seen {
	uint8_t iv[GCM_SEEN][GCM_IV];
	uint64_t nr; /* number of all messages */
};

/* The driver has the key itself. */
struct doca_aes_gcm_key {
	struct doca_aes_gcm *aes_gcm;
	struct driver_object object;
	uint32_t inflight; /* number of tasks in flight that name it */
	bool told; /* a vector has sealed twice, and was logged */
	struct gcm_seen seen[]; /* one in debug mode, else none */
};

/* Values of a task. */
struct gcm_values {
	struct doca_aes_gcm_key *key; /* or NULL */
	struct doca_aes_gcm_key *held; /* in flight */
	uint8_t iv[GCM_IV];
	uint32_t iv_length;
	uint32_t tag_size;
	uint32_t aad_size;
};

/* A task of either kind begins so. */
struct gcm_task {
	struct doca_task task;
	struct gcm_values gcm;
};

extern const struct object_type doca_aes_gcm_object;
extern const struct object_type gcm_key_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES \
	CORE_OBJECT_TYPES, OBJECT_TYPE(doca_aes_gcm_key, gcm_key_object)

extern const struct task_type gcm_encrypt;
extern const struct task_type gcm_decrypt;

/* key.c */

/*
 * In debug mode: note that a vector has sealed a message. Return true if it had sealed one of the
 * last GCM_SEEN before.
 */
bool gcm_key_has_sealed(struct doca_aes_gcm_key *key, const uint8_t *iv);

/* task.c */

/* Check what tasks of both kinds need; *bytes becomes what their buffers have. */
doca_error_t gcm_check(const struct doca_task *task, struct task_bytes *bytes);

/* Check that the destination has room for so many bytes. */
doca_error_t gcm_check_room(const struct doca_task *task,
			    const struct task_bytes *bytes, uint64_t output);

/* Functions of both types. */
void gcm_prepare(struct doca_task *task, struct doca_sqe *sqe,
		 struct doca_seg *run, uint32_t first);
bool gcm_unkeyed(const struct doca_task *task);
void gcm_finish(struct doca_task *task, uint32_t length,
		const uint64_t *result);

/* Return true if a vector is one that a task can be given; log why not. */
bool gcm_iv_is_valid(const uint8_t *iv, uint32_t length,
		     const struct log_site *site);

/* Functions that those of core/exec/library.h do not have, of a task and of capabilities: */

/* NAME(task, key); NULL takes the key away */
#define DEFINE_SET_KEY(name, tsk)                                         \
	void name(struct tsk *task, struct doca_aes_gcm_key *key)         \
	{                                                                 \
		static const struct log_site site = LOG_SITE;             \
                                                                          \
		if (task_may_set(TASK_OF(task), &tsk##_object_, &site) && \
		    valid_or_null(key))                                   \
			task->gcm.key = key;                              \
	}

/* NAME(task, iv, length) */
#define DEFINE_SET_IV(name, tsk)                                           \
	void name(struct tsk *task, const uint8_t *iv, uint32_t iv_length) \
	{                                                                  \
		static const struct log_site site = LOG_SITE;              \
                                                                           \
		if (task_may_set(TASK_OF(task), &tsk##_object_, &site) &&  \
		    gcm_iv_is_valid(iv, iv_length, &site))                 \
			gcm_set_iv(&task->gcm, iv, iv_length);             \
	}

/* NAME(task, &length); NULL if an argument is invalid */
#define DEFINE_GET_IV(name, tsk)                                         \
	const uint8_t *name(const struct tsk *task, uint32_t *iv_length) \
	{                                                                \
		static const struct log_site site = LOG_SITE;            \
                                                                         \
		if (!task_is(TASK_OF(task), &tsk##_object_, &site) ||    \
		    !given(iv_length))                                   \
			return NULL;                                     \
		*iv_length = task->gcm.iv_length;                        \
		return task->gcm.iv;                                     \
	}

/* NAME(object, src, dst, key, iv, length, tag_size, aad_size, user_data, &task) */
#define DEFINE_ALLOC_GCM(name, pool, tsk)                                   \
	DEFINE_ALLOC(doca_aes_gcm, pool, tsk)                               \
	doca_error_t name(struct doca_aes_gcm *aes_gcm,                     \
			  const struct doca_buf *src, struct doca_buf *dst, \
			  struct doca_aes_gcm_key *key, const uint8_t *iv,  \
			  uint32_t iv_length, uint32_t tag_size,            \
			  uint32_t aad_size, union doca_data user_data,     \
			  struct tsk **task)                                \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
		doca_error_t ret;                                           \
                                                                            \
		if (!valid_or_null(src) || !valid_or_null(dst) ||           \
		    !valid_or_null(key) ||                                  \
		    !gcm_iv_is_valid(iv, iv_length, &site))                 \
			return DOCA_ERROR_INVALID_VALUE;                    \
		ret = tsk##_alloc_(aes_gcm, user_data, task, &site);        \
		if (ret != DOCA_SUCCESS)                                    \
			return ret;                                         \
		task_set_src(&(*task)->task, src);                          \
		task_set_dst(&(*task)->task, dst);                          \
		(*task)->gcm = (struct gcm_values){                         \
			.key = key,                                         \
			.tag_size = tag_size,                               \
			.aad_size = aad_size,                               \
		};                                                          \
		gcm_set_iv(&(*task)->gcm, iv, iv_length);                   \
		return DOCA_SUCCESS;                                        \
	}

/* NAME(devinfo): SUCCESS if the device has tags of so many bytes */
#define DEFINE_CAP_TAG(name, type, bytes)                         \
	doca_error_t name(const struct doca_devinfo *devinfo)     \
	{                                                         \
		static const struct log_site site = LOG_SITE;     \
                                                                  \
		return ask_variant(devinfo, &type, bytes, &site); \
	}

/* NAME(devinfo, type of keys) */
#define DEFINE_CAP_KEY(name, type)                               \
	doca_error_t name(const struct doca_devinfo *devinfo,    \
			  enum doca_aes_gcm_key_type key_type)   \
	{                                                        \
		static const struct log_site site = LOG_SITE;    \
                                                                 \
		return ask_key(devinfo, &type, key_type, &site); \
	}

/* NAME(devinfo, &length) */
#define DEFINE_CAP_IV(name, type)                                         \
	doca_error_t name(const struct doca_devinfo *devinfo,             \
			  uint32_t *max_iv_len)                           \
	{                                                                 \
		static const struct log_site site = LOG_SITE;             \
                                                                          \
		return ask_max_iv_len(devinfo, &type, max_iv_len, &site); \
	}

/* NAME(devinfo, &size): what a message may have, without its tag of so many bytes */
#define DEFINE_CAP_SIZE(name, type, tag)                                   \
	doca_error_t name(const struct doca_devinfo *devinfo,              \
			  uint64_t *max_buf_size)                          \
	{                                                                  \
		static const struct log_site site = LOG_SITE;              \
                                                                           \
		return ask_max_buf_size(devinfo, &type, tag, max_buf_size, \
					&site);                            \
	}

static inline void gcm_set_iv(struct gcm_values *gcm, const uint8_t *iv,
			      uint32_t length)
{
	uint32_t i;

	for (i = 0; i < length; i++)
		gcm->iv[i] = iv[i];
	gcm->iv_length = length;
}

#endif /* DOCA_AES_GCM_AES_GCM_H */
