/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Other programs that compress, and the files that they read and write. */
#ifndef DOCA_TOOLS_H
#define DOCA_TOOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/doca.h>

/* Return the output of a command with that input; negative if there is no such program */
static inline ssize_t run_tool(const char *command, const void *in, size_t length, void *out,
			       size_t room)
{
	int from = memfd_create("in", 0), to = memfd_create("out", 0);
	ssize_t n = -1;
	char line[512];

	snprintf(line, sizeof(line), "%s </proc/%d/fd/%d >/proc/%d/fd/%d 2>/dev/null", command,
		 getpid(), from, getpid(), to);
	if (pwrite(from, in, length, 0) == (ssize_t)length && !system(line))
		n = pread(to, out, room, 0);
	close(from);
	close(to);
	return n;
}

/* As slow as they are obvious */
static inline uint32_t crc32_of(const uint8_t *data, size_t length)
{
	static uint32_t table[256];
	uint32_t sum = ~0, i, k;

	for (i = 0; !table[255] && i < 256; i++)
		for (table[i] = i, k = 0; k < 8; k++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	while (length--)
		sum = sum >> 8 ^ table[(sum ^ *data++) & 0xff];
	return ~sum;
}

static inline uint32_t adler32_of(const uint8_t *data, size_t length)
{
	uint32_t a = 1, b = 0;

	while (length--) {
		a = (a + *data++) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static inline void put_le32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = value >> 8 * i;
}

static inline uint32_t get_le32(const uint8_t *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Make a file of gzip of what was deflated; return its length */
static inline size_t wrap_gzip(uint8_t *file, const uint8_t *packed, size_t packed_length,
			       const uint8_t *data, size_t length)
{
	memcpy(file, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
	memcpy(file + 10, packed, packed_length);
	put_le32(file + 10 + packed_length, crc32_of(data, length));
	put_le32(file + 14 + packed_length, length);
	return packed_length + 18;
}

struct lz4_frame {
	uint16_t flags; /* an entry for the blocks has these */
	const uint8_t *blocks; /* to the end mark and with it */
	size_t length;
	bool has_sum;
	uint32_t sum; /* XXH32 of what is compressed */
};

static inline bool lz4_frame_of(const uint8_t *file, size_t length, struct lz4_frame *frame)
{
	uint8_t how = length > 15 ? file[4] : 0;
	size_t head = 7 + (how & 8 ? 8 : 0), tail = how & 4 ? 4 : 0;

	if (length < head + tail || get_le32(file) != 0x184d2204)
		return false;
	*frame = (struct lz4_frame){
		.flags = (how & 0x20 ? DOCA_SQE_LZ4_INDEPENDENT : 0) |
			 (how & 0x10 ? DOCA_SQE_LZ4_CHECKSUM : 0),
		.blocks = file + head,
		.length = length - head - tail,
		.has_sum = how & 4,
		.sum = get_le32(file + length - 4),
	};
	return true;
}

#endif /* DOCA_TOOLS_H */
