/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Digests of data that comes in parts, several at a time: a task each. */
#ifndef FILE_DIGEST_H
#define FILE_DIGEST_H

#include <doca_sha.h>

#include "engine.h"

#define DIGEST_MAX 64
/* Parts but the last are multiples of it. */
#define DIGEST_UNIT 128

struct digests;

/* Parts are in the engine's memory. Returns NULL if it has said why. */
struct digests *digests_open(struct engine *engine,
			     enum doca_sha_algorithm algorithm,
			     unsigned int nr);
void digests_close(struct digests *digests);

/* Begin anew, all of them. */
int digests_reset(struct digests *digests);

/* Add a part, which stays as it is until digests_wait(). */
int digest_add(struct digests *digests, unsigned int i, const void *part,
	       size_t len, bool is_last);
int digests_wait(struct digests *digests);

/* The value, once the last part is added. */
const uint8_t *digest_value(const struct digests *digests, unsigned int i);

size_t digest_size(enum doca_sha_algorithm algorithm);

#endif /* FILE_DIGEST_H */
