// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* XXH32: four lanes take a word each of every stripe, and are merged at the end. */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "algo/xxh32.h"

#define DOCA_XXH32_PRIME_1 0x9e3779b1U
#define DOCA_XXH32_PRIME_2 0x85ebca77U
#define DOCA_XXH32_PRIME_3 0xc2b2ae3dU
#define DOCA_XXH32_PRIME_4 0x27d4eb2fU
#define DOCA_XXH32_PRIME_5 0x165667b1U

static __always_inline u32 doca_xxh32_word(const u8 *at)
{
	__le32 word;

	memcpy(&word, at, sizeof(word));
	return le32_to_cpu(word);
}

static __always_inline u32 doca_xxh32_round(u32 lane, const u8 *at)
{
	lane += doca_xxh32_word(at) * DOCA_XXH32_PRIME_2;
	/* Four lanes in one vector take more than twice as long. */
	OPTIMIZER_HIDE_VAR(lane);
	return rol32(lane, 13) * DOCA_XXH32_PRIME_1;
}

/* The lanes stay in registers. */
static const u8 *doca_xxh32_stripes(u32 lanes[4], const u8 *at, size_t nr)
{
	u32 a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];

	for (; nr; nr--) {
		a = doca_xxh32_round(a, at);
		b = doca_xxh32_round(b, at + 4);
		c = doca_xxh32_round(c, at + 8);
		d = doca_xxh32_round(d, at + 12);
		at += DOCA_XXH32_STRIPE;
	}
	lanes[0] = a;
	lanes[1] = b;
	lanes[2] = c;
	lanes[3] = d;
	return at;
}

void doca_xxh32_init(struct doca_xxh32 *sum)
{
	sum->lanes[0] = DOCA_XXH32_PRIME_1 + DOCA_XXH32_PRIME_2;
	sum->lanes[1] = DOCA_XXH32_PRIME_2;
	sum->lanes[2] = 0;
	sum->lanes[3] = -DOCA_XXH32_PRIME_1;
	sum->size = 0;
}

void doca_xxh32_update(struct doca_xxh32 *sum, const void *data, size_t size)
{
	size_t held = sum->size % DOCA_XXH32_STRIPE, n;
	const u8 *at = data;

	sum->size += size;
	if (held) {
		n = min(size, DOCA_XXH32_STRIPE - held);
		memcpy(sum->rest + held, at, n);
		if (held + n < DOCA_XXH32_STRIPE)
			return;
		doca_xxh32_stripes(sum->lanes, sum->rest, 1);
		at += n;
		size -= n;
	}
	at = doca_xxh32_stripes(sum->lanes, at, size / DOCA_XXH32_STRIPE);
	if (size % DOCA_XXH32_STRIPE)
		memcpy(sum->rest, at, size % DOCA_XXH32_STRIPE);
}

u32 doca_xxh32_value(const struct doca_xxh32 *sum)
{
	const u32 *lanes = sum->lanes;
	const u8 *at = sum->rest, *end = at + sum->size % DOCA_XXH32_STRIPE;
	u32 value;

	if (sum->size < DOCA_XXH32_STRIPE)
		value = DOCA_XXH32_PRIME_5;
	else
		value = rol32(lanes[0], 1) + rol32(lanes[1], 7) +
			rol32(lanes[2], 12) + rol32(lanes[3], 18);
	value += sum->size;
	for (; end - at >= 4; at += 4)
		value = rol32(value + doca_xxh32_word(at) * DOCA_XXH32_PRIME_3,
			      17) *
			DOCA_XXH32_PRIME_4;
	for (; at < end; at++)
		value = rol32(value + *at * DOCA_XXH32_PRIME_5, 11) *
			DOCA_XXH32_PRIME_1;
	value = (value ^ value >> 15) * DOCA_XXH32_PRIME_2;
	value = (value ^ value >> 13) * DOCA_XXH32_PRIME_3;
	return value ^ value >> 16;
}
