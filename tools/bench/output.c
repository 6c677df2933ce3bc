// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>

#include "msg.h"
#include "output.h"

static bool as_json;
static bool in_rows;
static bool first = true; /* of the list that is being printed */
static struct load last; /* printed */

struct text {
	char s[32];
};

/* Three digits that count, with a unit of a thousand's steps. */
static struct text scaled(double value, const char *const *units)
{
	struct text text;
	int digits = 0; /* behind the point */

	while (value >= 999.5 && units[1]) {
		value /= 1000;
		units++;
	}
	if (value < 9.995)
		digits = 2;
	else if (value < 99.95)
		digits = 1;
	snprintf(text.s, sizeof(text.s), "%.*f %s", digits, value, *units);
	return text;
}

static struct text rate_text(double rate)
{
	static const char *const units[] = { "/s", "k/s", "M/s", "G/s", NULL };

	return scaled(rate, units);
}

static struct text bytes_text(double rate)
{
	static const char *const units[] = { "B/s",  "kB/s", "MB/s",
					     "GB/s", "TB/s", NULL };

	return scaled(rate, units);
}

static struct text time_text(double seconds)
{
	static const char *const units[] = { "ns", "us", "ms", "s", NULL };

	return scaled(seconds * 1e9, units);
}

static struct text load_text(size_t size)
{
	struct text text;

	if (!size)
		snprintf(text.s, sizeof(text.s), "NOP");
	else if (size % (1 << 20) == 0)
		snprintf(text.s, sizeof(text.s), "copy %zu MiB", size >> 20);
	else if (size % (1 << 10) == 0)
		snprintf(text.s, sizeof(text.s), "copy %zu KiB", size >> 10);
	else
		snprintf(text.s, sizeof(text.s), "copy %zu B", size);
	return text;
}

static struct text ratio_text(double ratio, const char *suffix)
{
	struct text text = { "-" };

	if (ratio)
		snprintf(text.s, sizeof(text.s), "%.2f%s", ratio, suffix);
	return text;
}

static void json_string(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		if ((unsigned char)*s >= ' ')
			putchar(*s);
	}
	putchar('"');
}

static void json_next(void)
{
	fputs(first ? "\n" : ",\n", stdout);
	first = false;
}

void output_begin(bool json)
{
	as_json = json;
	if (json)
		fputs("{\n\"environment\": {", stdout);
}

void output_env(const char *name, const char *value)
{
	if (!as_json) {
		printf("%-18s %s\n", name, value);
		return;
	}
	json_next();
	fputs("  ", stdout);
	json_string(name);
	fputs(": ", stdout);
	json_string(value);
}

static void json_row(const struct row *row)
{
	const char *yardstick = row->load.size ? "part_of_yardstick" :
						 "round_trips";

	json_next();
	fputs("  {\"way\": ", stdout);
	json_string(row->way);
	printf(", \"size\": %zu, \"depth\": %u, \"ops_per_s\": %.1f, "
	       "\"bytes_per_s\": %.0f, \"latency_ns\": %.1f, \"spread\": %.3f",
	       row->load.size, row->load.depth, row->rate,
	       row->rate * row->load.size, row->latency * 1e9, row->spread);
	if (row->to_yardstick)
		printf(", \"%s\": %.3f", yardstick, row->to_yardstick);
	if (row->to_rings)
		printf(", \"part_of_rings\": %.3f", row->to_rings);
	putchar('}');
}

static void table_head(void)
{
	printf("\n%-13s %5s  %-20s %9s %10s %9s %7s %10s %9s\n", "operation",
	       "depth", "way", "ops", "bytes", "latency", "spread", "yardstick",
	       "rings");
}

static void table_row(const struct row *row)
{
	bool copies = row->load.size;

	if (last.size != row->load.size || last.depth != row->load.depth)
		putchar('\n');
	last = row->load;
	printf("%-13s %5u  %-20s %9s %10s %9s %5.0f %% %10s %9s\n",
	       load_text(row->load.size).s, row->load.depth, row->way,
	       rate_text(row->rate).s,
	       copies ? bytes_text(row->rate * row->load.size).s : "-",
	       time_text(row->latency).s, row->spread * 100,
	       ratio_text(row->to_yardstick, copies ? "" : " trips").s,
	       ratio_text(row->to_rings, "").s);
}

void output_row(const struct row *row)
{
	progress_end();
	if (!in_rows && as_json) {
		fputs("\n},\n\"results\": [", stdout);
		first = true;
	} else if (!in_rows) {
		table_head();
	}
	in_rows = true;
	if (as_json)
		json_row(row);
	else
		table_row(row);
	fflush(stdout);
}

static const char notes[] =
	"\n"
	"spread     how far the quarters of the runs are apart, the fastest and the\n"
	"           slowest, as a part of the median: where it is large, something\n"
	"           else was using the CPUs, and the figure says little\n"
	"latency    mean; at depth 1 what one operation takes there and back\n"
	"yardstick  copies: part of the rate of the plain loop above; NOP: its time in\n"
	"           round trips of a cache line\n"
	"rings      part of the rate of the bare rings with one mapping, executed by a\n"
	"           worker if there are any; ENTER executes in the submitting thread\n"
	"limit      rings between two threads, with nothing behind them but a copy\n";

int output_end(double line_best)
{
	progress_end();
	if (as_json) {
		fputs("\n]", stdout);
		if (line_best)
			printf(",\n\"cache_line_min_ns\": %.1f",
			       line_best * 1e9);
		fputs("\n}\n", stdout);
	} else {
		if (line_best)
			printf("\nA cache line's fastest round trip was %s.\n",
			       time_text(line_best).s);
		fputs(notes, stdout);
	}
	if (fflush(stdout) || ferror(stdout))
		return fail_errno(errno, "cannot write the results");
	return 0;
}
