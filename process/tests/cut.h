/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Memory that is cut into segments anywhere, as an operation must take it. */
#ifndef PROCESS_TESTS_CUT_H
#define PROCESS_TESTS_CUT_H

#include "selftests/lib/rounds.h"

#include "any.h"
#include "program.h"

#define SEGMENTS 64

/* Cut @length bytes at @addr into segments of the table; some are empty. */
static inline struct doca_seg cut(struct program *p, u32 first, const char *addr, u32 length)
{
	u32 i, n, nr = 1 + any(SEGMENTS);

	for (i = 0; i < nr; i++) {
		n = any(4) ? any(2 * length / (nr - i) + 1) : any(2) * any(40);
		n = i == nr - 1 ? length : min(n, length);
		segs_of(p->queue)[first + i] = seg_at(p->key, addr, n);
		addr += n;
		length -= n;
	}
	return (struct doca_seg){ .length = nr, .address = first };
}

#endif
