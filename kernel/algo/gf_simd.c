// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The product by AVX2, or in a process of arm64 by NEON: an instruction looks up the products
 * of many half bytes with a coefficient. Up to four rows at a time keep their sums in
 * registers, so the source is read once for these.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "algo/gf_simd.h"

#if defined(__x86_64__)
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#define DOCA_GF_VECTOR 32
/* The rest of the driver must not have such instructions. */
#define __doca_gf_simd __attribute__((__target__("avx2")))
#elif defined(__aarch64__) && !defined(__KERNEL__)
#include <arm_neon.h>

#define DOCA_GF_VECTOR 16
#define __doca_gf_simd
#endif

#ifdef DOCA_GF_VECTOR

#define __doca_gf_vector __attribute__((__vector_size__(DOCA_GF_VECTOR)))

struct doca_gf_vector {
	u8 bytes __doca_gf_vector;
};

/* In memory it may be anywhere. */
struct doca_gf_unaligned {
	struct doca_gf_vector vector;
} __packed __attribute__((__may_alias__));

#if DOCA_GF_VECTOR == 32
bool doca_gf_has_simd(void)
{
	return boot_cpu_has(X86_FEATURE_AVX2);
}

static __always_inline __doca_gf_simd struct doca_gf_vector
doca_gf_table(const u8 *table)
{
	struct doca_gf_vector both;

	asm("vbroadcasti128 %1, %0"
	    : "=x"(both.bytes)
	    : "m"(*(const u8(*)[16])table));
	return both;
}

/* Add what a table has for each of the half bytes. */
static __always_inline __doca_gf_simd void
doca_gf_add(struct doca_gf_vector *sum, struct doca_gf_vector table,
	    struct doca_gf_vector halves)
{
	struct doca_gf_vector found;

	asm("vpshufb %2, %1, %0"
	    : "=x"(found.bytes)
	    : "x"(table.bytes), "x"(halves.bytes));
	sum->bytes ^= found.bytes;
}
#else
bool doca_gf_has_simd(void)
{
	return true;
}

static __always_inline struct doca_gf_vector doca_gf_table(const u8 *table)
{
	return (struct doca_gf_vector){ vld1q_u8(table) };
}

static __always_inline void doca_gf_add(struct doca_gf_vector *sum,
					struct doca_gf_vector table,
					struct doca_gf_vector halves)
{
	sum->bytes ^= vqtbl1q_u8(table.bytes, halves.bytes);
}
#endif

/* Two vectors; half bytes, of which the low or the high ones are looked up. */
struct doca_gf_halves {
	struct doca_gf_vector low[2];
	struct doca_gf_vector high[2];
};

/* Two vectors of each of up to four rows. */
struct doca_gf_sums {
	struct doca_gf_vector of[4][2];
};

static __always_inline __doca_gf_simd void
doca_gf_add_to(struct doca_gf_vector sums[2], const u8 *tables,
	       const struct doca_gf_halves *halves)
{
	struct doca_gf_vector low = doca_gf_table(tables);
	struct doca_gf_vector high = doca_gf_table(tables + 16);

	doca_gf_add(&sums[0], low, halves->low[0]);
	doca_gf_add(&sums[1], low, halves->low[1]);
	doca_gf_add(&sums[0], high, halves->high[0]);
	doca_gf_add(&sums[1], high, halves->high[1]);
}

/* Add a column; compilers find that the sums fit registers if there is no loop. */
static __always_inline __doca_gf_simd void
doca_gf_add_column(struct doca_gf_sums *sums, u32 rows, const u8 *tables,
		   size_t row, const u8 *src)
{
	const struct doca_gf_unaligned *from = (const void *)src;
	struct doca_gf_halves halves;
	u32 i;

	for (i = 0; i < 2; i++) {
		halves.low[i] = from[i].vector;
		halves.high[i].bytes = halves.low[i].bytes >> 4;
		halves.low[i].bytes &= 15;
	}
	doca_gf_add_to(sums->of[0], tables, &halves);
	if (rows > 1)
		doca_gf_add_to(sums->of[1], tables + row, &halves);
	if (rows > 2)
		doca_gf_add_to(sums->of[2], tables + 2 * row, &halves);
	if (rows > 3)
		doca_gf_add_to(sums->of[3], tables + 3 * row, &halves);
}

/* Write a row's sums, or add them to what is there. */
static __always_inline __doca_gf_simd void
doca_gf_put(u8 *dst, const struct doca_gf_vector sums[2], bool add)
{
	struct doca_gf_unaligned *to = (void *)dst;
	struct doca_gf_vector sum;
	u32 i;

	for (i = 0; i < 2; i++) {
		sum = sums[i];
		if (add)
			sum.bytes ^= to[i].vector.bytes;
		to[i].vector = sum;
	}
}

/* Make the bytes from @offset to @end of @rows rows, a constant number, from row @first on. */
static __always_inline __doca_gf_simd void
doca_gf_rows(const struct doca_gf_product *product, u32 first, u32 rows,
	     size_t offset, size_t end)
{
	size_t row = (size_t)product->stride * DOCA_GF_TABLE;
	u8 *const *dst = product->dst + first;
	const u8 *tables;
	u32 c;

	for (; offset < end; offset += 2 * DOCA_GF_VECTOR) {
		struct doca_gf_sums sums = {};

		tables = product->tables + first * row;
		for (c = 0; c < product->columns; c++, tables += DOCA_GF_TABLE)
			doca_gf_add_column(&sums, rows, tables, row,
					   product->src[c] + offset);
		doca_gf_put(dst[0] + offset, sums.of[0], product->add);
		if (rows > 1)
			doca_gf_put(dst[1] + offset, sums.of[1], product->add);
		if (rows > 2)
			doca_gf_put(dst[2] + offset, sums.of[2], product->add);
		if (rows > 3)
			doca_gf_put(dst[3] + offset, sums.of[3], product->add);
	}
}

/* Leave the registers as the compiler expects them elsewhere. */
static noinline __doca_gf_simd void
doca_gf_group(const struct doca_gf_product *product, u32 first, size_t offset,
	      size_t end)
{
	switch (min(product->rows - first, 4U)) {
	case 1:
		doca_gf_rows(product, first, 1, offset, end);
		break;
	case 2:
		doca_gf_rows(product, first, 2, offset, end);
		break;
	case 3:
		doca_gf_rows(product, first, 3, offset, end);
		break;
	default:
		doca_gf_rows(product, first, 4, offset, end);
	}
}

/* A CPU does nothing else meanwhile, so no more of the source at a time. */
#define DOCA_GF_SECTION (64 * 1024)

void doca_gf_multiply_simd(const struct doca_gf_product *product, size_t offset,
			   size_t length)
{
	size_t most = max(DOCA_GF_SECTION / product->columns / DOCA_GF_UNIT,
			  1U) *
		      DOCA_GF_UNIT;
	size_t n;
	u32 r;

	for (; length; length -= n, offset += n) {
		n = min(length, most);
		for (r = 0; r < product->rows; r += 4) {
			kernel_fpu_begin();
			doca_gf_group(product, r, offset, offset + n);
			kernel_fpu_end();
		}
	}
}

#else

bool doca_gf_has_simd(void)
{
	return false;
}

void doca_gf_multiply_simd(const struct doca_gf_product *product, size_t offset,
			   size_t length)
{
	doca_gf_multiply_portable(product, offset, length);
}

#endif
