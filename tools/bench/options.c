// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <doca_version.h>

#include "options.h"

#define EXIT_USAGE 2

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define MAX_SIZE (128 * MIB)
#define MAX_DEPTH 4096
#define WITH_PAIRS (WITH_LIMIT | WITH_PEERS)
#define MAX_IDLE_US 100000

static const char help[] =
	"Usage: doca_bench [OPTION]... [throughput|latency]\n"
	"\n"
	"Measure the DOCA driver: how many operations that do nothing (NOP) and copies\n"
	"are done in a second, or how long a single one takes, beside yardsticks and\n"
	"what could be used instead, in the same run.\n"
	"\n"
	"The first CPU that the process may use submits, the second executes. What is\n"
	"compared is measured in turns; each figure is the median of fifteen runs, or of\n"
	"all operations in them.\n"
	"\n"
	"  --seconds S     length of one run; default 0.06\n"
	"  --sizes LIST    sizes to copy, separated by commas, with K or M for KiB or\n"
	"                  MiB; 'nop' is no size. Every way to do it is measured at each;\n"
	"                  default: nop and 64 bytes to 16M, with doca_dma, ENTER and\n"
	"                  10,000 mappings only at some\n"
	"  --depths LIST   operations in flight; default 1,32; latency: always 1\n"
	"  --idle-us N     microseconds that an idle worker polls before it sleeps;\n"
	"                  default 20, as with the library\n"
	"  --csv FILE      write the results to a file as well; - is the standard\n"
	"  --json FILE     output, which then has no table\n"
	"  -h, --help      print this help\n"
	"  -V, --version   print the version\n"
	"\n"
	"Exit status: 0 if all was measured, 1 if something failed, 2 for wrong usage.\n";

static const struct options defaults = {
	.seconds = 0.06,
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

static _Noreturn void usage(const char *option, const char *text)
{
	fprintf(stderr,
		"doca_bench: %s: '%s' is no legal value\n"
		"Try 'doca_bench --help'.\n",
		option, text);
	exit(EXIT_USAGE);
}

static unsigned long parse_number(const char *option, const char *text,
				  bool with_suffix, unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *text < '0' || *text > '9' || value > max)
		usage(option, text);
	if (with_suffix && *end && strchr("KkMm", *end))
		value *= (*end++ | 0x20) == 'k' ? KIB : MIB;
	if (*end || value > max)
		usage(option, text);
	return value;
}

static double parse_seconds(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !(value > 0 && value <= 60))
		usage("--seconds", text);
	return value;
}

static void parse_sizes(struct options *opts, char *list)
{
	char *item;

	opts->nr_sizes = 0;
	for (item = strtok(list, ","); item; item = strtok(NULL, ",")) {
		size_t bytes = 0;

		if (opts->nr_sizes == MAX_SIZES)
			usage("--sizes", item);
		if (strcasecmp(item, "nop") != 0) {
			bytes = parse_number("--sizes", item, true, MAX_SIZE);
			if (!bytes)
				usage("--sizes", item);
		}
		opts->sizes[opts->nr_sizes].bytes = bytes;
		opts->sizes[opts->nr_sizes++].with = WITH_ALL;
	}
	if (!opts->nr_sizes)
		usage("--sizes", "");
}

static void parse_depths(struct options *opts, char *list)
{
	char *item;

	opts->nr_depths = 0;
	for (item = strtok(list, ","); item; item = strtok(NULL, ",")) {
		unsigned long depth =
			parse_number("--depths", item, false, MAX_DEPTH);

		if (opts->nr_depths == MAX_DEPTHS || !depth)
			usage("--depths", item);
		opts->depths[opts->nr_depths++] = depth;
	}
	if (!opts->nr_depths)
		usage("--depths", "");
}

bool options_quiet(const struct options *opts)
{
	return opts->csv.f == stdout || opts->json.f == stdout;
}

static void parse_file(const char *option, struct file *file, const char *path)
{
	if (!*path)
		usage(option, path);
	file->path = path;
}

/* Latency is that of one operation, whatever was said of depths. */
static void parse_mode(struct options *opts, const char *mode)
{
	opts->latency = !strcmp(mode, "latency");
	if (!opts->latency && strcmp(mode, "throughput") != 0)
		usage("operand", mode);
	if (opts->latency) {
		opts->nr_depths = 1;
		opts->depths[0] = 1;
	}
}

static _Noreturn void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

void options_parse(struct options *opts, int argc, char **argv)
{
	enum { SECONDS = 256, SIZES, DEPTHS, IDLE_US, CSV, JSON };
	static const struct option long_options[] = {
		{ "seconds", required_argument, NULL, SECONDS },
		{ "sizes", required_argument, NULL, SIZES },
		{ "depths", required_argument, NULL, DEPTHS },
		{ "idle-us", required_argument, NULL, IDLE_US },
		{ "csv", required_argument, NULL, CSV },
		{ "json", required_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*opts = defaults;
	while ((c = getopt_long(argc, argv, "hV", long_options, NULL)) != -1) {
		switch (c) {
		case SECONDS:
			opts->seconds = parse_seconds(optarg);
			break;
		case SIZES:
			parse_sizes(opts, optarg);
			break;
		case DEPTHS:
			parse_depths(opts, optarg);
			break;
		case IDLE_US:
			opts->idle_us = parse_number("--idle-us", optarg, false,
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
		case 'V':
			print_and_exit(
				"doca_bench (Open DOCA) " DOCA_VERSION_STRING
				"\n");
		default: /* getopt has said what is wrong */
			fputs("Try 'doca_bench --help'.\n", stderr);
			exit(EXIT_USAGE);
		}
	}
	if (optind < argc)
		parse_mode(opts, argv[optind++]);
	if (optind < argc)
		usage("operand", argv[optind]);
}
