/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The output file. It grows without a name, or under a temporary one beside its place
 * where the file system wants one, and gets its own name when it is complete.
 */
#ifndef DATA_OUTPUT_H
#define DATA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct output {
	int fd;
	char *path;
	char *tmp; /* NULL: it has no name yet, or its own */
	bool is_new; /* no other file is replaced */
	bool replaces; /* it replaces a file, and gets its owner and mode */
	struct stat old;
	mode_t mode; /* a new file gets it, but for the umask */
};

/* With @is_new it is an error if the file exists, now or in the end. */
int output_open(struct output *out, const char *path, uint64_t length,
		bool is_new);
int output_write(struct output *out, const void *buf, uint64_t off, size_t len);

/* A new file may be read by those only who may read the one that it is made of. */
void output_limit(struct output *out, const struct stat *from);

/*
 * Make the file durable, give it its name, which no request to end prevents, and make
 * that durable, too; output_close() is still needed. output_commit() does all three. If
 * the last one fails, the file has its name nevertheless.
 */
int output_seal(struct output *out);
int output_publish(struct output *out);
int output_settle(struct output *out);
int output_commit(struct output *out);

/* Close the file, which is gone unless it was committed. */
void output_close(struct output *out);

#endif /* DATA_OUTPUT_H */
