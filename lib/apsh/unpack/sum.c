// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "unpack.h"

void snappy_sum_init(struct snappy_sum *s)
{
	for (u32 i = 0; i < ARRAY_SIZE(s->of_byte); i++) {
		u32 crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
		s->of_byte[i] = crc;
	}
}

u32 snappy_sum(const struct snappy_sum *s, const void *data, size_t len)
{
	const u8 *byte = data;
	u32 crc = UINT32_MAX;

	while (len--)
		crc = crc >> 8 ^ s->of_byte[(crc ^ *byte++) & 0xff];
	crc = ~crc;
	return (crc >> 15 | crc << 17) + 0xa282ead8;
}
