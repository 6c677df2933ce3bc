/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Results for people, on stdout, as they come. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>

#include "result.h"

void table_facts(const struct results *results);

/* What there is to see. */
struct columns {
	bool single; /* operations are taken one at a time */
	bool cpu; /* what of a CPU they take */
	bool kernel; /* how much memory of the kernel they take */
	unsigned int refs; /* a bit for each */
	const char *notes;
};

void table_head(const struct columns *columns);
/* Between what is not compared with each other */
void table_gap(void);
void table_row(const struct row *row);
int table_end(void);

#endif /* BENCH_TABLE_H */
