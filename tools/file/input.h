/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Input of any length: a file, or a pipe. What was looked at ahead is kept. */
#ifndef FILE_INPUT_H
#define FILE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/progress.h"

struct input {
	const char *name; /* for messages */
	int fd;
	bool has_ended; /* there is nothing behind what is kept */
	uint8_t *ahead; /* read, but not consumed: @ahead_len bytes */
	uint8_t *buf; /* in which they are */
	size_t buf_size;
	size_t ahead_len;
	uint64_t offset; /* bytes consumed */
	struct progress progress;
};

/* "-" is standard input. */
int input_open(struct input *input, const char *path);
void input_close(struct input *input);

/* Consume up to @len bytes; only where the input ends there are less. */
int input_read(struct input *input, void *to, size_t len, size_t *got);

/* Let @ahead have @len bytes; only where the input ends there are less. */
int input_look(struct input *input, size_t len);
void input_skip(struct input *input, size_t len);

/* 1 or 0; -1: it could not be read. */
int input_is_at_end(struct input *input);

/* Say that there is something wrong with the data at an offset. Returns -1. */
int input_damaged(const struct input *input, uint64_t offset, const char *why);

#endif /* FILE_INPUT_H */
