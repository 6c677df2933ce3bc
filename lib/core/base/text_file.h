/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of settings, as text. */
#ifndef DOCA_CORE_TEXT_FILE_H
#define DOCA_CORE_TEXT_FILE_H

#include <stddef.h>

enum { TEXT_FILE_MAX = 1 << 20 }; /* bytes */

/*
 * Read a whole file that is open at its beginning; the caller frees *text. Returns 0 or a negative
 * errno: EINVAL, which was logged, if it is too long.
 */
int text_file_load(const char *path, int fd, char **text, size_t *len);

#endif /* DOCA_CORE_TEXT_FILE_H */
