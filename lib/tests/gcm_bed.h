/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Contexts of AES-GCM on the fake driver, with a key and one task of each kind. */
#ifndef DOCA_TESTS_GCM_BED_H
#define DOCA_TESTS_GCM_BED_H

#include <doca_aes_gcm.h>

#include "bed.h"

#define OPS (1ULL << DOCA_OP_GCM_ENCRYPT | 1ULL << DOCA_OP_GCM_DECRYPT)
#define ALL (1 << 1 | 1 << 2 | 1 << 12 | 1 << 16)
#define AAD 13

static struct doca_aes_gcm *gcm;
static struct doca_aes_gcm_key *key;
static const union doca_data seven = { .u64 = 7 };
static const uint8_t raw[32] = { 7, 9, 11 }, iv[13] = { 1, 2, 3 };

static inline void begin(uint64_t variants)
{
	set_up(false, 1);
	fake.copies = OPS;
	fake.variants = variants;
	OK(doca_aes_gcm_create(&fake_dev, &gcm));
	use_ctx(doca_aes_gcm_as_ctx(gcm));
}

static inline void end(void)
{
	OK(doca_aes_gcm_destroy(gcm));
	EXPECT_EQ(fake.objects, 0);
	tear_down();
}

#define KIND(kind)                                                                                \
	static void kind##_done(struct doca_aes_gcm_task_##kind *task, union doca_data task_data, \
				union doca_data ctx_data)                                         \
	{                                                                                         \
		(void)ctx_data;                                                                   \
		record('S');                                                                      \
		bed.status = doca_task_get_status(doca_aes_gcm_task_##kind##_as_task(task));      \
		EXPECT_EQ(task_data.u64, 7);                                                      \
	}                                                                                         \
                                                                                                  \
	static void kind##_failed(struct doca_aes_gcm_task_##kind *task,                          \
				  union doca_data task_data, union doca_data ctx_data)            \
	{                                                                                         \
		kind##_done(task, task_data, ctx_data);                                           \
		bed.log[bed.n - 1] = 'E';                                                         \
	}                                                                                         \
                                                                                                  \
	static struct doca_aes_gcm_task_##kind *new_##kind(const struct doca_buf *src,            \
							   struct doca_buf *dst)                  \
	{                                                                                         \
		struct doca_aes_gcm_task_##kind *task = NULL;                                     \
                                                                                                  \
		OK(doca_aes_gcm_task_##kind##_alloc_init(gcm, src, dst, key, iv, 12, 16, AAD,     \
							 seven, &task));                          \
		return task;                                                                      \
	}                                                                                         \
                                                                                                  \
	static void free_##kind(struct doca_aes_gcm_task_##kind *task)                            \
	{                                                                                         \
		doca_task_free(doca_aes_gcm_task_##kind##_as_task(task));                         \
	}

KIND(encrypt)
KIND(decrypt)

/* One task of each kind, and a key. */
static inline void begin_tasks(void)
{
	begin(ALL);
	OK(doca_aes_gcm_task_encrypt_set_conf(gcm, encrypt_done, encrypt_failed, 1));
	OK(doca_aes_gcm_task_decrypt_set_conf(gcm, decrypt_done, decrypt_failed, 1));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	OK(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key));
}

static inline void end_tasks(void)
{
	OK(doca_aes_gcm_key_destroy(key));
	OK(doca_ctx_stop(bed.ctx));
	drain(bed.pe);
	took();
	end();
}

static inline void run_task(struct doca_task *task, const char *end)
{
	OK(doca_task_submit(task));
	drain(bed.pe);
	EXPECT_STR(took(), end);
}

#endif /* DOCA_TESTS_GCM_BED_H */
