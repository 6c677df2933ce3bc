/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_FILE_H
#define DOCA_APSH_SOURCE_FILE_H

#include "source.h"

extern const struct source_ops source_file_ops;

doca_error_t source_kcore(struct source *s);

#endif /* DOCA_APSH_SOURCE_FILE_H */
