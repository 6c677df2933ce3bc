/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What can be said of a machine only by its running kernel. */
#ifndef APSH_MAP_HOST_H
#define APSH_MAP_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel.h"

/* Its symbols and types. */
void kernel_of_host(struct kernel *kernel);

/* Physical memory, of a file like /proc/iomem, as mem_regions.json. */
char *regions_make(const char *iomem);

/* Where the kernel's top-level page table is, of a file like /proc/kcore. */
char *kpgd_make(const char *kcore);

/* Hashes of the code of files, or of those that a process has mapped. */
char *hash_of_files(char *const files[], int nr);
char *hash_of_process(pid_t pid);

#endif /* APSH_MAP_HOST_H */
