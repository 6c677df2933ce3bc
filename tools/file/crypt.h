/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Parts that encryption and decryption have in common. */
#ifndef FILE_CRYPT_H
#define FILE_CRYPT_H

#include <doca_aes_gcm.h>

#include "container.h"
#include "engine.h"
#include "options.h"
#include "streams.h"

struct crypt {
	struct engine engine;
	struct doca_aes_gcm *aes_gcm;
	struct doca_aes_gcm_key *key;
	struct stream *stream;
	struct container container;
	bool has_ended; /* the last chunk was begun */
};

/* The caller's part: which tasks there are. */
struct crypt_kind {
	doca_error_t (*set_conf)(struct crypt *crypt);
	doca_error_t (*make_task)(struct crypt *crypt, struct slot *slot);
};

int crypt_open(struct crypt *crypt, struct doca_dev *dev,
	       const struct options *opts, const struct crypt_kind *kind);
void crypt_close(struct crypt *crypt);

/*
 * Read the next chunk behind its additional data, @size bytes if it is not the last. Returns 0
 * behind the last one.
 */
int crypt_fill(struct crypt *crypt, struct slot *slot, size_t size,
	       uint8_t iv[CONTAINER_IV]);

#endif /* FILE_CRYPT_H */
