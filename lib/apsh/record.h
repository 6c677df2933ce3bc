/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A recording: the granules that were read of a target, each as it was at its first
 * reading. A few megabytes stand for all of a machine's memory.
 */
#ifndef DOCA_APSH_RECORD_H
#define DOCA_APSH_RECORD_H

#include "kernel/kernel.h"
#include "source/source.h"

struct record;

/* Return NULL if there is no memory. */
struct record *record_new(void);
void record_free(struct record *record); /* NULL: nothing to free */

/* Add ranges that were read; granules that are not whole are left out. */
void record_add(struct record *record, const struct source_range *r,
		unsigned int nr);

/*
 * Write an ELF core with a VMCOREINFO that says where the kernel is. The file is new, and
 * only its user may read it. NO_MEMORY; OPERATING_SYSTEM, logged, if it cannot be written.
 */
doca_error_t record_write(struct record *record, const struct kernel *kernel,
			  const char *path);

#endif /* DOCA_APSH_RECORD_H */
