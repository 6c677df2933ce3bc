/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Folders that a tool writes to. */
#ifndef COMMON_FOLDER_H
#define COMMON_FOLDER_H

/* It, and those above it, where they are missing. -1, and errno of the first
 * that failed. */
int folder_make(const char *path);

#endif /* COMMON_FOLDER_H */
