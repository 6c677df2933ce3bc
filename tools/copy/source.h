/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The file that is read */
#ifndef COPY_SOURCE_H
#define COPY_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* Open a regular file; returns a file descriptor or -1. */
int source_open(const char *path, uint64_t *length);

/* Read all of the range; that the file has become shorter is an error. */
int source_read(int fd, const char *path, void *buf, uint64_t off, size_t len);

#endif /* COPY_SOURCE_H */
