// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>

#include "msg.h"
#include "table.h"
#include "text.h"

static struct columns shown;

void table_facts(const struct results *results)
{
	unsigned int i;

	progress_end();
	for (i = 0; i < results->nr_facts; i++)
		printf("%-18s %s\n", results->facts[i].name,
		       results->facts[i].value);
}

void table_head(const struct columns *columns)
{
	unsigned int i;

	shown = *columns;
	printf("\n%-13s", "operation");
	if (shown.single)
		printf("  %-19s %9s %9s %9s %9s %9s", "way", "mean", "p50",
		       "p99", "p99.9", "max");
	else
		printf(" %5s  %-19s %9s %9s %9s %7s", "depth", "way", "ops",
		       "bytes", "latency", "spread");
	if (shown.kernel)
		printf(" %9s", "kernel");
	else if (shown.cpu)
		printf(" %9s", "cpu");
	else
		printf(" %6s", "trips");
	for (i = 0; shown.refs[i]; i++)
		printf(" %9.9s", shown.refs[i]);
	putchar('\n');
}

static void print_single(const struct row *row)
{
	const struct times *times = &row->times;

	printf("  %-19s %9s %9s %9s %9s %9s", row->way,
	       time_text(times->mean).s, time_text(times->p50).s,
	       time_text(times->p99).s, time_text(times->p999).s,
	       time_text(times->max).s);
}

static void print_rate(const struct row *row)
{
	size_t size = row->load.size;

	printf(" %5u  %-19s %9s %9s %9s %5.0f %%", row->load.depth, row->way,
	       rate_text(row->rate).s,
	       size ? bytes_text(row->rate * size).s : "-",
	       time_text(row->times.mean).s, row->spread * 100);
}

void table_gap(void)
{
	progress_end();
	putchar('\n');
}

void table_row(const struct row *row)
{
	unsigned int i;

	progress_end();
	printf("%-4s %-8s", row->operation, size_text(row->load.size).s);
	if (shown.single)
		print_single(row);
	else
		print_rate(row);
	if (shown.kernel)
		printf(" %9s", memory_text(row->kernel).s);
	else if (shown.cpu)
		printf(" %9s", time_text(row->cpu).s);
	else
		printf(" %6s", ratio_text(row->trips).s);
	for (i = 0; shown.refs[i]; i++)
		printf(" %9s", ratio_text(row->to[i]).s);
	putchar('\n');
	fflush(stdout);
}

static const char of_rates[] =
	"\n"
	"spread        how far the quarters of the runs are apart, the fastest and the\n"
	"              slowest, as a part of the median: where it is large, something\n"
	"              else was using the CPUs, and the figure says little\n"
	"latency       mean; at depth 1 what one operation takes there and back\n";

static const char of_singles[] =
	"\n"
	"p50, p99...   what so many of a hundred operations did not exceed, from before\n"
	"              the submission until the completion is seen, one at a time\n";

int table_end(void)
{
	progress_end();
	fputs(shown.single ? of_singles : of_rates, stdout);
	fputs(shown.notes, stdout);
	if (fflush(stdout) || ferror(stdout))
		return fail_errno(errno, "cannot write the results");
	return 0;
}
