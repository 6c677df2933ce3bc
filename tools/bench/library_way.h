/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Work as tasks do it by other libraries, in the thread that asks for it, with all that can be made
 * once for all messages.
 */
#ifndef BENCH_LIBRARY_WAY_H
#define BENCH_LIBRARY_WAY_H

#include <stdint.h>

#include "sample_data.h"
#include "way.h"

struct library_way {
	struct way way;
	/* Have the state of all operations; 0, or -1 having told why. NULL: there is none */
	int (*prepare)(struct library_way *lw);
	/* Do one operation; 0 or -1. */
	int (*once)(struct library_way *lw);
	/* Free the state, which may be NULL; NULL: free() does */
	void (*finish)(void *state);
	void *state;
	size_t (*fill)(uint8_t *src, size_t size, uint32_t seed);
	size_t size;
	struct {
		uint8_t *data;
		size_t size;
		uint8_t *dst;
	} samples[SAMPLES];
	unsigned int turn;
	/* One operation has these. */
	uint8_t *src;
	uint8_t *dst;
	size_t src_size;
	size_t dst_size;
};

void library_way_init(struct library_way *lw, const char *name,
		      int (*once)(struct library_way *lw),
		      size_t (*fill)(uint8_t *src, size_t size, uint32_t seed));

/* libcrypto */
void sha256_way_init(struct library_way *lw);
void sha512_way_init(struct library_way *lw);
void gcm_way_init(struct library_way *lw);

/* zlib, with the checksums that DOCA's tasks make */
void deflate_way_init(struct library_way *lw);
void inflate_way_init(struct library_way *lw);

/*
 * In loaded_way.c, each left out where its library is not installed: liblz4, with the checksums of
 * zlib and libxxhash; and ISA-L.
 */
void lz4_way_init(struct library_way *lw);
void ec_way_init(struct library_way *lw);

#endif /* BENCH_LIBRARY_WAY_H */
