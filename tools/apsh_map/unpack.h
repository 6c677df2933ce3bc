/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_MAP_UNPACK_H
#define APSH_MAP_UNPACK_H

#include "file.h"

/*
 * Unpack the kernel in a bzImage, whose last four bytes are its size, or end the program.
 * The caller frees the data.
 */
struct bytes unpack(const char *path, const struct bytes *packed);

#endif /* APSH_MAP_UNPACK_H */
