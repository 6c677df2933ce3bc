// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "commands.h"
#include "crypt.h"
#include "data/msg.h"

static void on_encrypted(struct doca_aes_gcm_task_encrypt *task,
			 union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

static doca_error_t set_conf(struct crypt *crypt)
{
	return doca_aes_gcm_task_encrypt_set_conf(crypt->aes_gcm, on_encrypted,
						  on_encrypted,
						  crypt->engine.depth);
}

static doca_error_t make_task(struct crypt *crypt, struct slot *slot)
{
	struct doca_aes_gcm_task_encrypt *task;
	union doca_data data = { .ptr = slot };
	doca_error_t err;

	err = doca_aes_gcm_task_encrypt_alloc_init(crypt->aes_gcm, slot->src,
						   slot->dst, crypt->key, NULL,
						   0, CONTAINER_TAG,
						   CONTAINER_AAD, data, &task);
	if (err != DOCA_SUCCESS)
		return err;
	slot->typed = task;
	slot->task = doca_aes_gcm_task_encrypt_as_task(task);
	return DOCA_SUCCESS;
}

static int fill(void *arg, struct slot *slot)
{
	struct crypt *crypt = arg;
	uint8_t iv[CONTAINER_IV];
	int ret = crypt_fill(crypt, slot, crypt->container.chunk, iv);

	if (ret > 0)
		doca_aes_gcm_task_encrypt_set_iv(slot->typed, iv, sizeof(iv));
	return ret;
}

static int drain(void *arg, struct slot *slot)
{
	struct crypt *crypt = arg;

	return sink_write(&crypt->stream->out, slot->out + CONTAINER_AAD,
			  slot->out_len - CONTAINER_AAD);
}

static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	(void)arg;
	(void)slot;
	return fail_doca(err, "encryption failed");
}

static int run(void *arg, struct stream *stream)
{
	struct crypt *crypt = arg;
	const struct engine_work work = { fill, drain, failed, crypt };

	crypt->stream = stream;
	crypt->has_ended = false;
	if (container_new(&crypt->container) ||
	    sink_write(&stream->out, crypt->container.header, CONTAINER_HEADER))
		return -1;
	return engine_run(&crypt->engine, &work);
}

int command_encrypt(const struct options *opts, struct doca_dev *dev)
{
	static const struct crypt_kind kind = { set_conf, make_task };
	struct crypt crypt = { 0 };
	int ret = -1;

	if (!crypt_open(&crypt, dev, opts, &kind))
		ret = streams_run(opts, ".enc", NULL, run, &crypt);
	crypt_close(&crypt);
	return ret;
}
