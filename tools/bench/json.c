// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>

#include "common/json_version.h"
#include "file.h"

static void print_string(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', f);
		if ((unsigned char)*s >= ' ')
			putc(*s, f);
	}
	putc('"', f);
}

static void print_facts(FILE *f, const struct results *results)
{
	unsigned int i;

	for (i = 0; i < results->nr_facts; i++) {
		fputs(i ? ",\n  " : "\n  ", f);
		print_string(f, results->facts[i].name);
		fputs(": ", f);
		print_string(f, results->facts[i].value);
	}
}

static void print_times(FILE *f, const struct times *times)
{
	fprintf(f, ", \"latency_ns\": %.1f", times->mean * 1e9);
	if (times->max)
		fprintf(f,
			", \"p50_ns\": %.0f, \"p99_ns\": %.0f, \"p99.9_ns\": %.0f, \"max_ns\": %.0f",
			times->p50 * 1e9, times->p99 * 1e9, times->p999 * 1e9,
			times->max * 1e9);
}

static void print_ratios(FILE *f, const struct row *row,
			 const char *const *refs)
{
	const char *between = "";
	unsigned int i;

	if (row->trips)
		fprintf(f, ", \"round_trips\": %.3f", row->trips);
	fputs(", \"part_of\": {", f);
	for (i = 0; refs[i]; i++) {
		if (!row->to[i])
			continue;
		fprintf(f, "%s\"%s\": %.4g", between, refs[i], row->to[i]);
		between = ", ";
	}
	putc('}', f);
}

static void print_row(FILE *f, const struct row *row, const char *const *refs)
{
	fprintf(f, "\n  {\"operation\": \"%s\", \"way\": ", row->operation);
	print_string(f, row->way);
	fprintf(f,
		", \"size\": %zu, \"depth\": %u, \"ops_per_s\": %.1f, \"bytes_per_s\": %.0f",
		row->load.size, row->load.depth, row->rate,
		row->rate * row->load.size);
	print_times(f, &row->times);
	fprintf(f, ", \"spread\": %.3f", row->spread);
	if (row->kernel)
		fprintf(f, ", \"kernel_bytes\": %.0f", row->kernel);
	if (row->cpu)
		fprintf(f, ", \"cpu_ns\": %.1f", row->cpu * 1e9);
	print_ratios(f, row, refs);
	putc('}', f);
}

void json_print(FILE *f, const struct results *results)
{
	unsigned int i;

	fprintf(f, "{\n\"version\": %d,\n\"environment\": {",
		JSON_FORM_VERSION);
	print_facts(f, results);
	fputs("\n},\n\"rows\": [", f);
	for (i = 0; i < results->nr_rows; i++) {
		if (i)
			putc(',', f);
		print_row(f, &results->rows[i], results->refs);
	}
	fputs("\n]\n}\n", f);
}
