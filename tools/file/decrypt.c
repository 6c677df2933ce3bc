// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "commands.h"
#include "crypt.h"
#include "data/msg.h"

static void on_decrypted(struct doca_aes_gcm_task_decrypt *task,
			 union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)ctx_data;
	engine_ended(task_data.ptr);
}

static doca_error_t set_conf(struct crypt *crypt)
{
	return doca_aes_gcm_task_decrypt_set_conf(crypt->aes_gcm, on_decrypted,
						  on_decrypted,
						  crypt->engine.depth);
}

static doca_error_t make_task(struct crypt *crypt, struct slot *slot)
{
	struct doca_aes_gcm_task_decrypt *task;
	union doca_data data = { .ptr = slot };
	doca_error_t err;

	err = doca_aes_gcm_task_decrypt_alloc_init(crypt->aes_gcm, slot->src,
						   slot->dst, crypt->key, NULL,
						   0, CONTAINER_TAG,
						   CONTAINER_AAD, data, &task);
	if (err != DOCA_SUCCESS)
		return err;
	slot->typed = task;
	slot->task = doca_aes_gcm_task_decrypt_as_task(task);
	return DOCA_SUCCESS;
}

static int fill(void *arg, struct slot *slot)
{
	struct crypt *crypt = arg;
	uint8_t iv[CONTAINER_IV];
	int ret = crypt_fill(crypt, slot,
			     crypt->container.chunk + CONTAINER_TAG, iv);

	if (ret > 0)
		doca_aes_gcm_task_decrypt_set_iv(slot->typed, iv, sizeof(iv));
	return ret;
}

static int drain(void *arg, struct slot *slot)
{
	struct crypt *crypt = arg;

	return sink_write(&crypt->stream->out, slot->out + CONTAINER_AAD,
			  slot->out_len - CONTAINER_AAD);
}

/* If a file was cut off, a chunk is taken for the last one. */
static int failed(void *arg, struct slot *slot, doca_error_t err)
{
	struct crypt *crypt = arg;
	const char *why = "this chunk is not as it was encrypted";

	if (err != DOCA_ERROR_IO_FAILED)
		return fail_doca(err, "decryption failed");
	if (slot->offset == CONTAINER_HEADER)
		why = "the key is another one, or this chunk is not as it was encrypted";
	else if (slot->is_last)
		why = "this chunk is not as it was encrypted, or the end is missing";
	return input_damaged(&crypt->stream->in, slot->offset, why);
}

static int run(void *arg, struct stream *stream)
{
	struct crypt *crypt = arg;
	const struct engine_work work = { fill, drain, failed, crypt };
	struct input *in = &stream->in;
	const char *why;

	crypt->stream = stream;
	crypt->has_ended = false;
	if (input_look(in, CONTAINER_HEADER))
		return -1;
	why = container_read(&crypt->container, in->ahead, in->ahead_len);
	if (why)
		return fail("%s: %s", in->name, why);
	input_skip(in, CONTAINER_HEADER);
	return engine_run(&crypt->engine, &work);
}

int command_decrypt(const struct options *opts, struct doca_dev *dev)
{
	static const char *const removed[] = { ".enc", NULL };
	static const struct crypt_kind kind = { set_conf, make_task };
	struct crypt crypt = { 0 };
	int ret = -1;

	if (!crypt_open(&crypt, dev, opts, &kind)) {
		msg_expect_failures();
		ret = streams_run(opts, NULL, removed, run, &crypt);
	}
	crypt_close(&crypt);
	return ret;
}
