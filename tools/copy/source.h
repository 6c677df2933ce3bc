/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The input file. */
#ifndef COPY_SOURCE_H
#define COPY_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* Open a regular file. Returns a file descriptor or -1. */
int source_open(const char *path, uint64_t *length);

/* Read a whole range; it is an error if the file has become shorter. */
int source_read(int fd, const char *path, void *buf, uint64_t off, size_t len);

#endif /* COPY_SOURCE_H */
