/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The format of the files that encode writes; doca_file(1) describes it. Data is cut into
 * stripes of a chunk for each file of data; the files of redundancy have chunks that are made
 * of them. The header of each file has the digests of all.
 */
#ifndef FILE_BLOCKS_H
#define FILE_BLOCKS_H

#include <doca_erasure_coding.h>

#include "digest.h"

#define BLOCKS_DATA_MAX 128
#define BLOCKS_RDNC_MAX 32
#define BLOCKS_MAX (BLOCKS_DATA_MAX + BLOCKS_RDNC_MAX)
#define BLOCKS_SET 16
#define BLOCKS_DIGEST 32
#define BLOCKS_FIXED 64 /* bytes before the digests */
#define BLOCKS_HEADER_MAX (BLOCKS_FIXED + (BLOCKS_MAX + 1) * BLOCKS_DIGEST)

struct blocks {
	unsigned int data; /* number of files of data, and of redundancy */
	unsigned int rdnc;
	unsigned int index; /* the file's, from 0 on */
	enum doca_ec_matrix_type matrix;
	size_t chunk; /* bytes of each file in each stripe */
	uint64_t length; /* bytes of data */
	uint8_t set[BLOCKS_SET]; /* random, the same in all files */
	uint8_t digests[BLOCKS_MAX][BLOCKS_DIGEST]; /* SHA-256 of chunks */
};

static inline unsigned int blocks_nr(const struct blocks *blocks)
{
	return blocks->data + blocks->rdnc;
}

static inline size_t blocks_stripe(const struct blocks *blocks)
{
	return blocks->data * blocks->chunk;
}

/* Bytes of the chunks of each file. */
static inline uint64_t blocks_chunks_size(const struct blocks *blocks)
{
	uint64_t stripe = blocks_stripe(blocks);

	return (blocks->length + stripe - 1) / stripe * blocks->chunk;
}

/* Whether two files are of one set: their headers agree but for the index. */
bool blocks_agree(const struct blocks *a, const struct blocks *b);

/* Choose a set and a length of chunks. */
int blocks_new(struct blocks *blocks, unsigned int data, unsigned int rdnc,
	       enum doca_ec_matrix_type matrix);

/* The name of a file, to be freed; NULL if there is no memory. */
char *blocks_name(const char *name, unsigned int index);

size_t blocks_header_size(const struct blocks *blocks);

/* Write the header to memory of the digests' engine, and seal it with a digest. */
int blocks_write_header(const struct blocks *blocks, struct digests *digests,
			uint8_t *to);

/* Returns the size of a header that begins so, or 0 with a reason. */
size_t blocks_read_size(const uint8_t *fixed, const char **why);

/* Read a whole header, in memory of the digests' engine. False: with a reason, or NULL. */
bool blocks_read_header(struct blocks *blocks, struct digests *digests,
			const uint8_t *from, const char **why);

#endif /* FILE_BLOCKS_H */
