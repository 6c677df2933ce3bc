// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <endian.h>
#include <string.h>
#include <sys/random.h>

#include "container.h"
#include "data/msg.h"

#define VERSION 1
#define SALT 8

static const uint8_t magic[8] = { 'D', 'O', 'C', 'A', '-', 'G', 'C', 'M' };

/* All numbers are big-endian. */
struct header {
	uint8_t magic[8];
	uint32_t version;
	uint32_t chunk;
	uint8_t salt[SALT]; /* random, and the first bytes of all vectors */
	uint8_t zero[8];
};

struct aad {
	struct header header;
	uint64_t number; /* place of the chunk, from 0 on */
	uint64_t is_last; /* 1 or 0 */
};

_Static_assert(sizeof(struct header) == CONTAINER_HEADER, "no padding");
_Static_assert(sizeof(struct aad) == CONTAINER_AAD, "no padding");

int container_new(struct container *container)
{
	struct header header = {
		.version = htobe32(VERSION),
		.chunk = htobe32(CONTAINER_CHUNK),
	};

	memcpy(header.magic, magic, sizeof(magic));
	if (getrandom(header.salt, SALT, 0) != SALT)
		return fail_errno("there are no random numbers");
	*container = (struct container){ .chunk = CONTAINER_CHUNK };
	memcpy(container->header, &header, sizeof(header));
	return 0;
}

const char *container_read(struct container *container, const uint8_t *data,
			   size_t len)
{
	static const uint8_t zero[8];
	struct header header;

	if (len < sizeof(header) || memcmp(data, magic, sizeof(magic)) != 0)
		return "it does not begin as what encrypt writes";
	memcpy(&header, data, sizeof(header));
	if (be32toh(header.version) != VERSION ||
	    memcmp(header.zero, zero, sizeof(zero)) != 0)
		return "it is of a version that is not known";
	*container = (struct container){ .chunk = be32toh(header.chunk) };
	if (!container->chunk || container->chunk > CONTAINER_CHUNK)
		return "the length of its chunks is out of range";
	memcpy(container->header, data, sizeof(header));
	return NULL;
}

bool container_next(struct container *container, bool is_last,
		    uint8_t aad[CONTAINER_AAD], uint8_t iv[CONTAINER_IV])
{
	uint32_t number = htobe32(container->chunks);
	struct aad place = {
		.number = htobe64(container->chunks),
		.is_last = htobe64(is_last),
	};

	if (container->chunks > UINT32_MAX)
		return false;
	memcpy(&place.header, container->header, sizeof(place.header));
	memcpy(aad, &place, sizeof(place));
	memcpy(iv, place.header.salt, SALT);
	memcpy(iv + SALT, &number, sizeof(number));
	container->chunks++;
	return true;
}
