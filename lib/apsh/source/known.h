/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_KNOWN_H
#define DOCA_APSH_SOURCE_KNOWN_H

#include "source.h"

/* A format that is not read: what such a file has at a place, and how it becomes readable. */
struct known_format {
	u32 at, len;
	const char *magic;
	const char *name;
	const char *advice;
};

/* Return the format of the file, or NULL if it is none of those. */
const struct known_format *known_format(struct source *s);

#endif /* DOCA_APSH_SOURCE_KNOWN_H */
