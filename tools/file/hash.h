/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef FILE_HASH_H
#define FILE_HASH_H

#include "digest.h"
#include "input.h"

struct hash {
	struct engine engine;
	struct digests *digests;
	size_t size; /* bytes of the value */
	uint8_t value[DIGEST_MAX];
};

int hash_open(struct hash *hash, struct doca_dev *dev,
	      enum doca_sha_algorithm algorithm);
void hash_close(struct hash *hash); /* also if it could not be opened */

/* Set the value to the digest of all that is left of an input. */
int hash_input(struct hash *hash, struct input *input);
int hash_file(struct hash *hash, const char *path);

/* Two digits a byte, and a zero. */
void hash_hex(const struct hash *hash, char *hex);

#endif /* FILE_HASH_H */
