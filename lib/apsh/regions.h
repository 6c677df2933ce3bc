/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Physical memory that may be read: the operator's file of memory regions. */
#ifndef DOCA_APSH_REGIONS_H
#define DOCA_APSH_REGIONS_H

#include <doca_error.h>

#include "types.h"

struct region {
	u64 start;
	u64 end; /* first address behind it */
};

struct regions {
	struct region *list; /* by address; they do not overlap */
	u32 nr;
};

/* Read the file. INITIALIZATION, logged with the key in error; NO_MEMORY. */
doca_error_t regions_read(const char *path, struct regions *regions);
void regions_free(struct regions *regions);

/* Return true if one region has all of [pa, pa + len). */
bool regions_have(const struct regions *regions, u64 pa, u64 len);

#endif /* DOCA_APSH_REGIONS_H */
