// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Kinds of tasks that compute, for compute_way.c. */
#include <doca_aes_gcm.h>
#include <doca_compress.h>
#include <doca_erasure_coding.h>
#include <doca_error.h>
#include <doca_sha.h>

#include "compute_way.h"
#include "sample_data.h"

#define TAG 16
#define EC_DATA 8
#define EC_RDNC 2

/* The callback of a kind, on success and on failure. */
#define ENDED(kind)                                         \
	static void kind##_ended(struct doca_##kind *task,  \
				 union doca_data task_data, \
				 union doca_data ctx_data)  \
	{                                                   \
		(void)task;                                 \
		(void)ctx_data;                             \
		compute_ended(task_data.ptr);               \
	}

ENDED(sha_task_hash)
ENDED(compress_task_compress_deflate)
ENDED(compress_task_decompress_deflate)
ENDED(compress_task_decompress_lz4_block)
ENDED(ec_task_create)
ENDED(aes_gcm_task_encrypt)

static size_t as_large(size_t size)
{
	return size;
}

static uint8_t binary_log(unsigned int nr)
{
	uint8_t log = 0;

	while (1U << log < nr)
		log++;
	return log;
}

static doca_error_t create_sha(struct compute_way *cw, unsigned int tasks)
{
	struct doca_sha *sha;
	doca_error_t err = doca_sha_create(cw->dev, &sha);

	if (err != DOCA_SUCCESS)
		return err;
	cw->object = sha;
	cw->ctx = doca_sha_as_ctx(sha);
	return doca_sha_task_hash_set_conf(sha, sha_task_hash_ended,
					   sha_task_hash_ended,
					   binary_log(tasks));
}

static doca_error_t make_hash(struct compute_way *cw, struct compute_task *task,
			      enum doca_sha_algorithm algorithm)
{
	union doca_data self = { .ptr = task };
	struct doca_sha_task_hash *hash;
	doca_error_t err = doca_sha_task_hash_alloc_init(
		cw->object, algorithm, task->src, task->dst, self, &hash);

	if (err == DOCA_SUCCESS)
		task->task = doca_sha_task_hash_as_task(hash);
	return err;
}

static doca_error_t make_sha256(struct compute_way *cw,
				struct compute_task *task)
{
	return make_hash(cw, task, DOCA_SHA_ALGORITHM_SHA256);
}

static doca_error_t make_sha512(struct compute_way *cw,
				struct compute_task *task)
{
	return make_hash(cw, task, DOCA_SHA_ALGORITHM_SHA512);
}

static void destroy_sha(struct compute_way *cw)
{
	doca_sha_destroy(cw->object);
}

static doca_error_t create_compress(struct compute_way *cw)
{
	struct doca_compress *compress;
	doca_error_t err = doca_compress_create(cw->dev, &compress);

	if (err != DOCA_SUCCESS)
		return err;
	cw->object = compress;
	cw->ctx = doca_compress_as_ctx(compress);
	return DOCA_SUCCESS;
}

static void destroy_compress(struct compute_way *cw)
{
	doca_compress_destroy(cw->object);
}

/* Functions of a task of compression. */
#define COMPRESS(kind)                                                       \
	static doca_error_t create_##kind(struct compute_way *cw,            \
					  unsigned int tasks)                \
	{                                                                    \
		doca_error_t err = create_compress(cw);                      \
                                                                             \
		return err != DOCA_SUCCESS ?                                 \
			       err :                                         \
			       doca_compress_task_##kind##_set_conf(         \
				       cw->object,                           \
				       compress_task_##kind##_ended,         \
				       compress_task_##kind##_ended, tasks); \
	}                                                                    \
	static doca_error_t make_##kind(struct compute_way *cw,              \
					struct compute_task *task)           \
	{                                                                    \
		struct doca_compress_task_##kind *typed;                     \
		union doca_data self = { .ptr = task };                      \
		doca_error_t err = doca_compress_task_##kind##_alloc_init(   \
			cw->object, task->src, task->dst, self, &typed);     \
                                                                             \
		if (err == DOCA_SUCCESS)                                     \
			task->task =                                         \
				doca_compress_task_##kind##_as_task(typed);  \
		return err;                                                  \
	}

COMPRESS(compress_deflate)
COMPRESS(decompress_deflate)
COMPRESS(decompress_lz4_block)

static size_t deflate_size(size_t size)
{
	return size + size / 1024 + 64;
}

static doca_error_t create_ec(struct compute_way *cw, unsigned int tasks)
{
	struct doca_ec_matrix *matrix;
	struct doca_ec *ec;
	doca_error_t err = doca_ec_create(cw->dev, &ec);

	if (err != DOCA_SUCCESS)
		return err;
	cw->object = ec;
	cw->ctx = doca_ec_as_ctx(ec);
	err = doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, EC_DATA,
				    EC_RDNC, &matrix);
	if (err != DOCA_SUCCESS)
		return err;
	cw->second = matrix;
	return doca_ec_task_create_set_conf(ec, ec_task_create_ended,
					    ec_task_create_ended, tasks);
}

static doca_error_t make_ec(struct compute_way *cw, struct compute_task *task)
{
	union doca_data self = { .ptr = task };
	struct doca_ec_task_create *create;
	doca_error_t err = doca_ec_task_create_allocate_init(
		cw->object, cw->second, task->src, task->dst, self, &create);

	if (err == DOCA_SUCCESS)
		task->task = doca_ec_task_create_as_task(create);
	return err;
}

static void destroy_ec(struct compute_way *cw)
{
	if (cw->second)
		doca_ec_matrix_destroy(cw->second);
	doca_ec_destroy(cw->object);
}

static doca_error_t create_gcm(struct compute_way *cw, unsigned int tasks)
{
	static const uint8_t raw[32];
	struct doca_aes_gcm_key *key;
	struct doca_aes_gcm *gcm;
	doca_error_t err = doca_aes_gcm_create(cw->dev, &gcm);

	if (err != DOCA_SUCCESS)
		return err;
	cw->object = gcm;
	cw->ctx = doca_aes_gcm_as_ctx(gcm);
	err = doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key);
	if (err != DOCA_SUCCESS)
		return err;
	cw->second = key;
	return doca_aes_gcm_task_encrypt_set_conf(gcm,
						  aes_gcm_task_encrypt_ended,
						  aes_gcm_task_encrypt_ended,
						  tasks);
}

/* Only a measurement may use one vector for all messages. */
static doca_error_t make_gcm(struct compute_way *cw, struct compute_task *task)
{
	static const uint8_t iv[12];
	union doca_data self = { .ptr = task };
	struct doca_aes_gcm_task_encrypt *encrypt;
	doca_error_t err = doca_aes_gcm_task_encrypt_alloc_init(
		cw->object, task->src, task->dst, cw->second, iv, sizeof(iv),
		TAG, 0, self, &encrypt);

	if (err == DOCA_SUCCESS)
		task->task = doca_aes_gcm_task_encrypt_as_task(encrypt);
	return err;
}

static void destroy_gcm(struct compute_way *cw)
{
	if (cw->second)
		doca_aes_gcm_key_destroy(cw->second);
	doca_aes_gcm_destroy(cw->object);
}

static size_t gcm_size(size_t size)
{
	return size + TAG;
}

const struct compute_kind compute_sha256 = {
	.operation = "sha256",
	.name = "doca_sha",
	.out_size = as_large,
	.fill = sample_text,
	.create = create_sha,
	.make = make_sha256,
	.destroy = destroy_sha,
};

const struct compute_kind compute_sha512 = {
	.operation = "sha512",
	.name = "doca_sha",
	.out_size = as_large,
	.fill = sample_text,
	.create = create_sha,
	.make = make_sha512,
	.destroy = destroy_sha,
};

const struct compute_kind compute_deflate = {
	.operation = "deflate",
	.name = "doca_compress",
	.out_size = deflate_size,
	.fill = sample_text,
	.create = create_compress_deflate,
	.make = make_compress_deflate,
	.destroy = destroy_compress,
};

const struct compute_kind compute_inflate = {
	.operation = "inflate",
	.name = "doca_compress",
	.out_size = deflate_size,
	.fill = sample_deflate,
	.create = create_decompress_deflate,
	.make = make_decompress_deflate,
	.destroy = destroy_compress,
};

const struct compute_kind compute_lz4 = {
	.operation = "lz4",
	.name = "doca_compress",
	.out_size = as_large,
	.fill = sample_lz4,
	.create = create_decompress_lz4_block,
	.make = make_decompress_lz4_block,
	.destroy = destroy_compress,
};

const struct compute_kind compute_ec = {
	.operation = "ec 8+2",
	.name = "doca_ec",
	.out_size = as_large,
	.fill = sample_text,
	.create = create_ec,
	.make = make_ec,
	.destroy = destroy_ec,
};

const struct compute_kind compute_gcm = {
	.operation = "gcm",
	.name = "doca_aes_gcm",
	.out_size = gcm_size,
	.fill = sample_text,
	.create = create_gcm,
	.make = make_gcm,
	.destroy = destroy_gcm,
};
