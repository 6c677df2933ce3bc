/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Folders that tools write to. */
#ifndef COMMON_FOLDER_H
#define COMMON_FOLDER_H

/* Make a folder, and the missing ones above it. Returns -1, and errno of the first failure. */
int folder_make(const char *path);

#endif /* COMMON_FOLDER_H */
