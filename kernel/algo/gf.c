// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include <linux/compiler.h>
#include <linux/string.h>

#include "algo/gf.h"
#include "algo/gf_simd.h"

#define DOCA_GF_POLYNOMIAL 0x1d /* without its highest bit */
#define DOCA_GF_WORDS (DOCA_GF_UNIT / sizeof(u64))

static u8 doca_gf_double(u8 value)
{
	return value << 1 ^ (value & 0x80 ? DOCA_GF_POLYNOMIAL : 0);
}

/* A half's products are sums of those with its bits. */
static void doca_gf_half(u8 *table, u8 product_of_1)
{
	u8 product = product_of_1;
	u32 bit, i;

	table[0] = 0;
	for (bit = 1; bit < 16; bit <<= 1) {
		for (i = 0; i < bit; i++)
			table[bit + i] = table[i] ^ product;
		product = doca_gf_double(product);
	}
}

void doca_gf_tables(u8 *tables, const u8 *coefficients, size_t nr)
{
	for (; nr; nr--, tables += DOCA_GF_TABLE) {
		doca_gf_half(tables, *coefficients++);
		doca_gf_half(tables + 16, doca_gf_double(tables[8]));
	}
}

/* Double eight bytes. */
static __always_inline u64 doca_gf_double_word(u64 word)
{
	u64 high = word >> 7 & 0x0101010101010101ULL;

	return (word << 1 & ~0x0101010101010101ULL) ^ high * DOCA_GF_POLYNOMIAL;
}

static __always_inline void doca_gf_add_unit(u64 sum[DOCA_GF_WORDS],
					     const u8 *from)
{
	u64 word;
	u32 i;

	for (i = 0; i < DOCA_GF_WORDS; i++) {
		memcpy(&word, from + i * sizeof(word), sizeof(word));
		sum[i] ^= word;
	}
}

/*
 * Make one unit of a row by Horner's rule: from the highest bit of all coefficients to the
 * lowest one, double what there is and add the columns whose coefficient has the bit.
 */
static void doca_gf_row_unit(const struct doca_gf_product *product,
			     const u8 *tables, u8 *dst, size_t offset)
{
	u64 sum[DOCA_GF_WORDS] = {};
	u32 bit, c, i;

	for (bit = 0x80; bit; bit >>= 1) {
		for (i = 0; i < DOCA_GF_WORDS; i++)
			sum[i] = doca_gf_double_word(sum[i]);
		for (c = 0; c < product->columns; c++)
			/* The product with 1 is the coefficient. */
			if (tables[c * DOCA_GF_TABLE + 1] & bit)
				doca_gf_add_unit(sum, product->src[c] + offset);
	}
	if (product->add)
		doca_gf_add_unit(sum, dst + offset);
	memcpy(dst + offset, sum, sizeof(sum));
}

void doca_gf_multiply_portable(const struct doca_gf_product *product,
			       size_t offset, size_t length)
{
	const u8 *tables = product->tables;
	size_t at;
	u32 r;

	for (r = 0; r < product->rows; r++) {
		for (at = offset; at < offset + length; at += DOCA_GF_UNIT)
			doca_gf_row_unit(product, tables, product->dst[r], at);
		tables += (size_t)product->stride * DOCA_GF_TABLE;
	}
}

void doca_gf_multiply(const struct doca_gf_product *product, size_t offset,
		      size_t length)
{
	if (doca_gf_has_simd())
		doca_gf_multiply_simd(product, offset, length);
	else
		doca_gf_multiply_portable(product, offset, length);
}
