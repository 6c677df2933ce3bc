/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Facts of a machine that only its running kernel knows. */
#ifndef APSH_MAP_HOST_H
#define APSH_MAP_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel.h"

/* Read the kernel's symbols and types. */
void kernel_of_host(struct kernel *kernel);

/* Make mem_regions.json: the physical memory in a file like /proc/iomem. */
char *regions_make(const char *iomem);

/* Find the kernel's top-level page table, by a file like /proc/kcore. */
char *kpgd_make(const char *kcore);

/* Hash the code of files, or of the files that a process has mapped. */
char *hash_of_files(char *const files[], int nr);
char *hash_of_process(pid_t pid);

#endif /* APSH_MAP_HOST_H */
