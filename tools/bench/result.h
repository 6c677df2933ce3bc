/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Results and their environment, printed as they come and kept for files. */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include "way.h"

#define MAX_REFS 8 /* ways that others of the same load are compared with */

/* Times in seconds. */
struct times {
	double mean;
	double p50;
	double p99;
	double p999;
	double max;
};

struct row {
	const char *operation; /* this and way live as long as the results */
	const char *way;
	struct load load;
	double rate; /* operations a second; the median */
	double spread; /* deviation of the runs from the median; -1: unknown */
	struct times times; /* only the mean, unless operations are timed */
	double trips; /* time in round trips of the line; 0: not compared */
	double kernel; /* kernel memory for each, in bytes; 0: unknown */
	double cpu; /* seconds of the thread for each, the median; 0: unknown */
	double to[MAX_REFS]; /* speed relative to theirs; 0: not compared */
};

struct fact {
	char name[24];
	char value[320];
};

#define MAX_FACTS 24

struct results {
	const char *const *refs; /* names of references, and NULL */
	struct fact facts[MAX_FACTS];
	unsigned int nr_facts;
	struct row *rows;
	unsigned int nr_rows;
};

/* Add a fact of the environment, before all rows. */
__attribute__((format(printf, 3, 4))) void results_fact(struct results *results,
							const char *name,
							const char *format,
							...);
int results_row(struct results *results, const struct row *row);
void results_free(struct results *results);

#endif /* BENCH_RESULT_H */
