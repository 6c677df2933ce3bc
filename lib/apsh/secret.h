/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory of a target must not get into core dumps, nor be left behind. */
#ifndef DOCA_APSH_SECRET_H
#define DOCA_APSH_SECRET_H

#include <stddef.h>

/* Most memory is allocated by this size, and is kept for the next call. */
enum { SECRET_BLOCK = 64 << 10 };

/* Allocate memory with any contents; NULL if there is none. */
void *secret_alloc(size_t size);
/* Zero the first @used bytes; the others were never touched. NULL: nothing. */
void secret_free(void *p, size_t size, size_t used);

#endif /* DOCA_APSH_SECRET_H */
