// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <string.h>

#include "common/usage.h"
#include "lib.h"
#include "options.h"

#define MAX_LIBS 32

static const char help[] =
	"Usage: doca_caps [OPTION]...\n"
	"\n"
	"Show the DOCA devices of this machine, and what each library can do on them.\n"
	"\n"
	"  --list-devs       list devices and their properties\n"
	"  --list-rep-devs   list devices and their representors\n"
	"  --list-libs       list libraries, and say which are installed\n"
	"  --levels          list the releases of DOCA for which programs may be written,\n"
	"                    and say for which there are libraries\n"
	"  --drivers         say which driver works, and which gives device memory\n"
	"  -p, --pci-addr DEV\n"
	"                    only this device, by PCI address (03:00.0) or by RDMA device\n"
	"                    name (mlx5_0, rxe0)\n"
	"  --lib LIB         only the capabilities of this library\n"
	"  --json            print JSON\n"
	"  -h, --help        print this help\n"
	"  -v, --version     print the version\n"
	"\n"
	"Without one of these lists the capabilities of all libraries are shown, for each\n"
	"device.\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n";

static void choose(struct options *opts, enum what what, const char *name)
{
	if (opts->what != SHOW_CAPS && opts->what != what)
		usage("one list at a time, not also '--%s'", name);
	opts->what = what;
}

/* Only some libraries have capabilities. */
static const char *known_lib(const char *name)
{
	const char *names[MAX_LIBS] = { NULL };
	const struct lib *lib;
	size_t n = 0;

	for (lib = libs; lib->name && n < MAX_LIBS; lib++)
		if (lib->caps)
			names[n++] = lib->name;
	return names[usage_choice("library with capabilities", name, names, n)];
}

static void check_options(const struct options *opts)
{
	if (opts->lib && opts->what != SHOW_CAPS)
		usage("with a list there cannot be '--lib'");
	if (opts->dev && opts->what == SHOW_LIBS)
		usage("with --list-libs there cannot be '--pci-addr'");
	if (opts->dev && opts->what == SHOW_LEVELS)
		usage("with --levels there cannot be '--pci-addr'");
	if (opts->dev && opts->what == SHOW_DRIVERS)
		usage("with --drivers there cannot be '--pci-addr'");
}

void options_parse(struct options *opts, int argc, char **argv)
{
	/* LIST is the base of the values of enum what. */
	enum { LIB = 256, JSON, LIST };
	static const struct option long_options[] = {
		{ "list-devs", no_argument, NULL, LIST + SHOW_DEVS },
		{ "list-rep-devs", no_argument, NULL, LIST + SHOW_REP_DEVS },
		{ "list-libs", no_argument, NULL, LIST + SHOW_LIBS },
		{ "levels", no_argument, NULL, LIST + SHOW_LEVELS },
		{ "drivers", no_argument, NULL, LIST + SHOW_DRIVERS },
		{ "pci-addr", required_argument, NULL, 'p' },
		{ "lib", required_argument, NULL, LIB },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int c, at;

	memset(opts, 0, sizeof(*opts));
	while ((c = getopt_long(argc, argv, "p:hv", long_options, &at)) != -1) {
		if (c >= LIST) {
			choose(opts, c - LIST, long_options[at].name);
			continue;
		}
		switch (c) {
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
			print_version();
		default: /* getopt_long() has printed the error */
			usage_said();
		}
	}
	if (optind < argc)
		usage("unexpected argument '%s'", argv[optind]);
	check_options(opts);
}
