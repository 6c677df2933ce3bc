/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The output file. It grows under a temporary name beside its place, and gets
 * its own name when it is complete.
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
	bool replaces; /* it replaces a file, and gets its owner and mode */
	struct stat old;
};

int output_open(struct output *out, const char *path, uint64_t length);
int output_write(struct output *out, const void *buf, uint64_t off, size_t len);

/* Make the file durable and give it its name; output_close() is still needed. */
int output_commit(struct output *out);

/* Close the file, and remove it unless it was committed. */
void output_close(struct output *out);

#endif /* COPY_OUTPUT_H */
