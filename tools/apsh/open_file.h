/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of memory without a path, which only QEMU has open. */
#ifndef APSH_OPEN_FILE_H
#define APSH_OPEN_FILE_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Return the process's descriptor of the file that it has mapped at @va, where byte @offset of
 * the file is. If that fails, say why and end the program.
 */
int open_file_mapped(pid_t pid, uint64_t va, uint64_t offset);

#endif /* APSH_OPEN_FILE_H */
