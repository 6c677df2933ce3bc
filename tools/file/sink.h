/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Output: a file, which appears when it is complete; standard output; or none, for a test. */
#ifndef FILE_SINK_H
#define FILE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/output.h"
#include "input.h"

struct sink {
	enum { SINK_NONE, SINK_STDOUT, SINK_FILE } kind;
	uint64_t offset; /* bytes written */
	struct output file;
};

/* "-" is standard output, NULL none. Only with @force is a file replaced. */
int sink_open(struct sink *sink, const char *path, bool force);

/* A new file may be read by those only who may read the input, if that is a file. */
void sink_limit(struct sink *sink, const struct input *in);

int sink_write(struct sink *sink, const void *data, size_t len);
int sink_commit(struct sink *sink);
void sink_close(struct sink *sink);

#endif /* FILE_SINK_H */
