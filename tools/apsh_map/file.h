/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files: read as a whole, and written as a whole or not at all. */
#ifndef APSH_MAP_FILE_H
#define APSH_MAP_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "fail.h"

struct bytes {
	unsigned char *data; /* followed by a byte of 0 */
	size_t size;
};

/* Return the number of four bytes, the low one first. */
static inline uint32_t get32(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/* Read a file; those in /proc and /sys are possible. */
struct bytes file_read(const char *path);

/* Read and close fd, the result of open(); if it is negative, errno says why. */
struct bytes file_read_open(const char *path, int fd);

/* Write a file, which keeps its old contents until all is written; "-" is stdout. */
void file_write(const char *path, const char *text, size_t len);

/* Number of hexadecimal digits. */
#define SHA256_DIGITS 64
void sha256(const void *data, size_t size, char digits[SHA256_DIGITS + 1]);

#endif /* APSH_MAP_FILE_H */
