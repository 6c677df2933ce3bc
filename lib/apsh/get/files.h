/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Tables of open files. */
#ifndef DOCA_APSH_FILES_H
#define DOCA_APSH_FILES_H

#include "group.h"

/* Addresses of struct file by descriptor, 0 where none is; freed by the caller. */
u64 *files_get(struct call *c, u64 task, u32 *nr);

#endif /* DOCA_APSH_FILES_H */
