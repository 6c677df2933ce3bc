// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* CSV. The environment precedes the table, in lines that begin with '#'. */
#include <stdio.h>

#include "file.h"

static void print_head(FILE *f, const char *const *refs)
{
	unsigned int i;

	fputs("operation,way,size,depth,ops_per_s,bytes_per_s,latency_ns,p50_ns,p99_ns,p99.9_ns,max_ns,spread,round_trips,kernel_bytes,cpu_ns",
	      f);
	for (i = 0; refs[i]; i++)
		fprintf(f, ",part_of_%s", refs[i]);
	putc('\n', f);
}

/* An unknown value is an empty field. */
static void print_if(FILE *f, double value, int digits)
{
	putc(',', f);
	if (value)
		fprintf(f, "%.*f", digits, value);
}

/* Names of ways contain no quotes. */
static void print_row(FILE *f, const struct row *row, const char *const *refs)
{
	const struct times *times = &row->times;
	unsigned int i;

	fprintf(f, "%s,\"%s\",%zu,%u,%.1f,%.0f,%.1f", row->operation, row->way,
		row->load.size, row->load.depth, row->rate,
		row->rate * row->load.size, times->mean * 1e9);
	print_if(f, times->p50 * 1e9, 0);
	print_if(f, times->p99 * 1e9, 0);
	print_if(f, times->p999 * 1e9, 0);
	print_if(f, times->max * 1e9, 0);
	fprintf(f, ",%.3f", row->spread);
	print_if(f, row->trips, 3);
	print_if(f, row->kernel, 0);
	print_if(f, row->cpu * 1e9, 1);
	for (i = 0; refs[i]; i++)
		if (row->to[i])
			fprintf(f, ",%.4g", row->to[i]);
		else
			putc(',', f);
	putc('\n', f);
}

void csv_print(FILE *f, const struct results *results)
{
	unsigned int i;

	for (i = 0; i < results->nr_facts; i++)
		fprintf(f, "# %s: %s\n", results->facts[i].name,
			results->facts[i].value);
	print_head(f, results->refs);
	for (i = 0; i < results->nr_rows; i++)
		print_row(f, &results->rows[i], results->refs);
}
