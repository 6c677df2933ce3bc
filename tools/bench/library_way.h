/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Work as tasks do it by other libraries, in the thread that asks for it. */
#ifndef BENCH_LIBRARY_WAY_H
#define BENCH_LIBRARY_WAY_H

#include <stdint.h>

#include "way.h"

struct library_way {
	struct way way;
	/* Do one operation; 0 or -1. */
	int (*once)(struct library_way *lw);
	size_t (*fill)(uint8_t *src, size_t size);
	size_t size;
	uint8_t *src;
	uint8_t *dst;
	size_t src_size;
	size_t dst_size;
};

/* libcrypto */
void sha256_way_init(struct library_way *lw);
void gcm_way_init(struct library_way *lw);

/* zlib, with the checksums that DOCA's tasks make */
void deflate_way_init(struct library_way *lw);
void inflate_way_init(struct library_way *lw);

#endif /* BENCH_LIBRARY_WAY_H */
