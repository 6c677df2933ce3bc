// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "common/usage.h"
#include "options.h"

static const char help[] =
	"Usage: doca_zc [OPTION]... [PID]\n"
	"\n"
	"Show the sockets of programs that run under onload(1): how they receive, why so, and\n"
	"how much.\n"
	"\n"
	"  --json            print JSON\n"
	"  -h, --help        print this help\n"
	"  -v, --version     print the version\n"
	"\n"
	"Without PID all processes are shown that the user may look at; root may look at all.\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n";

void options_parse(struct options *opts, int argc, char **argv)
{
	enum { JSON = 256 };
	static const struct option long_options[] = {
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	memset(opts, 0, sizeof(*opts));
	while ((c = getopt_long(argc, argv, "hv", long_options, NULL)) != -1) {
		switch (c) {
		case JSON:
			opts->json = true;
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
		opts->pid = usage_number("PID", argv[optind++], "", 1, INT_MAX);
	if (optind < argc)
		usage("unexpected argument '%s'", argv[optind]);
}
