/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The product by instructions that look up many bytes at once. */
#ifndef DOCA_ALGO_GF_SIMD_H
#define DOCA_ALGO_GF_SIMD_H

#include "algo/gf.h"

/* Return whether this CPU has these instructions. */
bool doca_gf_has_simd(void);

/* As doca_gf_multiply(), where doca_gf_has_simd(). */
void doca_gf_multiply_simd(const struct doca_gf_product *product, size_t offset,
			   size_t length);

/* As doca_gf_multiply(), by instructions that each CPU has. */
void doca_gf_multiply_portable(const struct doca_gf_product *product,
			       size_t offset, size_t length);

#endif
