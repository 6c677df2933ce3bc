/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A map of a kernel's symbols and types in volatility's format (ISF, 4.1 to 6.2), plain
 * or compressed with xz. All that the library needs is taken out of it at once.
 */
#ifndef DOCA_APSH_ISF_H
#define DOCA_APSH_ISF_H

#include <doca_error.h>

#include "fields.h"

/*
 * Read a map. INITIALIZATION, logged: it is unreadable or malformed, or a field is
 * missing or has an impossible size. NO_MEMORY.
 */
doca_error_t isf_read(const char *path, struct map *map);

#endif /* DOCA_APSH_ISF_H */
