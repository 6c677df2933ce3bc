/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Adler-32, as RFC 1950 has it. */
#ifndef DOCA_ALGO_ADLER32_H
#define DOCA_ALGO_ADLER32_H

#include <linux/types.h>

/* The sum of no bytes. */
#define DOCA_ADLER32_INIT 1

/* Return the sum of what @sum is of, and of @size bytes behind that. */
u32 doca_adler32(u32 sum, const void *data, size_t size);

#endif
