// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "blocks.h"
#include "data/msg.h"

#define VERSION 1
#define CHUNK_MAX (64 << 10)
#define STRIPE_MAX (1 << 20) /* with redundancy */

static const uint8_t magic[8] = { 'D', 'O', 'C', 'A', '-', 'E', 'C', 0 };

/* All numbers are big-endian. The digests follow, and the seal: one of all before it. */
struct fixed {
	uint8_t magic[8];
	uint32_t version;
	uint32_t chunk;
	uint16_t data;
	uint16_t rdnc;
	uint16_t index;
	uint16_t matrix;
	uint64_t length;
	uint8_t set[BLOCKS_SET];
	uint8_t zero[16];
};

_Static_assert(sizeof(struct fixed) == BLOCKS_FIXED, "no padding");

int blocks_new(struct blocks *blocks, unsigned int data, unsigned int rdnc,
	       enum doca_ec_matrix_type matrix)
{
	*blocks = (struct blocks){
		.data = data,
		.rdnc = rdnc,
		.matrix = matrix,
		.chunk = CHUNK_MAX,
	};
	while (blocks_nr(blocks) * blocks->chunk > STRIPE_MAX)
		blocks->chunk /= 2;
	return getrandom(blocks->set, BLOCKS_SET, 0) == BLOCKS_SET ?
		       0 :
		       fail_errno("there are no random numbers");
}

bool blocks_agree(const struct blocks *a, const struct blocks *b)
{
	return a->data == b->data && a->rdnc == b->rdnc &&
	       a->matrix == b->matrix && a->chunk == b->chunk &&
	       a->length == b->length &&
	       !memcmp(a->set, b->set, sizeof(a->set)) &&
	       !memcmp(a->digests, b->digests, sizeof(a->digests));
}

char *blocks_name(const char *name, unsigned int index)
{
	char *text;

	return asprintf(&text, "%s.ec%03u", name, index) < 0 ? NULL : text;
}

size_t blocks_header_size(const struct blocks *blocks)
{
	return BLOCKS_FIXED + (blocks_nr(blocks) + 1) * BLOCKS_DIGEST;
}

static int digest_of(struct digests *digests, const uint8_t *data, size_t len)
{
	return digests_reset(digests) ||
			       digest_add(digests, 0, data, len, true) ||
			       digests_wait(digests) ?
		       -1 :
		       0;
}

int blocks_write_header(const struct blocks *blocks, struct digests *digests,
			uint8_t *to)
{
	size_t size = blocks_header_size(blocks) - BLOCKS_DIGEST;
	struct fixed fixed = {
		.version = htobe32(VERSION),
		.chunk = htobe32(blocks->chunk),
		.data = htobe16(blocks->data),
		.rdnc = htobe16(blocks->rdnc),
		.index = htobe16(blocks->index),
		.matrix = htobe16(blocks->matrix),
		.length = htobe64(blocks->length),
	};

	memcpy(fixed.magic, magic, sizeof(magic));
	memcpy(fixed.set, blocks->set, BLOCKS_SET);
	memcpy(to, &fixed, sizeof(fixed));
	memcpy(to + sizeof(fixed), blocks->digests, size - sizeof(fixed));
	if (digest_of(digests, to, size))
		return -1;
	memcpy(to + size, digest_value(digests, 0), BLOCKS_DIGEST);
	return 0;
}

/* Numbers that others may have written: none is used before this. */
static bool read_fixed(struct blocks *blocks, const uint8_t *from,
		       const char **why)
{
	struct fixed fixed;

	memcpy(&fixed, from, sizeof(fixed));
	*why = "it does not begin as what encode writes";
	if (memcmp(fixed.magic, magic, sizeof(magic)) != 0)
		return false;
	*why = "it is of a version that is not known";
	if (be32toh(fixed.version) != VERSION)
		return false;
	*blocks = (struct blocks){
		.data = be16toh(fixed.data),
		.rdnc = be16toh(fixed.rdnc),
		.index = be16toh(fixed.index),
		.matrix = be16toh(fixed.matrix),
		.chunk = be32toh(fixed.chunk),
		.length = be64toh(fixed.length),
	};
	memcpy(blocks->set, fixed.set, BLOCKS_SET);
	*why = "its header has numbers that are out of range";
	return blocks->data && blocks->data <= BLOCKS_DATA_MAX &&
	       blocks->rdnc && blocks->rdnc <= BLOCKS_RDNC_MAX &&
	       blocks->index < blocks_nr(blocks) &&
	       (blocks->matrix == DOCA_EC_MATRIX_TYPE_CAUCHY ||
		blocks->matrix == DOCA_EC_MATRIX_TYPE_VANDERMONDE) &&
	       blocks->chunk && blocks->chunk % DIGEST_UNIT == 0 &&
	       blocks->chunk <= CHUNK_MAX &&
	       blocks_nr(blocks) * blocks->chunk <= STRIPE_MAX &&
	       blocks->length <= INT64_MAX;
}

size_t blocks_read_size(const uint8_t *fixed, const char **why)
{
	struct blocks blocks;

	return read_fixed(&blocks, fixed, why) ? blocks_header_size(&blocks) :
						 0;
}

bool blocks_read_header(struct blocks *blocks, struct digests *digests,
			const uint8_t *from, const char **why)
{
	size_t size;

	if (!read_fixed(blocks, from, why))
		return false;
	size = blocks_header_size(blocks) - BLOCKS_DIGEST;
	memcpy(blocks->digests, from + BLOCKS_FIXED, size - BLOCKS_FIXED);
	*why = NULL;
	if (digest_of(digests, from, size))
		return false;
	*why = "its header was changed";
	return !memcmp(from + size, digest_value(digests, 0), BLOCKS_DIGEST);
}
