// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Keys: the driver copies them, and the library has their numbers alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "aes_gcm.h"
#include "core/base/errno_text.h"
#include "core/device/dev.h"

LOG_SOURCE("AES_GCM::KEY");

static doca_error_t check_type(const struct doca_aes_gcm *aes_gcm,
			       enum doca_aes_gcm_key_type type)
{
	const struct task_limits *limits = &aes_gcm->pools[GCM_ENCRYPT].limits;

	if (type != DOCA_AES_GCM_KEY_128 && type != DOCA_AES_GCM_KEY_256)
		return FAIL(INVALID_VALUE,
			    "doca_aes_gcm_key_create(): invalid argument: "
			    "there is no type %d of keys",
			    (int)type);
	if (limits->variants >> type & 1)
		return DOCA_SUCCESS;
	return FAIL(NOT_SUPPORTED,
		    "doca_aes_gcm_key_create(): the device does not have keys "
		    "of type %d",
		    (int)type);
}

static doca_error_t make_failed(int err)
{
	switch (err) {
	case -EDQUOT:
		return FAIL(NO_MEMORY,
			    "cannot make a key: the user has too many objects "
			    "of operations (max_objects, max_ring_bytes)");
	case -ENOMEM:
	case -ENOSPC:
		return FAIL(NO_MEMORY, "cannot make a key: %s",
			    errno_text(err));
	default:
		return FAIL(DRIVER, "cannot make a key: %s", errno_text(err));
	}
}

static doca_error_t make(struct doca_aes_gcm_key *key, const void *raw_key,
			 enum doca_aes_gcm_key_type type)
{
	struct doca_object_create create = {
		.device_id = key->aes_gcm->ctx.dev->info.id,
		.type = DOCA_OBJECT_GCM_KEY,
		.data = (uintptr_t)raw_key,
		.length = type == DOCA_AES_GCM_KEY_128 ? 16 : 32,
	};
	int err = driver_object_create(&create, &key->object);

	return err ? make_failed(err) : DOCA_SUCCESS;
}

static size_t key_size(void)
{
	size_t seen = doca_priv_debug ? sizeof(struct gcm_seen) : 0;

	return sizeof(struct doca_aes_gcm_key) + seen;
}

doca_error_t doca_aes_gcm_key_create(struct doca_aes_gcm *aes_gcm,
				     const void *raw_key,
				     enum doca_aes_gcm_key_type type,
				     struct doca_aes_gcm_key **key)
{
	struct doca_aes_gcm_key *new;
	doca_error_t ret;

	if (!valid_ctx(aes_gcm, doca_aes_gcm) || !given(raw_key) || !given(key))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_type(aes_gcm, type);
	if (ret != DOCA_SUCCESS)
		return ret;
	new = calloc(1, key_size());
	if (!new)
		return FAIL(NO_MEMORY, "out of memory for a key");
	new->aes_gcm = aes_gcm;
	ret = make(new, raw_key, type);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	aes_gcm->keys++;
	doca_priv_debug_add(new, &gcm_key_object, key_size(), 1);
	*key = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_aes_gcm_key_destroy(struct doca_aes_gcm_key *key)
{
	if (!valid(key))
		return DOCA_ERROR_INVALID_VALUE;
	if (key->inflight)
		return FAIL(IN_USE,
			    "cannot destroy key %p: %u tasks in flight use it",
			    (void *)key, key->inflight);
	driver_object_destroy(&key->object);
	key->aes_gcm->keys--;
	doca_priv_debug_free(key);
	return DOCA_SUCCESS;
}

bool gcm_key_has_sealed(struct doca_aes_gcm_key *key, const uint8_t *iv)
{
	struct gcm_seen *seen = key->seen;
	uint64_t nr = seen->nr < GCM_SEEN ? seen->nr : GCM_SEEN, i = 0;

	while (i < nr && memcmp(seen->iv[i], iv, GCM_IV) != 0)
		i++;
	memcpy(seen->iv[seen->nr++ % GCM_SEEN], iv, GCM_IV);
	return i < nr;
}
