/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Matrices over GF(2^8) with the polynomial 0x11d. The product of one and blocks of data makes
 * redundancy, lost blocks, or new redundancy for data that is changed. Coefficients are row by
 * row. The functions keep nothing and allocate nothing.
 */
#ifndef DOCA_ERASURE_CODING_MATRIX_H
#define DOCA_ERASURE_CODING_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	EC_MAX_COLUMNS = 128,
	EC_MAX_ROWS = 32,
	EC_MAX_BLOCKS = EC_MAX_COLUMNS + EC_MAX_ROWS,
};

/**
 * struct ec_coding - a matrix that makes redundancy
 * @coefficients: @rows times @columns
 * @rows: blocks of redundancy, 1 to EC_MAX_ROWS
 * @columns: blocks of data, 1 to EC_MAX_COLUMNS
 */
struct ec_coding {
	const uint8_t *coefficients;
	uint32_t rows;
	uint32_t columns;
};

uint8_t doca_priv_ec_product(uint8_t a, uint8_t b);

/* Return the inverse of @a; 0 for 0, which has none. */
uint8_t doca_priv_ec_inverse(uint8_t a);

/*
 * Fill in 2^(row * column). A first row of ones makes a sum; but not all losses can be
 * recovered from where there are more than 21 blocks of data, or 4 of redundancy.
 */
void doca_priv_ec_vandermonde(uint8_t *coefficients, uint32_t rows,
			      uint32_t columns);

/* Fill in 1 / ((columns + row) xor column). All losses can be recovered from. */
void doca_priv_ec_cauchy(uint8_t *coefficients, uint32_t rows,
			 uint32_t columns);

/* Return whether all @nr indices, of any order, are below @below and none is there twice. */
bool doca_priv_ec_distinct(const uint32_t *indices, uint32_t nr,
			   uint32_t below);

/*
 * Fill in the matrix that makes the @nr blocks @lost, 1 to the coding matrix's rows, in their
 * order. Blocks of data come first in the count, then redundancy; indices must be distinct.
 * The matrix multiplies the first of the other blocks in ascending order, as many as there is
 * data. Return false if these do not tell what was lost.
 */
bool doca_priv_ec_recover(const struct ec_coding *coding, const uint32_t *lost,
			  uint32_t nr, uint8_t *coefficients);

/*
 * Fill in the matrix, 2 * @nr + rows columns wide, that makes new redundancy from the old data
 * of the @nr blocks @changed, their new data, and the old redundancy.
 */
void doca_priv_ec_update(const struct ec_coding *coding,
			 const uint32_t *changed, uint32_t nr,
			 uint8_t *coefficients);

#endif /* DOCA_ERASURE_CODING_MATRIX_H */
