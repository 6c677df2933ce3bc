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
#define MAX_SIZE (128 * MIB) /* largest copy */
#define MAX_PINNED (16384 * MIB)
#define MAX_DEPTH 4096
#define WITH_PAIRS (WITH_LIMIT | WITH_PEERS)
#define MAX_IDLE_US 100000

static const char help[] =
	"Usage: doca_bench [OPTION]... [PLAN]\n"
	"\n"
	"Measure the DOCA driver beside yardsticks and what could be used instead, in the\n"
	"same run. PLAN is one of these, or the begin of its name:\n"
	"\n"
	"  throughput      operations that do nothing (NOP) and copies in a second; default\n"
	"  latency         what a single one takes\n"
	"  events          what one takes that the program sleeps for\n"
	"  pinning         registration of 1 GiB of memory\n"
	"  scaling         many operations in flight, queues, mappings, contexts\n"
	"  process         the library alone, with whatever driver it has (DOCA_DRIVER=),\n"
	"                  and memory of another process\n"
	"  datagrams       UDP between two network namespaces: sockets, zero-copy receive\n"
	"                  under onload(1), and Ethernet queues\n"
	"  engines         copies by DMA engines beside the CPU's\n"
	"\n"
	"The first CPU that the process may use submits, the second executes. What is\n"
	"compared is measured in turns; each figure is the median of the runs, or of all\n"
	"operations in them.\n"
	"\n"
	"  --seconds S     length of one run; default 0.06\n"
	"  --runs N        runs of each way; default 15\n"
	"  --sizes LIST    sizes to copy, separated by commas, with K or M for KiB or\n"
	"                  MiB; 'nop' is no size. Every way to do it is measured at each;\n"
	"                  default: nop and 64 bytes to 16M, with doca_dma, ENTER and\n"
	"                  10,000 mappings only at some; pinning: sizes to register;\n"
	"                  datagrams: 64,1472\n"
	"  --depths LIST   operations in flight, or datagrams of a burst; default 1,32;\n"
	"                  latency: always 1\n"
	"  --idle-us N     microseconds that an idle worker polls before it sleeps;\n"
	"                  default 20, as with the library\n"
	"  --no-peers      leave out what is not ours: io_uring and DPDK\n"
	"  --csv FILE      write the results to a file as well; - is the standard\n"
	"  --json FILE     output, which then has no table\n"
	"  -h, --help      print this help\n"
	"  -v, --version   print the version\n"
	"\n"
	"Exit status: 0 if all was measured, 1 if something failed, 2 for wrong usage.\n";

static const struct options defaults = {
	.seconds = 0.06,
	.runs = 15,
	.peers = true,
	.nr_sizes = 11,
	.sizes = {
		{ 0, WITH_PAIRS | WITH_ENTER | WITH_MAPPINGS },
		{ 64, WITH_PAIRS | WITH_DMA | WITH_MAPPINGS },
		{ 256, WITH_PAIRS },
		{ KIB, WITH_PAIRS },
		{ 4 * KIB, WITH_PAIRS | WITH_DMA | WITH_ENTER },
		{ 16 * KIB, WITH_PAIRS },
		{ 64 * KIB, WITH_PAIRS | WITH_DMA | WITH_MAPPINGS },
		{ 256 * KIB, WITH_PAIRS },
		{ MIB, WITH_PAIRS | WITH_DMA },
		{ 4 * MIB, WITH_PAIRS },
		{ 16 * MIB, WITH_PAIRS },
	},
	.nr_depths = 2,
	.depths = { 1, 32 },
	.idle_us = 20,
};

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
					     MAX_PINNED);
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

/* Check the plan against the other options. */
static void check_plan(struct options *opts)
{
	const struct plan *plan = opts->plan;
	unsigned int i;

	if (plan->check)
		plan->check(opts);
	for (i = 0; i < opts->nr_sizes; i++)
		if (plan->with_sizes ? opts->sizes[i].bytes > MAX_SIZE :
				       opts->own_sizes && !opts->sizes[i].bytes)
			usage("--sizes: copies are up to 128M, and pinning has no nop");
	/* Time one operation at a time. */
	if (plan->columns.single) {
		opts->nr_depths = 1;
		opts->depths[0] = 1;
	}
}

static const struct plan *parse_plan(const char *name)
{
	const char *names[NR_PLANS + 1];
	unsigned int i;

	for (i = 0; i < NR_PLANS; i++)
		names[i] = plans[i]->name;
	names[i] = "help";
	i = usage_choice("plan", name, names, NR_PLANS + 1);
	if (i == NR_PLANS)
		print_and_exit(help);
	return plans[i];
}

void options_parse(struct options *opts, int argc, char **argv)
{
	enum { SECONDS = 256, RUNS, PEERS, SIZES, DEPTHS, IDLE_US, CSV, JSON };
	static const struct option long_options[] = {
		{ "seconds", required_argument, NULL, SECONDS },
		{ "runs", required_argument, NULL, RUNS },
		{ "no-peers", no_argument, NULL, PEERS },
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
	opts->plan = &plan_throughput;
	while ((c = getopt_long(argc, argv, "hv", long_options, NULL)) != -1) {
		switch (c) {
		case SECONDS:
			opts->seconds = parse_seconds(optarg);
			break;
		case RUNS:
			opts->runs =
				usage_number("--runs", optarg, "", 1, MAX_RUNS);
			break;
		case PEERS:
			opts->peers = false;
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
			print_and_exit(help);
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
