// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

#include "lib.h"
#include "options.h"

static const char help[] =
	"Usage: doca_caps [OPTION]...\n"
	"\n"
	"Show the DOCA devices of this machine, and what each library can do on them.\n"
	"\n"
	"  --list-devs       list devices and their properties\n"
	"  --list-rep-devs   list devices and their representors\n"
	"  --list-libs       list libraries, and say which are installed\n"
	"  -p, --pci-addr DEV\n"
	"                    only this device, by PCI address (03:00.0) or by RDMA device\n"
	"                    name (mlx5_0, rxe0)\n"
	"  --lib LIB         only the capabilities of this library\n"
	"  --json            print JSON\n"
	"  -h, --help        print this help\n"
	"  -v, --version     print the version\n"
	"\n"
	"Without a --list option the capabilities of all libraries are shown, for each\n"
	"device.\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n";

static _Noreturn void usage(const char *what, const char *arg)
{
	fprintf(stderr, "doca_caps: %s '%s'\nTry 'doca_caps --help'.\n", what,
		arg);
	exit(EXIT_USAGE);
}

static _Noreturn void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

static void choose(struct options *opts, enum what what, const char *arg)
{
	if (opts->what != SHOW_CAPS && opts->what != what)
		usage("one list at a time, not also", arg);
	opts->what = what;
}

static const char *known_lib(const char *name)
{
	for (const struct lib *lib = libs; lib->name; lib++)
		if (!strcmp(lib->name, name) && lib->caps)
			return name;
	usage("--lib: no library with capabilities is called", name);
}

static void check_options(const struct options *opts)
{
	if (opts->lib && opts->what != SHOW_CAPS)
		usage("with a list there cannot be", "--lib");
	if (opts->dev && opts->what == SHOW_LIBS)
		usage("with --list-libs there cannot be", "--pci-addr");
}

void options_parse(struct options *opts, int argc, char **argv)
{
	enum { DEVS = 256, REP_DEVS, LIBS, LIB, JSON };
	static const struct option long_options[] = {
		{ "list-devs", no_argument, NULL, DEVS },
		{ "list-rep-devs", no_argument, NULL, REP_DEVS },
		{ "list-libs", no_argument, NULL, LIBS },
		{ "pci-addr", required_argument, NULL, 'p' },
		{ "lib", required_argument, NULL, LIB },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	memset(opts, 0, sizeof(*opts));
	while ((c = getopt_long(argc, argv, "p:hv", long_options, NULL)) !=
	       -1) {
		switch (c) {
		case DEVS:
			choose(opts, SHOW_DEVS, "--list-devs");
			break;
		case REP_DEVS:
			choose(opts, SHOW_REP_DEVS, "--list-rep-devs");
			break;
		case LIBS:
			choose(opts, SHOW_LIBS, "--list-libs");
			break;
		case 'p':
			opts->dev = optarg;
			break;
		case LIB:
			opts->lib = known_lib(optarg);
			break;
		case JSON:
			opts->json = true;
			break;
		case 'h':
			print_and_exit(help);
		case 'v':
			print_and_exit(
				"doca_caps (Open DOCA) " DOCA_VERSION_STRING
				"\n");
		default: /* getopt has said what is wrong */
			fputs("Try 'doca_caps --help'.\n", stderr);
			exit(EXIT_USAGE);
		}
	}
	if (optind < argc)
		usage("unexpected argument", argv[optind]);
	check_options(opts);
}
