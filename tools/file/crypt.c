// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "crypt.h"
#include "data/msg.h"
#include "key.h"

int crypt_open(struct crypt *crypt, struct doca_dev *dev,
	       const struct options *opts, const struct crypt_kind *kind)
{
	size_t size = CONTAINER_AAD + CONTAINER_CHUNK + CONTAINER_TAG;
	struct engine *engine = &crypt->engine;
	doca_error_t err;
	unsigned int i;

	if (engine_open(engine, dev, ENGINE_DEPTH, size, size))
		return -1;
	err = doca_aes_gcm_create(dev, &crypt->aes_gcm);
	if (err == DOCA_SUCCESS)
		err = kind->set_conf(crypt);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot use AES-GCM");
	if (key_load(crypt->aes_gcm, opts->key, &crypt->key) ||
	    engine_start(engine, doca_aes_gcm_as_ctx(crypt->aes_gcm)))
		return -1;
	for (i = 0; i < engine->depth && err == DOCA_SUCCESS; i++)
		err = kind->make_task(crypt, &engine->slots[i]);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot get a task");
}

void crypt_close(struct crypt *crypt)
{
	engine_stop(&crypt->engine);
	if (crypt->key)
		doca_aes_gcm_key_destroy(crypt->key);
	if (crypt->aes_gcm)
		doca_aes_gcm_destroy(crypt->aes_gcm);
	engine_close(&crypt->engine);
}

int crypt_fill(struct crypt *crypt, struct slot *slot, size_t size,
	       uint8_t iv[CONTAINER_IV])
{
	struct input *in = &crypt->stream->in;
	int at_end;

	if (crypt->has_ended)
		return 0;
	slot->offset = in->offset;
	if (input_read(in, slot->in + CONTAINER_AAD, size, &slot->length))
		return -1;
	at_end = input_is_at_end(in);
	if (at_end < 0)
		return -1;
	slot->is_last = crypt->has_ended = at_end;
	if (!container_next(&crypt->container, at_end, slot->in, iv))
		return fail("%s has more data than a key may be used for",
			    in->name);
	if (slot_source(slot, 0, CONTAINER_AAD + slot->length) ||
	    slot_room(slot, 0))
		return -1;
	return 1;
}
