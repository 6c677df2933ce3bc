/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_FILE_H
#define DOCA_APSH_SOURCE_FILE_H

#include "source.h"

extern const struct source_ops source_file_ops, source_kcore_ops,
	source_kdump_ops;

/* read.c: for operations that differ from those of a file in a few functions. */
int source_file_read(struct source *s, struct source_range *r, unsigned int nr);
bool source_file_next_data(struct source *s, u64 *pa, u64 *len);
void source_file_close(struct source *s);

/* format.c: sets the segments, by the target's format or by how the file begins. */
doca_error_t source_format(struct source *s, const struct target *t,
			   const char *path);

/* A file that is a compressed dump; it has operations of its own then. */
doca_error_t source_kdump(struct source *s, const char *path);

#endif /* DOCA_APSH_SOURCE_FILE_H */
