/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files, which are read whole, and written whole or not at all. */
#ifndef APSH_MAP_FILE_H
#define APSH_MAP_FILE_H

#include <stddef.h>

#include "fail.h"

struct bytes {
	unsigned char *data; /* a byte of 0 follows */
	size_t size;
};

/* Also of those in /proc and /sys. */
struct bytes file_read(const char *path);

/* What open() has made of it, which is closed; errno says why that is negative. */
struct bytes file_read_open(const char *path, int fd);

/* To a file of that name, which is as it was until all is written; "-" is stdout. */
void file_write(const char *path, const char *text, size_t len);

/* 64 hexadecimal digits. */
#define SHA256_DIGITS 64
void sha256(const void *data, size_t size, char digits[SHA256_DIGITS + 1]);

#endif /* APSH_MAP_FILE_H */
