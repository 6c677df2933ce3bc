// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Digests of files: while a part is hashed, the next one is read. */
#include <stdio.h>
#include <string.h>

#include "digest.h"
#include "hash.h"
#include "input.h"

#define PART (1 << 20)

int hash_open(struct hash *hash, struct doca_dev *dev,
	      enum doca_sha_algorithm algorithm)
{
	*hash = (struct hash){ .size = digest_size(algorithm) };
	if (engine_open(&hash->engine, dev, 2, PART, 1))
		return -1;
	hash->digests = digests_open(&hash->engine, algorithm, 1);
	return hash->digests ? 0 : -1;
}

void hash_close(struct hash *hash)
{
	digests_close(hash->digests);
	engine_close(&hash->engine);
}

int hash_input(struct hash *hash, struct input *input)
{
	size_t got = PART;
	unsigned int i;
	uint8_t *part;

	if (digests_reset(hash->digests))
		return -1;
	for (i = 0; got == PART; i++) {
		part = hash->engine.slots[i % 2].in;
		if (input_read(input, part, PART, &got) ||
		    digests_wait(hash->digests) ||
		    digest_add(hash->digests, 0, part, got, got < PART))
			return -1;
	}
	if (digests_wait(hash->digests))
		return -1;
	memcpy(hash->value, digest_value(hash->digests, 0), hash->size);
	return 0;
}

int hash_file(struct hash *hash, const char *path)
{
	struct input input;
	int ret;

	if (input_open(&input, path))
		return -1;
	ret = hash_input(hash, &input);
	input_close(&input);
	return ret;
}

void hash_hex(const struct hash *hash, char *hex)
{
	size_t i;

	for (i = 0; i < hash->size; i++)
		sprintf(hex + 2 * i, "%02x", hash->value[i]);
}
