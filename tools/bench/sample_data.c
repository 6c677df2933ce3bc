// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "sample_data.h"

/* Numbers of one seed are alike in each run. */
static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

size_t sample_text(uint8_t *to, size_t size, uint32_t seed)
{
	static const char letters[] = "etaoinshrdlu";
	uint8_t words[512][8];
	uint32_t state = seed;
	size_t at, i, len;

	for (i = 0; i < sizeof(words); i++)
		words[i / 8][i % 8] = letters[next(&state) % 12];
	for (at = 0; at < size; at += len + 1) {
		/* Some words are more usual than others. */
		i = next(&state) % 512 * (next(&state) % 512) / 512;
		len = 2 + i % 7;
		if (len > size - at - 1)
			len = size - at - 1;
		memcpy(to + at, words[i], len);
		to[at + len] = ' ';
	}
	return size;
}

size_t sample_deflate(uint8_t *to, size_t size, uint32_t seed)
{
	uint8_t *text = malloc(size);
	z_stream z = { 0 };
	size_t len = 0;

	if (text && deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8,
				 Z_DEFAULT_STRATEGY) == Z_OK) {
		sample_text(text, size, seed);
		z.next_in = text;
		z.avail_in = size;
		z.next_out = to;
		z.avail_out = size;
		if (deflate(&z, Z_FINISH) == Z_STREAM_END)
			len = z.total_out;
		deflateEnd(&z);
	}
	free(text);
	return len;
}

/* Sequences of 8 literals and a match of 12 bytes; and literals at the end. */
size_t sample_lz4(uint8_t *to, size_t size, uint32_t seed)
{
	enum { LITERALS = 8, MATCH = 12, LAST = 15 };
	uint8_t *begin = to;
	uint32_t state = seed;
	size_t rest, i;

	for (rest = size; rest >= LITERALS + MATCH + LAST;
	     rest -= LITERALS + MATCH) {
		*to++ = LITERALS << 4 | (MATCH - 4);
		for (i = 0; i < LITERALS; i++)
			*to++ = next(&state);
		*to++ = LITERALS;
		*to++ = 0;
	}
	*to++ = 15 << 4;
	*to++ = rest - 15;
	memset(to, 0, rest);
	return to + rest - begin;
}
