/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The format of encrypted files; doca_file(1) describes it. A header, and chunks: all have as
 * many bytes as the header says, but the last one, which may have less. Each is a message of
 * AES-GCM with its tag behind it. Its vector and its additional data tell its place, so that
 * no chunk can be changed, moved, left out, or put to the end of another file.
 */
#ifndef FILE_CONTAINER_H
#define FILE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTAINER_HEADER 32
#define CONTAINER_AAD (CONTAINER_HEADER + 16)
#define CONTAINER_IV 12
#define CONTAINER_TAG 16
#define CONTAINER_CHUNK (512 << 10)

struct container {
	uint8_t header[CONTAINER_HEADER];
	size_t chunk; /* bytes of data in each chunk */
	uint64_t chunks; /* those that there are so far */
};

/* Begin one, with a new salt. */
int container_new(struct container *container);

/* Begin one with the header that was read. Returns a reason if it is none, or NULL. */
const char *container_read(struct container *container, const uint8_t *header,
			   size_t len);

/*
 * Write the additional data and the vector of the next chunk. Returns false if there are as
 * many as a key may be used for.
 */
bool container_next(struct container *container, bool is_last,
		    uint8_t aad[CONTAINER_AAD], uint8_t iv[CONTAINER_IV]);

#endif /* FILE_CONTAINER_H */
