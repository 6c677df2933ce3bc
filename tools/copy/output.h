/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The file that is written: it grows under another name beside its place, and
 * gets its own only when it is complete.
 */
#ifndef COPY_OUTPUT_H
#define COPY_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct output {
	int fd;
	char *path;
	char *tmp;
	bool replaces; /* a file, whose owner and permissions it gets */
	struct stat old;
};

int output_open(struct output *out, const char *path, uint64_t length);
int output_write(struct output *out, const void *buf, uint64_t off, size_t len);

/* Make it last and give it its name; output_close() is still needed. */
int output_commit(struct output *out);

/* Close it and, if it was not committed, take it away. */
void output_close(struct output *out);

#endif /* COPY_OUTPUT_H */
