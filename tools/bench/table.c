// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>

#include "msg.h"
#include "table.h"
#include "text.h"

static bool of_single;
static struct load last; /* printed */

void table_facts(const struct results *results)
{
	unsigned int i;

	progress_end();
	for (i = 0; i < results->nr_facts; i++)
		printf("%-18s %s\n", results->facts[i].name,
		       results->facts[i].value);
}

void table_head(bool single)
{
	unsigned int i;

	of_single = single;
	last = (struct load){ 0 };
	printf("\n%-13s", "operation");
	if (single)
		printf("  %-19s %9s %9s %9s %9s %9s", "way", "mean", "p50",
		       "p99", "p99.9", "max");
	else
		printf(" %5s  %-19s %9s %9s %9s %7s", "depth", "way", "ops",
		       "bytes", "latency", "spread");
	printf(" %6s", "trips");
	for (i = 0; i < NR_REFS; i++)
		printf(" %9.9s", ref_names[i]);
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

void table_row(const struct row *row)
{
	unsigned int i;

	progress_end();
	if (last.size != row->load.size || last.depth != row->load.depth)
		putchar('\n');
	last = row->load;
	printf("%-13s", load_text(row->load.size).s);
	if (of_single)
		print_single(row);
	else
		print_rate(row);
	printf(" %6s", ratio_text(row->trips).s);
	for (i = 0; i < NR_REFS; i++)
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

static const char of_columns[] =
	"trips         the time in round trips of a cache line between the two CPUs\n"
	"other columns the speed as a part of that of\n"
	"  yardstick   a plain loop of the submitting thread\n"
	"  memcpy      memcpy() of the submitting thread\n"
	"  limit       rings between two threads, with nothing behind them but a copy\n"
	"  rings       the driver's bare rings with one mapping, executed by a worker\n"
	"              if there are any; ENTER executes in the submitting thread\n"
	"  io_uring    SQPOLL: NOPs, and reads of a file in the page cache\n"
	"  dma_skelet. DPDK's dmadev with the skeleton driver\n";

int table_end(void)
{
	progress_end();
	fputs(of_single ? of_singles : of_rates, stdout);
	fputs(of_columns, stdout);
	if (fflush(stdout) || ferror(stdout))
		return fail_errno(errno, "cannot write the results");
	return 0;
}
