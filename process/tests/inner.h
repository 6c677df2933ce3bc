/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* What tests see of the driver from within. */
#ifndef NATIVE_TESTS_INNER_H
#define NATIVE_TESTS_INNER_H

#include "file.h"

/* The file that was opened last; others may be on their way out. */
static inline struct doca_file *last_file(void)
{
	struct doca_file *file, *last = NULL;
	u32 id = 0;

	while ((file = doca_file_next(&id))) {
		if (last)
			doca_file_put(last);
		last = file;
		id++;
	}
	return last;
}

#endif /* NATIVE_TESTS_INNER_H */
