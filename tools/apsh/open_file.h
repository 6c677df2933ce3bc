/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory backends without a path, which only QEMU has open. */
#ifndef APSH_OPEN_FILE_H
#define APSH_OPEN_FILE_H

#include <sys/types.h>

/*
 * Return QEMU's descriptor of its only memfd of a backend, or of the file that it has made
 * for backend @id in a folder. If that fails, say why and end the program.
 */
int open_file_memfd(pid_t pid);
int open_file_in_folder(pid_t pid, const char *folder, const char *id);

#endif /* APSH_OPEN_FILE_H */
