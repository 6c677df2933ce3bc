/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The sum of descriptors that travel between machines: a few bytes, so there is no table. */
#ifndef DOCA_CORE_CRC32C_H
#define DOCA_CORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t crc32c(const void *data, size_t len)
{
	const uint8_t *byte = data;
	uint32_t crc = UINT32_MAX;
	int bit;

	while (len--) {
		crc ^= *byte++;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

#endif /* DOCA_CORE_CRC32C_H */
