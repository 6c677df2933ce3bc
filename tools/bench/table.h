/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Results for people, on stdout, as they come. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>

#include "result.h"

void table_facts(const struct results *results);

/* The columns of a table. */
struct columns {
	bool single; /* operations are timed one by one */
	bool cpu; /* CPU time of an operation */
	bool kernel; /* kernel memory of an operation */
	const char *const *refs; /* names of references, and NULL */
	const char *notes;
};

void table_head(const struct columns *columns);
/* Separate rows that are not compared with each other. */
void table_gap(void);
void table_row(const struct row *row);
int table_end(void);

#endif /* BENCH_TABLE_H */
