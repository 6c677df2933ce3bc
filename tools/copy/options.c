// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <string.h>

#include "common/usage.h"
#include "options.h"

/*
 * Together 2 MiB of pinned buffers, or 4 MiB within one process: less than the
 * 8 MiB that distributions let an ordinary user lock.
 */
#define DEFAULT_CHUNK (256 * 1024)
#define DEFAULT_DEPTH 8

static const char help[] =
	"Usage: doca_copy [OPTION]... SRC DST\n"
	"       doca_copy export FILE --desc DIR [OPTION]...\n"
	"       doca_copy import --desc DIR --out FILE [OPTION]...\n"
	"       doca_copy help\n"
	"\n"
	"Copy a file by DOCA DMA, within one process or between two.\n"
	"\n"
	"With SRC and DST the file is copied within this process. 'export' loads a file\n"
	"into memory, opens that memory to other processes, leaves a descriptor of it in\n"
	"DIR and waits; 'import', started meanwhile in another process, reads the\n"
	"descriptor and copies the file out of the exporter's memory. The result is\n"
	"compared with the SHA-256 of the source before it gets its name: DST and the\n"
	"FILE of --out are either complete and right, or left as they were.\n"
	"\n"
	"Options:\n"
	"  --dev DEV       device to use, by PCI address (03:00.0) or by RDMA device\n"
	"                  name (mlx5_0, rxe0); default: the first that can copy\n"
	"  --verbose       say what is done, with the libraries' log\n"
	"  -h, --help      print this help\n"
	"  -v, --version   print the version\n"
	"\n"
	"Options of export:\n"
	"  --desc DIR      where to leave the descriptor; made if it does not exist\n"
	"  --once          end as soon as one import has succeeded; default: wait for\n"
	"                  Ctrl-C (SIGINT) or SIGTERM\n"
	"  --any-user      let every user who can read the descriptor import; default:\n"
	"                  only the same user\n"
	"\n"
	"Options of import:\n"
	"  --desc DIR      where the exporter left the descriptor\n"
	"  --out FILE      file to write; one that exists is replaced\n"
	"\n"
	"Options of import and of SRC DST:\n"
	"  --chunk SIZE    bytes that one task copies, with K, M or G for KiB, MiB or\n"
	"                  GiB; default 256K\n"
	"  --depth N       tasks in flight; default 8\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n"
	"\n"
	"Example: in one terminal, then in another\n"
	"  head -c 4M /dev/urandom >/tmp/src\n"
	"  doca_copy export /tmp/src --desc /tmp/d\n"
	"  doca_copy import --desc /tmp/d --out /tmp/copy\n"
	"\n"
	"To copy a file that is named 'export', 'import' or 'help', write ./export.\n";

enum {
	OPT_DEV = 256,
	OPT_DESC,
	OPT_OUT,
	OPT_CHUNK,
	OPT_DEPTH,
	OPT_ANY_USER,
	OPT_ONCE,
	OPT_VERBOSE,
};

static const struct option long_options[] = {
	{ "dev", required_argument, NULL, OPT_DEV },
	{ "desc", required_argument, NULL, OPT_DESC },
	{ "out", required_argument, NULL, OPT_OUT },
	{ "chunk", required_argument, NULL, OPT_CHUNK },
	{ "depth", required_argument, NULL, OPT_DEPTH },
	{ "any-user", no_argument, NULL, OPT_ANY_USER },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ "verbose", no_argument, NULL, OPT_VERBOSE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

/* Operands are in argv[optind...]; the command's name is removed from them. */
static enum command parse_command(int argc, char **argv)
{
	if (optind == argc)
		usage("no file given");
	if (!strcmp(argv[optind], "export")) {
		optind++;
		return CMD_EXPORT;
	}
	if (!strcmp(argv[optind], "import")) {
		optind++;
		return CMD_IMPORT;
	}
	if (!strcmp(argv[optind], "help"))
		print_and_exit(help);
	return CMD_LOCAL;
}

static void take_operands(struct options *opts, int argc, char **argv)
{
	static const int wanted[] = {
		[CMD_LOCAL] = 2,
		[CMD_EXPORT] = 1,
		[CMD_IMPORT] = 0,
	};
	int given;

	opts->command = parse_command(argc, argv);
	given = argc - optind;
	if (given > wanted[opts->command])
		usage("unexpected argument '%s'",
		      argv[optind + wanted[opts->command]]);
	switch (opts->command) {
	case CMD_LOCAL:
		if (given < 2)
			usage("no destination given for '%s'", argv[optind]);
		opts->src = argv[optind];
		opts->dst = argv[optind + 1];
		break;
	case CMD_EXPORT:
		if (given < 1)
			usage("export: no file given");
		opts->src = argv[optind];
		break;
	case CMD_IMPORT:
		break;
	}
}

static void check_options(const struct options *opts, bool out_given)
{
	bool is_export = opts->command == CMD_EXPORT;

	if (opts->command == CMD_LOCAL && opts->desc)
		usage("--desc is for export and import; nothing is exported when SRC and DST are given");
	if (opts->command != CMD_LOCAL && !opts->desc)
		usage("%s: --desc DIR is missing",
		      is_export ? "export" : "import");
	if (opts->command == CMD_IMPORT && !out_given)
		usage("import: --out FILE is missing");
	if (opts->command != CMD_IMPORT && out_given)
		usage("--out is for import only");
	if (!is_export && opts->any_user)
		usage("--any-user is for export only");
	if (!is_export && opts->once)
		usage("--once is for export only");
	if (is_export && opts->chunk)
		usage("--chunk is not for export: the importer chooses it");
	if (is_export && opts->depth)
		usage("--depth is not for export: the importer chooses it");
}

void options_parse(struct options *opts, int argc, char **argv)
{
	const char *out = NULL;
	int c;

	memset(opts, 0, sizeof(*opts));
	while ((c = getopt_long(argc, argv, "hv", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_DEV:
			opts->dev = optarg;
			break;
		case OPT_DESC:
			opts->desc = optarg;
			break;
		case OPT_OUT:
			out = optarg;
			break;
		case OPT_CHUNK:
			opts->chunk = usage_number("--chunk", optarg, "KMG", 1,
						   UINT32_MAX);
			break;
		case OPT_DEPTH:
			opts->depth = usage_number("--depth", optarg, "", 1,
						   UINT16_MAX);
			break;
		case OPT_ANY_USER:
			opts->any_user = true;
			break;
		case OPT_ONCE:
			opts->once = true;
			break;
		case OPT_VERBOSE:
			opts->verbose = true;
			break;
		case 'h':
			print_and_exit(help);
		case 'v':
			print_version();
		default: /* getopt_long() has printed the error */
			usage_said();
		}
	}
	take_operands(opts, argc, argv);
	if (out && opts->command == CMD_IMPORT)
		opts->dst = out;
	check_options(opts, out != NULL);
	if (!opts->chunk)
		opts->chunk = DEFAULT_CHUNK;
	if (!opts->depth)
		opts->depth = DEFAULT_DEPTH;
}
