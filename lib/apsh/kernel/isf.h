/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A map of a kernel's symbols and types, as volatility has them (ISF, 4.1 to 6.2), plain
 * or compressed by xz. All that is wanted is taken out of it at once.
 */
#ifndef DOCA_APSH_ISF_H
#define DOCA_APSH_ISF_H

#include <doca_error.h>

#include "fields.h"

/* INITIALIZATION, logged: unreadable, malformed, or something is missing or has a size
 * that it cannot have. NO_MEMORY. */
doca_error_t isf_read(const char *path, struct map *map);

#endif /* DOCA_APSH_ISF_H */
