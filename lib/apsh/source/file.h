/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_FILE_H
#define DOCA_APSH_SOURCE_FILE_H

#include "core/device/target.h"

#include "source.h"

enum { SOURCE_NAME = 64 };

extern const struct source_ops source_file_ops, source_kcore_ops,
	source_kdump_ops, source_packed_ops, source_parts_ops, source_qevm_ops;

/* file.c: open a file of memory to be read. Its size is not 0. */
doca_error_t source_open_file(const struct target_part *file, int *fd,
			      u64 *size);
/* Return its path, which is in @room if another process has it open. */
const char *source_name_file(const struct target_part *file,
			     char room[SOURCE_NAME]);

/* read.c: for kinds of files that differ from a plain one in a few functions. */
int source_file_read(struct source *s, struct source_range *r, unsigned int nr);
bool source_file_next_data(struct source *s, u64 *pa, u64 *len);
void source_file_close(struct source *s);

/* format.c: add a region that the target file describes; it must be in the file. */
doca_error_t source_region(struct source *s, const struct target_region *r,
			   const char *path);

/* Set the segments, by the target's format or by the beginning of the file. */
doca_error_t source_format(struct source *s, const struct target *t,
			   const char *path);

/* packed.c: take its operations if there are packed segments. */
doca_error_t source_packed(struct source *s);

/* Open a compressed dump, which has operations of its own. */
doca_error_t source_kdump(struct source *s, const char *path);

/* Open a saved state of QEMU, or of libvirt, likewise. */
doca_error_t source_qevm(struct source *s, const struct target *t,
			 const char *path);

#endif /* DOCA_APSH_SOURCE_FILE_H */
