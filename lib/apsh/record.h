/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A recording is what was read of a target, each granule as it was when it was read first:
 * a few megabytes that stand for all of a machine's memory.
 */
#ifndef DOCA_APSH_RECORD_H
#define DOCA_APSH_RECORD_H

#include "kernel/kernel.h"
#include "source/source.h"

struct record;

/* NULL if there is no memory. */
struct record *record_new(void);
void record_free(struct record *record); /* NULL is none */

/* What was read; parts of granules are left out. */
void record_add(struct record *record, const struct source_range *r,
		unsigned int nr);

/*
 * Write an ELF core, with a VMCOREINFO that says where the kernel is. The file is new, and
 * its user's alone. NO_MEMORY, or OPERATING_SYSTEM if it cannot be written, logged.
 */
doca_error_t record_write(struct record *record, const struct kernel *kernel,
			  const char *path);

#endif /* DOCA_APSH_RECORD_H */
