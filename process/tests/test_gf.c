// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The product of a matrix and blocks, against one that has no tables. */
#include <stdlib.h>

#include "algo/gf_simd.h"
#include "any.h"
#include "ktap.h"

#define MAX 130
#define ROUNDS 300

typedef void (*multiply)(const struct doca_gf_product *product, size_t offset, size_t length);

static u8 product_of(u8 a, u8 b)
{
	u8 product = 0;
	int bit;

	for (bit = 7; bit >= 0; bit--) {
		product = product << 1 ^ (product & 0x80 ? 0x1d : 0);
		if (b >> bit & 1)
			product ^= a;
	}
	return product;
}

/* A matrix and blocks, which end where their memory does. */
static struct {
	u8 coefficients[MAX * MAX];
	u8 tables[MAX * MAX * DOCA_GF_TABLE] __attribute__((aligned(16)));
	u8 *memory[2 * MAX];
	u8 *src[MAX];
	u8 *dst[MAX];
	u8 *expected[MAX];
	u32 rows, columns;
	size_t length;
} bed;

static u8 *any_bytes(u8 **memory)
{
	u32 odd = any(2) * any(64);
	size_t i;

	*memory = malloc(bed.length + odd);
	if (!*memory)
		abort();
	for (i = 0; i < bed.length + odd; i++)
		(*memory)[i] = any(256);
	return *memory + odd;
}

static void expect_row(u32 r, bool add)
{
	u8 *row = bed.expected[r] = malloc(bed.length);
	u8 products[256];
	u32 c, i;
	size_t at;

	memcpy(row, bed.dst[r], bed.length);
	if (!add)
		memset(row, 0, bed.length);
	for (c = 0; c < bed.columns; c++) {
		for (i = 0; i < 256; i++)
			products[i] = product_of(bed.coefficients[r * bed.columns + c], i);
		for (at = 0; at < bed.length; at++)
			row[at] ^= products[bed.src[c][at]];
	}
}

static void set_up(u32 rows, u32 columns, size_t length, bool add)
{
	u32 i;

	bed.rows = rows;
	bed.columns = columns;
	bed.length = length;
	for (i = 0; i < rows * columns; i++)
		bed.coefficients[i] = any(5) ? any(256) : any(2);
	doca_gf_tables(bed.tables, bed.coefficients, rows * columns);
	for (i = 0; i < columns; i++)
		bed.src[i] = any_bytes(&bed.memory[i]);
	for (i = 0; i < rows; i++) {
		bed.dst[i] = any_bytes(&bed.memory[columns + i]);
		expect_row(i, add);
	}
}

static void tear_down(void)
{
	u32 i;

	for (i = 0; i < bed.rows; i++)
		free(bed.expected[i]);
	for (i = 0; i < bed.rows + bed.columns; i++)
		free(bed.memory[i]);
}

static bool is_right(void)
{
	u32 i;

	for (i = 0; i < bed.rows; i++)
		if (memcmp(bed.dst[i], bed.expected[i], bed.length))
			return false;
	return true;
}

static struct doca_gf_product whole(bool add)
{
	return (struct doca_gf_product){
		.tables = bed.tables,
		.rows = bed.rows,
		.columns = bed.columns,
		.stride = bed.columns,
		.add = add,
		.src = (const u8 *const *)bed.src,
		.dst = bed.dst,
	};
}

/* Multiply from unit to unit, so many at a time as chance will have it. */
static void multiply_in_steps(multiply multiply, const struct doca_gf_product *product)
{
	size_t at, n;

	for (at = 0; at < bed.length; at += n) {
		n = DOCA_GF_UNIT * (1 + any(any(2) ? 3 : 200));
		n = min(n, bed.length - at);
		multiply(product, at, n);
	}
}

static void products_are_right(multiply multiply)
{
	struct doca_gf_product product;
	bool add;
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		add = any(2);
		set_up(1 + any(9), 1 + any(12), DOCA_GF_UNIT * (1 + any(20)), add);
		product = whole(add);
		multiply_in_steps(multiply, &product);
		EXPECT(is_right());
		tear_down();
	}
}

TEST(tables_have_the_products_of_both_halves)
{
	static u8 tables[256 * DOCA_GF_TABLE], all[256];
	u32 c, i;

	for (c = 0; c < 256; c++)
		all[c] = c;
	doca_gf_tables(tables, all, 256);
	for (c = 0; c < 256; c++)
		for (i = 0; i < 16; i++) {
			EXPECT_EQ(tables[c * DOCA_GF_TABLE + i], product_of(c, i));
			EXPECT_EQ(tables[c * DOCA_GF_TABLE + 16 + i], product_of(c, i << 4));
		}
}

TEST(a_product_is_that_without_tables)
{
	products_are_right(doca_gf_multiply);
}

TEST(a_product_by_instructions_that_each_CPU_has_is_the_same)
{
	products_are_right(doca_gf_multiply_portable);
}

/* The product of a part of the columns is added to that of the others. */
TEST(columns_can_be_multiplied_one_after_the_other)
{
	static const multiply ways[] = { doca_gf_multiply, doca_gf_multiply_portable };
	struct doca_gf_product product;
	u32 i, c;

	for (i = 0; i < 40; i++) {
		set_up(1 + any(6), 2 + any(6), DOCA_GF_UNIT * 5, false);
		product = whole(false);
		product.columns = 1;
		for (c = 0; c < bed.columns; c++) {
			ways[i % 2](&product, 0, bed.length);
			product.tables += DOCA_GF_TABLE;
			product.src++;
			product.add = true;
		}
		EXPECT(is_right());
		tear_down();
	}
}

TEST(the_widest_matrix_and_long_blocks_are_right)
{
	struct doca_gf_product product;

	set_up(32, 128, DOCA_GF_UNIT * 20, false);
	product = whole(false);
	doca_gf_multiply(&product, 0, bed.length);
	EXPECT(is_right());
	tear_down();
	set_up(5, 1, DOCA_GF_UNIT * 2500, false);
	product = whole(false);
	doca_gf_multiply(&product, 0, bed.length);
	EXPECT(is_right());
	tear_down();
}

TEST(what_is_outside_of_the_step_is_left_alone)
{
	struct doca_gf_product product;
	u8 *before;

	set_up(3, 3, DOCA_GF_UNIT * 4, false);
	before = malloc(bed.length);
	memcpy(before, bed.dst[2], bed.length);
	product = whole(false);
	doca_gf_multiply(&product, DOCA_GF_UNIT, DOCA_GF_UNIT);
	EXPECT(!memcmp(bed.dst[2], before, DOCA_GF_UNIT));
	EXPECT(!memcmp(bed.dst[2] + DOCA_GF_UNIT, bed.expected[2] + DOCA_GF_UNIT, DOCA_GF_UNIT));
	EXPECT(!memcmp(bed.dst[2] + 2 * DOCA_GF_UNIT, before + 2 * DOCA_GF_UNIT, 2 * DOCA_GF_UNIT));
	free(before);
	tear_down();
}
