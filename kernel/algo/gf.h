/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The product of a matrix and blocks of bytes over GF(2^8) with the polynomial 0x11d, which
 * erasure coding by other libraries has, too.
 */
#ifndef DOCA_ALGO_GF_H
#define DOCA_ALGO_GF_H

#include <linux/types.h>

/* Products of a coefficient with each low half of a byte, and with each high half. */
#define DOCA_GF_TABLE 32
/* Blocks are a multiple of this. */
#define DOCA_GF_UNIT 64

/* Make the tables of @nr coefficients, DOCA_GF_TABLE bytes each. */
void doca_gf_tables(u8 *tables, const u8 *coefficients, size_t nr);

/**
 * struct doca_gf_product - a matrix, and the blocks of both sides
 * @tables: tables of the coefficients, row by row
 * @rows: rows of the matrix, blocks of the destination
 * @columns: columns of the matrix, blocks of the source; not 0
 * @stride: tables from a row to the next one, if a part of the columns is multiplied
 * @add: add to what is in the destination
 * @src: addresses of the source's blocks, of any alignment
 * @dst: those of the destination's blocks; none overlaps a block of the source
 *
 * Others may write to source and destination meanwhile: then the result is undefined, and
 * nothing else.
 */
struct doca_gf_product {
	const u8 *tables;
	u32 rows;
	u32 columns;
	u32 stride;
	bool add;
	const u8 *const *src;
	u8 *const *dst;
};

/*
 * Multiply the @length bytes from @offset on of all blocks, both multiples of DOCA_GF_UNIT.
 * How long it takes grows with @length times rows times columns; a caller that works in steps
 * chooses @length.
 */
void doca_gf_multiply(const struct doca_gf_product *product, size_t offset,
		      size_t length);

#endif
