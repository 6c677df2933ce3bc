/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* XXH32 with seed 0, the checksum of LZ4 frames. */
#ifndef DOCA_ALGO_XXH32_H
#define DOCA_ALGO_XXH32_H

#include <linux/types.h>

#define DOCA_XXH32_STRIPE 16

/**
 * struct doca_xxh32 - a sum of what has been seen
 * @lanes: sums of whole stripes
 * @size: bytes of all
 * @rest: first bytes of the next stripe, @size % DOCA_XXH32_STRIPE
 */
struct doca_xxh32 {
	u32 lanes[4];
	u64 size;
	u8 rest[DOCA_XXH32_STRIPE];
};

void doca_xxh32_init(struct doca_xxh32 *sum);
void doca_xxh32_update(struct doca_xxh32 *sum, const void *data, size_t size);
u32 doca_xxh32_value(const struct doca_xxh32 *sum);

#endif
