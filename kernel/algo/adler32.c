// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Adler-32: a sum of the bytes and a sum of these sums, modulo a prime. */
#include <linux/minmax.h>

#include "algo/adler32.h"

#define DOCA_ADLER32_PRIME 65521U
/* So many bytes overflow no sum. */
#define DOCA_ADLER32_RUN 5552

u32 doca_adler32(u32 sum, const void *data, size_t size)
{
	u32 low = sum & 0xffff, high = sum >> 16;
	const u8 *at = data, *end;

	while (size) {
		end = at + min_t(size_t, size, DOCA_ADLER32_RUN);
		size -= end - at;
		while (at < end) {
			low += *at++;
			high += low;
		}
		low %= DOCA_ADLER32_PRIME;
		high %= DOCA_ADLER32_PRIME;
	}
	return high << 16 | low;
}
