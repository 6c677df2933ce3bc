// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <endian.h>
#include <string.h>

#include "gzip.h"

#define FIXED 10 /* bytes that all headers begin with */
#define DEFLATE 8
#define UNIX 3

enum {
	HAS_CRC = 2,
	HAS_EXTRA = 4,
	HAS_NAME = 8,
	HAS_COMMENT = 16,
	RESERVED = 0xe0,
};

/* Fields of the extra data: ours, and that of bgzip. */
static const uint8_t own_field[4] = { 'O', 'D', 4, 0 };
static const uint8_t bgzip_field[4] = { 'B', 'C', 2, 0 };

static uint16_t get16(const uint8_t *at)
{
	return at[0] | at[1] << 8;
}

static uint32_t get32(const uint8_t *at)
{
	return get16(at) | (uint32_t)get16(at + 2) << 16;
}

static void put32(uint8_t *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

void gzip_write_header(uint8_t to[GZIP_HEADER], uint32_t member)
{
	static const uint8_t begin[FIXED + 2] = {
		0x1f, 0x8b, DEFLATE, HAS_EXTRA, 0, 0, 0, 0, 0, UNIX, 8, 0,
	};

	memcpy(to, begin, sizeof(begin));
	memcpy(to + sizeof(begin), own_field, sizeof(own_field));
	put32(to + sizeof(begin) + sizeof(own_field), member);
}

void gzip_write_trailer(uint8_t to[GZIP_TRAILER],
			const struct gzip_trailer *trailer)
{
	put32(to, trailer->crc);
	put32(to + 4, trailer->length);
}

void gzip_read_trailer(const uint8_t *from, struct gzip_trailer *trailer)
{
	trailer->crc = get32(from);
	trailer->length = get32(from + 4);
}

bool gzip_is_member(const uint8_t *data, size_t len)
{
	return len >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/* A member's length, from the fields of its extra data; 0 if none says so. */
static size_t find_length(const uint8_t *field, size_t left)
{
	size_t size;

	while (left >= 4) {
		size = 4 + get16(field + 2);
		if (size > left)
			return 0;
		if (!memcmp(field, own_field, sizeof(own_field)))
			return get32(field + 4);
		if (!memcmp(field, bgzip_field, sizeof(bgzip_field)))
			return get16(field + 4) + 1;
		field += size;
		left -= size;
	}
	return 0;
}

/* Skip a text with its zero; false if it does not end. */
static bool skip_text(const uint8_t *data, size_t len, size_t *at)
{
	const uint8_t *end = *at < len ? memchr(data + *at, 0, len - *at) :
					 NULL;

	if (end)
		*at = end + 1 - data;
	return end;
}

int gzip_read_header(const uint8_t *data, size_t len,
		     struct gzip_header *header, const char **why)
{
	size_t at = FIXED, extra;

	*header = (struct gzip_header){ 0 };
	if (len < FIXED)
		return 0;
	if (!gzip_is_member(data, len) || data[2] != DEFLATE ||
	    (data[3] & RESERVED)) {
		*why = "this is no header of gzip's";
		return -1;
	}
	if (data[3] & HAS_EXTRA) {
		if (len < at + 2)
			return 0;
		extra = get16(data + at);
		at += 2 + extra;
		if (len < at)
			return 0;
		header->member = find_length(data + at - extra, extra);
	}
	if ((data[3] & HAS_NAME) && !skip_text(data, len, &at))
		return 0;
	if ((data[3] & HAS_COMMENT) && !skip_text(data, len, &at))
		return 0;
	if (data[3] & HAS_CRC)
		at += 2;
	if (len < at)
		return 0;
	header->length = at;
	return 1;
}
