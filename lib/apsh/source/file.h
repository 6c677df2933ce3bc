/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_FILE_H
#define DOCA_APSH_SOURCE_FILE_H

#include "source.h"

extern const struct source_ops source_file_ops, source_kdump_ops;

doca_error_t source_kcore(struct source *s);
/* A file that is a compressed dump; it has operations of its own then. */
doca_error_t source_kdump(struct source *s, const char *path);

#endif /* DOCA_APSH_SOURCE_FILE_H */
