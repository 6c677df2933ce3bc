// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/usage.h"
#include "options.h"
#include "plan.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define MAX_SIZE (16384 * MIB) /* largest size of any plan */
#define MAX_DEPTH 4096
#define MAX_IDLE_US 100000

static const char about[] =
	"Usage: %1$s [OPTION]... [PLAN]\n"
	"       %1$s help\n"
	"\n"
	"Measure the DOCA driver beside yardsticks, in the same run. PLAN is one of these, or\n"
	"the begin of its name; the first is the default:\n"
	"\n";

static const char help[] =
	"\n"
	"The first CPU that the process may use submits, the second executes. What is\n"
	"compared is measured in turns; each figure is the median of the runs, or of all\n"
	"operations in them.\n"
	"\n"
	"  --seconds S     length of one run; default 0.06\n"
	"  --runs N        runs of each way; default 15\n"
	"  --sizes LIST    sizes to copy, separated by commas, with K or M for KiB or\n"
	"                  MiB; 'nop' is no size. Every way to do it is measured at each;\n"
	"                  default: nop and 64 bytes to 16M, with doca_dma and ENTER only\n"
	"                  at some\n"
	"  --depths LIST   operations in flight; default 1,32; latency: always 1\n"
	"  --idle-us N     microseconds that an idle worker polls before it sleeps;\n"
	"                  default 20, as with the library\n"
	"  --csv FILE      write the results to a file as well; - is the standard\n"
	"  --json FILE     output, which then has no table\n"
	"  -h, --help      print this help\n"
	"  -v, --version   print the version\n"
	"\n"
	"Exit status: 0 if all was measured, 1 if something failed, 2 for wrong usage.\n";

static const struct options defaults = {
	.seconds = 0.06,
	.runs = 15,
	.nr_sizes = 11,
	.sizes = {
		{ 0, WITH_ENTER },
		{ 64, WITH_DMA },
		{ 256, 0 },
		{ KIB, 0 },
		{ 4 * KIB, WITH_DMA | WITH_ENTER },
		{ 16 * KIB, 0 },
		{ 64 * KIB, WITH_DMA },
		{ 256 * KIB, 0 },
		{ MIB, WITH_DMA },
		{ 4 * MIB, 0 },
		{ 16 * MIB, 0 },
	},
	.nr_depths = 2,
	.depths = { 1, 32 },
	.idle_us = 20,
};

static void print_plan(const struct plan *plan)
{
	const char *name = plan->name, *line = plan->help;
	int length;

	do {
		length = strcspn(line, "\n");
		printf("  %-14s  %.*s\n", name, length, line);
		name = "";
		line += length;
	} while (*line++);
}

static _Noreturn void print_help(void)
{
	unsigned int i;

	printf(about, tool_name);
	for (i = 0; plans[i]; i++)
		print_plan(plans[i]);
	print_and_exit(help);
}

static double parse_seconds(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !(value > 0 && value <= 60))
		usage("--seconds: '%s' is not more than 0 and at most 60",
		      text);
	return value;
}

static void parse_sizes(struct options *opts, char *list)
{
	char *item;

	opts->nr_sizes = 0;
	opts->own_sizes = true;
	for (item = strtok(list, ","); item; item = strtok(NULL, ",")) {
		size_t bytes = 0;

		if (opts->nr_sizes == MAX_SIZES)
			usage("--sizes: '%s' is one too many; up to %d can be given",
			      item, MAX_SIZES);
		if (strcasecmp(item, "nop") != 0)
			bytes = usage_number("--sizes", item, "KM", 1,
					     MAX_SIZE);
		opts->sizes[opts->nr_sizes].bytes = bytes;
		opts->sizes[opts->nr_sizes++].with = WITH_ALL;
	}
	if (!opts->nr_sizes)
		usage("--sizes: the list is empty");
}

static void parse_depths(struct options *opts, char *list)
{
	char *item;

	opts->nr_depths = 0;
	for (item = strtok(list, ","); item; item = strtok(NULL, ",")) {
		if (opts->nr_depths == MAX_DEPTHS)
			usage("--depths: '%s' is one too many; up to %d can be given",
			      item, MAX_DEPTHS);
		opts->depths[opts->nr_depths++] =
			usage_number("--depths", item, "", 1, MAX_DEPTH);
	}
	if (!opts->nr_depths)
		usage("--depths: the list is empty");
}

static void parse_file(const char *option, struct file *file, const char *path)
{
	if (!*path)
		usage("%s: the name is empty", option);
	file->path = path;
}

static const struct plan *parse_plan(const char *word)
{
	const char *names[MAX_PLANS + 1];
	unsigned int i, nr;

	for (nr = 0; plans[nr]; nr++)
		names[nr] = plans[nr]->name;
	names[nr] = "help";
	i = usage_choice("plan", word, names, nr + 1);
	if (!plans[i])
		print_help();
	return plans[i];
}

/* Check the plan against the other options. */
static void check_plan(struct options *opts)
{
	if (opts->plan->check)
		opts->plan->check(opts);
	/* Time one operation at a time. */
	if (opts->plan->columns.single) {
		opts->nr_depths = 1;
		opts->depths[0] = 1;
	}
}

void options_parse(struct options *opts, int argc, char **argv)
{
	enum { SECONDS = 256, RUNS, SIZES, DEPTHS, IDLE_US, CSV, JSON };
	static const struct option long_options[] = {
		{ "seconds", required_argument, NULL, SECONDS },
		{ "runs", required_argument, NULL, RUNS },
		{ "sizes", required_argument, NULL, SIZES },
		{ "depths", required_argument, NULL, DEPTHS },
		{ "idle-us", required_argument, NULL, IDLE_US },
		{ "csv", required_argument, NULL, CSV },
		{ "json", required_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*opts = defaults;
	opts->plan = plans[0];
	while ((c = getopt_long(argc, argv, "hv", long_options, NULL)) != -1) {
		switch (c) {
		case SECONDS:
			opts->seconds = parse_seconds(optarg);
			break;
		case RUNS:
			opts->runs =
				usage_number("--runs", optarg, "", 1, MAX_RUNS);
			break;
		case SIZES:
			parse_sizes(opts, optarg);
			break;
		case DEPTHS:
			parse_depths(opts, optarg);
			break;
		case IDLE_US:
			opts->idle_us = usage_number("--idle-us", optarg, "", 0,
						     MAX_IDLE_US);
			break;
		case CSV:
			parse_file("--csv", &opts->csv, optarg);
			break;
		case JSON:
			parse_file("--json", &opts->json, optarg);
			break;
		case 'h':
			print_help();
		case 'v':
			print_version();
		default: /* getopt_long() has printed the error */
			usage_said();
		}
	}
	if (optind < argc)
		opts->plan = parse_plan(argv[optind++]);
	if (optind < argc)
		usage("one plan at a time, not also '%s'", argv[optind]);
	check_plan(opts);
}
