// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Matrices of erasure coding, with the product that they are for: what is lost comes back, and
 * matrices and blocks are those of ISA-L, where that is installed.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "algo/gf.h"
#include "any.h"
#include "erasure_coding/matrix.h"
#include "ktap.h"

#define LENGTH 64
#define MAX_K 6
#define MAX_M 4
#define MAX_BLOCKS (MAX_K + MAX_M)

typedef void (*fill)(uint8_t *coefficients, uint32_t rows, uint32_t columns);

static const fill kinds[] = { doca_priv_ec_vandermonde, doca_priv_ec_cauchy };

/* Functions of ISA-L, by their names there. */
static struct {
	void (*gen[2])(u8 *matrix, int rows, int columns);
	int (*invert)(u8 *matrix, u8 *inverse, int size);
	u8 (*mul)(u8 a, u8 b);
	u8 (*inv)(u8 a);
	void (*init_tables)(int columns, int rows, u8 *matrix, u8 *tables);
	void (*encode)(int length, int columns, int rows, u8 *tables, u8 **src, u8 **dst);
} isal;

static bool has_isal(void)
{
	static void *library;

	library = dlopen("libisal.so.2", RTLD_NOW);
	if (!library)
		return false;
	isal.gen[0] = dlsym(library, "gf_gen_rs_matrix");
	isal.gen[1] = dlsym(library, "gf_gen_cauchy1_matrix");
	isal.invert = dlsym(library, "gf_invert_matrix");
	isal.mul = dlsym(library, "gf_mul");
	isal.inv = dlsym(library, "gf_inv");
	isal.init_tables = dlsym(library, "ec_init_tables");
	isal.encode = dlsym(library, "ec_encode_data");
	return true;
}

static u8 blocks[EC_MAX_BLOCKS][LENGTH];

static void multiply(const u8 *coefficients, u32 rows, u32 columns, const u8 *const *src,
		     u8 *const *dst)
{
	static u8 tables[EC_MAX_ROWS * EC_MAX_COLUMNS * DOCA_GF_TABLE] __attribute__((aligned(16)));
	const struct doca_gf_product product = {
		.tables = tables,
		.rows = rows,
		.columns = columns,
		.stride = columns,
		.src = src,
		.dst = dst,
	};

	doca_gf_tables(tables, coefficients, rows * columns);
	doca_gf_multiply(&product, 0, LENGTH);
}

/* Make data, and the redundancy behind. */
static void encode(const struct ec_coding *coding)
{
	const u8 *src[EC_MAX_COLUMNS];
	u8 *dst[EC_MAX_ROWS];
	u32 i, at;

	for (i = 0; i < coding->columns; i++) {
		src[i] = blocks[i];
		for (at = 0; at < LENGTH; at++)
			blocks[i][at] = any(256);
	}
	for (i = 0; i < coding->rows; i++)
		dst[i] = blocks[coding->columns + i];
	multiply(coding->coefficients, coding->rows, coding->columns, src, dst);
}

static bool is_among(const u32 *lost, u32 nr, u32 block)
{
	while (nr)
		if (lost[--nr] == block)
			return true;
	return false;
}

static void find_survivors(const struct ec_coding *coding, const u32 *lost, u32 nr, u32 *survivors)
{
	u32 block, found = 0;

	for (block = 0; found < coding->columns; block++)
		if (!is_among(lost, nr, block))
			survivors[found++] = block;
}

/* Whether a matrix makes what was lost of what was not. */
static bool recovers(const struct ec_coding *coding, const u32 *lost, u32 nr, const u8 *matrix)
{
	u8 made[EC_MAX_ROWS][LENGTH], *dst[EC_MAX_ROWS] = {};
	u32 survivors[EC_MAX_COLUMNS], i;
	const u8 *src[EC_MAX_COLUMNS] = {};

	find_survivors(coding, lost, nr, survivors);
	for (i = 0; i < coding->columns; i++)
		src[i] = blocks[survivors[i]];
	for (i = 0; i < nr; i++)
		dst[i] = made[i];
	multiply(matrix, nr, coding->columns, src, dst);
	for (i = 0; i < nr; i++)
		if (memcmp(made[i], blocks[lost[i]], LENGTH))
			return false;
	return true;
}

/* Lose each set of up to @most blocks, in descending order if that is @down. */
static bool each_loss(const struct ec_coding *coding, u32 most, bool down,
		      bool (*of)(const struct ec_coding *coding, const u32 *lost, u32 nr))
{
	u32 total = coding->rows + coding->columns, lost[MAX_BLOCKS], nr, set, i, block;

	for (set = 1; set < 1U << total; set++) {
		if ((u32)__builtin_popcount(set) > most)
			continue;
		for (i = 0, nr = 0; i < total; i++) {
			block = down ? total - 1 - i : i;
			if (set >> block & 1)
				lost[nr++] = block;
		}
		if (!of(coding, lost, nr))
			return false;
	}
	return true;
}

static bool is_recovered(const struct ec_coding *coding, const u32 *lost, u32 nr)
{
	u8 matrix[MAX_M * MAX_K];

	return doca_priv_ec_recover(coding, lost, nr, matrix) && recovers(coding, lost, nr, matrix);
}

/* Call for all small matrices of both kinds. */
static void for_each_coding(void (*call)(const struct ec_coding *coding, u32 kind))
{
	struct ec_coding coding;
	u8 coefficients[MAX_M * MAX_K];
	u32 kind;

	coding.coefficients = coefficients;
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++)
		for (coding.columns = 1; coding.columns <= MAX_K; coding.columns++)
			for (coding.rows = 1; coding.rows <= MAX_M; coding.rows++) {
				kinds[kind](coefficients, coding.rows, coding.columns);
				call(&coding, kind);
			}
}

static void each_loss_is_recovered(const struct ec_coding *coding, u32 kind)
{
	encode(coding);
	EXPECT(each_loss(coding, coding->rows, false, is_recovered));
	EXPECT(each_loss(coding, coding->rows, true, is_recovered));
}

TEST(what_is_lost_comes_back_in_the_order_of_the_indices)
{
	for_each_coding(each_loss_is_recovered);
}

/* The way of ISA-L's manual: invert the rows of all survivors. */
static bool is_as_isal_has_it(const struct ec_coding *coding, const u32 *lost, u32 nr)
{
	u32 k = coding->columns, survivors[MAX_K], r, c, i;
	u8 all[MAX_BLOCKS * MAX_K] = {}, kept[MAX_K * MAX_K], inverse[MAX_K * MAX_K];
	u8 matrix[MAX_M * MAX_K], theirs[MAX_M * MAX_K] = {};

	for (i = 0; i < k; i++)
		all[i * k + i] = 1;
	memcpy(all + k * k, coding->coefficients, coding->rows * k);
	find_survivors(coding, lost, nr, survivors);
	for (i = 0; i < k; i++)
		memcpy(kept + i * k, all + survivors[i] * k, k);
	if (isal.invert(kept, inverse, k) || !doca_priv_ec_recover(coding, lost, nr, matrix))
		return false;
	for (r = 0; r < nr; r++)
		for (c = 0; c < k; c++)
			for (i = 0; i < k; i++)
				theirs[r * k + c] ^=
					isal.mul(all[lost[r] * k + i], inverse[i * k + c]);
	return !memcmp(matrix, theirs, nr * k);
}

static void all_is_as_isal_has_it(const struct ec_coding *coding, u32 kind)
{
	u32 k = coding->columns, m = coding->rows, i;
	u8 theirs[MAX_BLOCKS * MAX_K], tables[MAX_M * MAX_K * 32], made[MAX_M][LENGTH];
	u8 *src[MAX_K], *dst[MAX_M];

	isal.gen[kind](theirs, k + m, k);
	EXPECT(!memcmp(theirs + k * k, coding->coefficients, m * k));
	EXPECT(each_loss(coding, m, false, is_as_isal_has_it));
	encode(coding);
	for (i = 0; i < k; i++)
		src[i] = blocks[i];
	for (i = 0; i < m; i++)
		dst[i] = made[i];
	isal.init_tables(k, m, theirs + k * k, tables);
	isal.encode(LENGTH, k, m, tables, src, dst);
	EXPECT(!memcmp(made, blocks[k], m * LENGTH));
}

TEST(matrices_and_blocks_are_those_of_ISA_L)
{
	u32 a, b;

	if (!has_isal())
		SKIP("libisal2 is not installed");
	for (a = 0; a < 256; a++) {
		EXPECT_EQ(doca_priv_ec_inverse(a), isal.inv(a));
		for (b = 0; b < 256; b++)
			EXPECT_EQ(doca_priv_ec_product(a, b), isal.mul(a, b));
	}
	for_each_coding(all_is_as_isal_has_it);
}

TEST(an_inverse_times_its_element_is_1)
{
	u32 a;

	EXPECT_EQ(doca_priv_ec_inverse(0), 0);
	for (a = 1; a < 256; a++)
		EXPECT_EQ(doca_priv_ec_product(a, doca_priv_ec_inverse(a)), 1);
}

/* Count losses of @nr blocks of data that a matrix cannot recover from. */
static u32 count_lost(const struct ec_coding *coding, u32 nr)
{
	u8 matrix[EC_MAX_ROWS * EC_MAX_COLUMNS];
	u32 lost[EC_MAX_ROWS], bad = 0, i;

	for (i = 0; i < nr; i++)
		lost[i] = i;
	while (true) {
		bad += !doca_priv_ec_recover(coding, lost, nr, matrix);
		for (i = nr; i && lost[i - 1] == coding->columns - nr + i - 1; i--)
			;
		if (!i)
			return bad;
		lost[i - 1]++;
		for (; i < nr; i++)
			lost[i] = lost[i - 1] + 1;
	}
}

/* Those that use the first rows, which is what happens when only data are lost. */
TEST(a_loss_that_a_matrix_cannot_tell_is_refused)
{
	u8 coefficients[EC_MAX_ROWS * EC_MAX_COLUMNS], matrix[4 * 22];
	struct ec_coding coding = { coefficients, 4, 22 };
	u32 lost[4] = { 0, 1, 2, 22 }, nr = 0;

	doca_priv_ec_vandermonde(coefficients, 4, 22);
	for (lost[2] = 2; lost[2] < 22; lost[2]++)
		for (lost[3] = 22; lost[3] < 26; lost[3]++)
			nr += !doca_priv_ec_recover(&coding, lost, 4, matrix);
	for (lost[1] = 1; lost[1] < 21; lost[1]++)
		for (lost[2] = lost[1] + 1; lost[2] < 22; lost[2]++)
			for (lost[3] = 22; lost[3] < 26; lost[3]++)
				nr += !doca_priv_ec_recover(&coding, lost, 4, matrix);
	EXPECT(nr > 0);
	EXPECT_EQ(count_lost(&coding, 4), 0);
	doca_priv_ec_cauchy(coefficients, 4, 22);
	EXPECT_EQ(count_lost(&coding, 4), 0);
	memset(coefficients, 7, sizeof(coefficients));
	EXPECT(count_lost(&coding, 2) > 0);
}

static u32 nr_told;

static bool is_recovered_if_told(const struct ec_coding *coding, const u32 *lost, u32 nr)
{
	u8 matrix[MAX_M * MAX_K];

	if (!doca_priv_ec_recover(coding, lost, nr, matrix))
		return true;
	nr_told++;
	return recovers(coding, lost, nr, matrix);
}

/* Programs bring matrices of their own, of which any place may be 0. */
TEST(any_matrix_recovers_what_it_tells)
{
	u8 coefficients[MAX_M * MAX_K];
	struct ec_coding coding = { coefficients, MAX_M, MAX_K };
	u32 round, i;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < sizeof(coefficients); i++)
			coefficients[i] = any(3) ? any(3) : any(256);
		encode(&coding);
		EXPECT(each_loss(&coding, MAX_M, round % 2, is_recovered_if_told));
	}
	EXPECT(nr_told > 1000);
	memset(coefficients, 0, sizeof(coefficients));
	coefficients[1] = 1;
	coefficients[MAX_K] = 1;
	encode(&coding);
	EXPECT(is_recovered(&coding, (u32[]){ 0, 1 }, 2));
}

TEST(the_largest_matrix_recovers_from_the_largest_loss)
{
	static u8 coefficients[EC_MAX_ROWS * EC_MAX_COLUMNS], matrix[EC_MAX_ROWS * EC_MAX_COLUMNS];
	struct ec_coding coding = { coefficients, EC_MAX_ROWS, EC_MAX_COLUMNS };
	u32 lost[EC_MAX_ROWS], i;

	doca_priv_ec_cauchy(coefficients, EC_MAX_ROWS, EC_MAX_COLUMNS);
	encode(&coding);
	for (i = 0; i < EC_MAX_ROWS; i++)
		lost[i] = 3 * i + 1;
	ASSERT(doca_priv_ec_recover(&coding, lost, EC_MAX_ROWS, matrix));
	EXPECT(recovers(&coding, lost, EC_MAX_ROWS, matrix));
	for (i = 0; i < EC_MAX_ROWS; i++)
		lost[i] = EC_MAX_COLUMNS + EC_MAX_ROWS - 1 - (i % 2 ? i : 5 * i);
	ASSERT(doca_priv_ec_distinct(lost, EC_MAX_ROWS, EC_MAX_COLUMNS + EC_MAX_ROWS));
	ASSERT(doca_priv_ec_recover(&coding, lost, EC_MAX_ROWS, matrix));
	EXPECT(recovers(&coding, lost, EC_MAX_ROWS, matrix));
}

/* Change some data, and compare the redundancy of all with what the update makes. */
static void redundancy_is_updated(const struct ec_coding *coding, u32 kind)
{
	u8 matrix[MAX_M * (2 * MAX_K + MAX_M)], made[MAX_M][LENGTH], old[MAX_BLOCKS][LENGTH];
	const u8 *src[2 * MAX_K + MAX_M];
	u32 changed[MAX_K], nr = 0, i;
	u8 *dst[MAX_M];

	encode(coding);
	memcpy(old, blocks, sizeof(old));
	encode(coding);
	for (i = 0; i < coding->columns; i++)
		if (any(2) || (!nr && i == coding->columns - 1))
			changed[nr++] = i;
		else
			memcpy(blocks[i], old[i], LENGTH);
	for (i = 0; i < coding->columns; i++)
		src[i] = blocks[i];
	for (i = 0; i < coding->rows; i++)
		dst[i] = blocks[coding->columns + i];
	multiply(coding->coefficients, coding->rows, coding->columns, src, dst);
	for (i = 0; i < nr; i++) {
		src[i] = old[changed[i]];
		src[nr + i] = blocks[changed[i]];
	}
	for (i = 0; i < coding->rows; i++) {
		src[2 * nr + i] = old[coding->columns + i];
		dst[i] = made[i];
	}
	doca_priv_ec_update(coding, changed, nr, matrix);
	multiply(matrix, coding->rows, 2 * nr + coding->rows, src, dst);
	EXPECT(!memcmp(made, blocks[coding->columns], coding->rows * LENGTH));
}

TEST(an_update_makes_the_redundancy_of_the_new_data)
{
	for_each_coding(redundancy_is_updated);
}

TEST(indices_are_below_their_limit_and_differ)
{
	static const u32 indices[] = { 4, 0, 2, 4, 5 };

	EXPECT(doca_priv_ec_distinct(indices, 3, 5));
	EXPECT(!doca_priv_ec_distinct(indices, 4, 5));
	EXPECT(!doca_priv_ec_distinct(indices, 3, 4));
	EXPECT(!doca_priv_ec_distinct(indices + 4, 1, 5));
	EXPECT(doca_priv_ec_distinct(indices, 0, 0));
}
