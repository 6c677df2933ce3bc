/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The file that a sample brings from one side to the other: the flag -f names it where it
 * comes from, and where it goes to. Both sides add its bytes up, and compare the sums.
 */
#ifndef SAMPLES_FILE_H
#define SAMPLES_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "sample.h"

/* The flag -f */
extern const struct sample_flag file_flag;

/* Open the file to be read, which is this program without -f; set its length. */
int file_open(uint64_t *length);

/* Create the file to be written; return -1 without -f. */
int file_create(void);

/* Read or write all of these bytes, or give up. */
void file_read(int fd, void *bytes, size_t length);
void file_write(int fd, const void *bytes, size_t length);

/* End with the file. A file that was written may fail here. */
void file_close(int fd);

/* Add bytes to a sum, which is 0 at first; their order matters. */
uint64_t file_sum(uint64_t sum, const void *bytes, size_t length);

#endif
