// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "erasure_coding/matrix.h"

#include <string.h>

uint8_t doca_priv_ec_product(uint8_t a, uint8_t b)
{
	uint8_t product = 0;

	for (; b; b >>= 1) {
		if (b & 1)
			product ^= a;
		a = (uint8_t)(a << 1) ^ (a & 0x80 ? 0x1d : 0);
	}
	return product;
}

static uint8_t power(uint8_t base, uint32_t exponent)
{
	uint8_t result = 1;

	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = doca_priv_ec_product(result, base);
		base = doca_priv_ec_product(base, base);
	}
	return result;
}

/* The 255 elements other than 0 are a group. */
uint8_t doca_priv_ec_inverse(uint8_t a)
{
	return power(a, 254);
}

void doca_priv_ec_vandermonde(uint8_t *coefficients, uint32_t rows,
			      uint32_t columns)
{
	for (uint32_t r = 0; r < rows; r++)
		for (uint32_t c = 0; c < columns; c++)
			*coefficients++ = power(2, r * c);
}

void doca_priv_ec_cauchy(uint8_t *coefficients, uint32_t rows, uint32_t columns)
{
	for (uint32_t r = 0; r < rows; r++)
		for (uint32_t c = 0; c < columns; c++)
			*coefficients++ =
				doca_priv_ec_inverse((columns + r) ^ c);
}

bool doca_priv_ec_distinct(const uint32_t *indices, uint32_t nr, uint32_t below)
{
	bool seen[EC_MAX_BLOCKS] = { false };

	for (uint32_t i = 0; i < nr; i++) {
		if (indices[i] >= below || seen[indices[i]])
			return false;
		seen[indices[i]] = true;
	}
	return true;
}

/*
 * The equations of a loss. Those blocks of redundancy that are used are known sums of data;
 * their parts of lost data are a square matrix, whose inverse tells these data from them.
 */
struct loss {
	const struct ec_coding *coding;
	bool is_lost[EC_MAX_BLOCKS];
	uint32_t nr; /* blocks of data that are lost */
	uint8_t data[EC_MAX_ROWS]; /* these, ascending */
	uint8_t used[EC_MAX_ROWS]; /* rows of redundancy */
	uint8_t inverse[EC_MAX_ROWS][EC_MAX_ROWS];
};

static uint8_t coefficient(const struct ec_coding *coding, uint32_t row,
			   uint32_t column)
{
	return coding->coefficients[row * coding->columns + column];
}

static void find_blocks(struct loss *loss, const uint32_t *lost, uint32_t nr)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < nr; i++)
		loss->is_lost[lost[i]] = true;
	for (uint32_t c = 0; c < loss->coding->columns; c++)
		if (loss->is_lost[c])
			loss->data[loss->nr++] = c;
	for (uint32_t r = 0; used < loss->nr; r++)
		if (!loss->is_lost[loss->coding->columns + r])
			loss->used[used++] = r;
}

static void scale_row(uint8_t *row, uint8_t by, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		row[i] = doca_priv_ec_product(row[i], by);
}

static void add_row(uint8_t *row, const uint8_t *other, uint8_t times,
		    uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		row[i] ^= doca_priv_ec_product(other[i], times);
}

static void swap_rows(uint8_t *a, uint8_t *b)
{
	uint8_t row[EC_MAX_ROWS];

	memcpy(row, a, sizeof(row));
	memcpy(a, b, sizeof(row));
	memcpy(b, row, sizeof(row));
}

/* Make column @at of @rows that of a unit matrix, and do to the inverse what is done to them. */
static bool clear_column(struct loss *loss, uint8_t rows[][EC_MAX_ROWS],
			 uint32_t at)
{
	uint32_t pivot = at;
	uint8_t by;

	while (pivot < loss->nr && !rows[pivot][at])
		pivot++;
	if (pivot == loss->nr)
		return false;
	swap_rows(rows[at], rows[pivot]);
	swap_rows(loss->inverse[at], loss->inverse[pivot]);
	by = doca_priv_ec_inverse(rows[at][at]);
	scale_row(rows[at], by, loss->nr);
	scale_row(loss->inverse[at], by, loss->nr);
	for (uint32_t i = 0; i < loss->nr; i++) {
		by = rows[i][at];
		if (i == at)
			continue;
		add_row(rows[i], rows[at], by, loss->nr);
		add_row(loss->inverse[i], loss->inverse[at], by, loss->nr);
	}
	return true;
}

static bool invert(struct loss *loss)
{
	uint8_t rows[EC_MAX_ROWS][EC_MAX_ROWS];

	for (uint32_t i = 0; i < loss->nr; i++) {
		loss->inverse[i][i] = 1;
		for (uint32_t j = 0; j < loss->nr; j++)
			rows[i][j] = coefficient(loss->coding, loss->used[i],
						 loss->data[j]);
	}
	for (uint32_t i = 0; i < loss->nr; i++)
		if (!clear_column(loss, rows, i))
			return false;
	return true;
}

/* Fill in the row that makes the lost block of data that is number @i of these. */
static void make_data(const struct loss *loss, uint32_t i, uint8_t *row)
{
	const struct ec_coding *coding = loss->coding;

	for (uint32_t c = 0; c < coding->columns; c++) {
		if (loss->is_lost[c])
			continue;
		*row = 0;
		for (uint32_t j = 0; j < loss->nr; j++)
			*row ^= doca_priv_ec_product(
				loss->inverse[i][j],
				coefficient(coding, loss->used[j], c));
		row++;
	}
	memcpy(row, loss->inverse[i], loss->nr);
}

/* Fill in the row that makes block @r of redundancy, as its part of lost data is made. */
static void make_redundancy(const struct loss *loss, uint32_t r, uint8_t *row)
{
	const struct ec_coding *coding = loss->coding;
	uint8_t part[EC_MAX_COLUMNS];
	uint8_t *to = row;

	memset(row, 0, coding->columns);
	for (uint32_t c = 0; c < coding->columns; c++)
		if (!loss->is_lost[c])
			*to++ = coefficient(coding, r, c);
	for (uint32_t i = 0; i < loss->nr; i++) {
		make_data(loss, i, part);
		add_row(row, part, coefficient(coding, r, loss->data[i]),
			coding->columns);
	}
}

bool doca_priv_ec_recover(const struct ec_coding *coding, const uint32_t *lost,
			  uint32_t nr, uint8_t *coefficients)
{
	struct loss loss = { .coding = coding };
	uint32_t n, i;

	find_blocks(&loss, lost, nr);
	if (!invert(&loss))
		return false;
	for (n = 0; n < nr; n++, coefficients += coding->columns) {
		if (lost[n] >= coding->columns) {
			make_redundancy(&loss, lost[n] - coding->columns,
					coefficients);
			continue;
		}
		for (i = 0; loss.data[i] != lost[n]; i++)
			;
		make_data(&loss, i, coefficients);
	}
	return true;
}

void doca_priv_ec_update(const struct ec_coding *coding,
			 const uint32_t *changed, uint32_t nr,
			 uint8_t *coefficients)
{
	for (uint32_t r = 0; r < coding->rows; r++) {
		for (uint32_t i = 0; i < nr; i++)
			coefficients[i] = coefficients[nr + i] =
				coefficient(coding, r, changed[i]);
		coefficients += 2 * nr;
		for (uint32_t i = 0; i < coding->rows; i++)
			*coefficients++ = i == r;
	}
}
