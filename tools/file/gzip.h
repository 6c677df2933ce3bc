/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Members of gzip files (RFC 1952), and how long they are, where their header says so. */
#ifndef FILE_GZIP_H
#define FILE_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that gzip_write_header() writes, and those of all trailers. */
#define GZIP_HEADER 20
#define GZIP_TRAILER 8

struct gzip_header {
	size_t length; /* bytes of the header */
	size_t member; /* bytes of the whole member; 0: it does not say so */
};

struct gzip_trailer {
	uint32_t crc;
	uint32_t length; /* bytes that were compressed, modulo 2^32 */
};

/* Write a header that tells the member's length, as gzip_read_header() finds it. */
void gzip_write_header(uint8_t to[GZIP_HEADER], uint32_t member);
void gzip_write_trailer(uint8_t to[GZIP_TRAILER],
			const struct gzip_trailer *trailer);
void gzip_read_trailer(const uint8_t *from, struct gzip_trailer *trailer);

bool gzip_is_member(const uint8_t *data, size_t len);

/* Returns 1; 0: @len bytes are too few; -1: it is no header, for a reason. */
int gzip_read_header(const uint8_t *data, size_t len,
		     struct gzip_header *header, const char **why);

#endif /* FILE_GZIP_H */
