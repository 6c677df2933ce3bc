// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/usage.h"
#include "options.h"

#define MAX_DATA 128
#define MAX_RDNC 32

static const char help[] =
	"Usage: doca_file hash [-a ALGORITHM] [FILE]...\n"
	"       doca_file hash -c [LIST]...\n"
	"       doca_file compress|decompress [OPTION]... [FILE]...\n"
	"       doca_file encrypt|decrypt -k KEYFILE [OPTION]... [FILE]...\n"
	"       doca_file encode -n K+M [OPTION]... FILE\n"
	"       doca_file recover [OPTION]... NAME\n"
	"       doca_file help\n"
	"\n"
	"Work on files of any size by a DOCA device.\n"
	"\n"
	"  hash        print digests, as sha256sum does\n"
	"  compress    write FILE.gz, for gzip to read\n"
	"  decompress  read FILE.gz, or FILE.lz4, and write FILE\n"
	"  encrypt     write FILE.enc, by AES-GCM\n"
	"  decrypt     read FILE.enc, and write FILE\n"
	"  encode      write FILE.ec000, FILE.ec001...: K files with the data, and M\n"
	"              of redundancy, of which any K are enough\n"
	"  recover     write those of NAME.ec000... again that are missing or damaged;\n"
	"              with -o: write the data\n"
	"\n"
	"Without FILE, or if it is -, standard input is read, and standard output\n"
	"written. FILE is kept. What is written appears when it is complete.\n"
	"\n"
	"Options:\n"
	"  -o, --out FILE   write this file; -: standard output. For encode it is the\n"
	"                   NAME of the files\n"
	"  -f, --force      replace files, and write to terminals\n"
	"  -t, --test       write nothing: decompress, decrypt, recover\n"
	"  -k, --key FILE   16 or 32 bytes, or as many in hexadecimal digits\n"
	"  -n, --blocks K+M blocks of data, 1 to 128, and of redundancy, 1 to 32\n"
	"  -m, --matrix cauchy|vandermonde\n"
	"                   how encode makes redundancy; default: cauchy\n"
	"  -a, --algorithm sha1|sha256|sha512\n"
	"                   what hash prints; default: sha256\n"
	"  -c, --check      compare files with a list that hash, or sha256sum, has printed\n"
	"  -1 ... -9        compress fast, as by default, or well\n"
	"  -p, --dev DEV    device to use, by PCI address (03:00.0) or by RDMA device\n"
	"                   name (mlx5_0, rxe0); default: the first that can do it\n"
	"  --verbose        say what is done, with the libraries' log\n"
	"  -h, --help       print this help\n"
	"  -v, --version    print the version\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n"
	"\n"
	"Example: a backup of which two of six files may be lost\n"
	"  tar c /etc | doca_file compress | doca_file encode -n 4+2 -o etc.tgz -\n"
	"  doca_file recover -o - etc.tgz | doca_file decompress | tar t\n";

enum { OPT_VERBOSE = 256 };

static const struct option long_options[] = {
	{ "out", required_argument, NULL, 'o' },
	{ "force", no_argument, NULL, 'f' },
	{ "test", no_argument, NULL, 't' },
	{ "key", required_argument, NULL, 'k' },
	{ "blocks", required_argument, NULL, 'n' },
	{ "matrix", required_argument, NULL, 'm' },
	{ "algorithm", required_argument, NULL, 'a' },
	{ "check", no_argument, NULL, 'c' },
	{ "dev", required_argument, NULL, 'p' },
	{ "verbose", no_argument, NULL, OPT_VERBOSE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static const char *const command_names[] = {
	[CMD_HASH] = "hash",
	[CMD_COMPRESS] = "compress",
	[CMD_DECOMPRESS] = "decompress",
	[CMD_ENCRYPT] = "encrypt",
	[CMD_DECRYPT] = "decrypt",
	[CMD_ENCODE] = "encode",
	[CMD_RECOVER] = "recover",
	[COMMANDS] = "help",
};

#define ON(command) (1U << (command))
#define ON_ALL (ON(COMMANDS) - 1)
#define ON_STREAMS                                                 \
	(ON(CMD_COMPRESS) | ON(CMD_DECOMPRESS) | ON(CMD_ENCRYPT) | \
	 ON(CMD_DECRYPT))

/* Commands that take an option. */
static unsigned int takers(int option)
{
	switch (option) {
	case 'o':
	case 'f':
		return ON_STREAMS | ON(CMD_ENCODE) | ON(CMD_RECOVER);
	case 't':
		return ON(CMD_DECOMPRESS) | ON(CMD_DECRYPT) | ON(CMD_RECOVER);
	case 'k':
		return ON(CMD_ENCRYPT) | ON(CMD_DECRYPT);
	case 'n':
	case 'm':
		return ON(CMD_ENCODE);
	case 'a':
	case 'c':
		return ON(CMD_HASH);
	case 'p':
	case OPT_VERBOSE:
		return ON_ALL;
	default: /* a level */
		return ON(CMD_COMPRESS);
	}
}

static void parse_blocks(struct options *opts, char *text)
{
	char *plus = strchr(text, '+');

	if (plus) {
		*plus = '\0';
		opts->data_blocks = usage_number("-n", text, "", 1, MAX_DATA);
		opts->rdnc_blocks =
			usage_number("-n", plus + 1, "", 1, MAX_RDNC);
		return;
	}
	usage("-n: '%s' is not two numbers, as in 4+2", text);
}

static enum doca_ec_matrix_type parse_matrix(const char *text)
{
	static const char *const names[] = { "cauchy", "vandermonde" };

	return usage_choice("matrix", text, names, 2) ?
		       DOCA_EC_MATRIX_TYPE_VANDERMONDE :
		       DOCA_EC_MATRIX_TYPE_CAUCHY;
}

static enum doca_sha_algorithm parse_algorithm(const char *text)
{
	static const char *const names[] = {
		[DOCA_SHA_ALGORITHM_SHA1] = "sha1",
		[DOCA_SHA_ALGORITHM_SHA256] = "sha256",
		[DOCA_SHA_ALGORITHM_SHA512] = "sha512",
	};

	return usage_choice("algorithm", text, names, 3);
}

static void take_option(struct options *opts, int option)
{
	switch (option) {
	case 'o':
		opts->out = optarg;
		break;
	case 'f':
		opts->force = true;
		break;
	case 't':
		opts->test = true;
		break;
	case 'k':
		opts->key = optarg;
		break;
	case 'n':
		parse_blocks(opts, optarg);
		break;
	case 'm':
		opts->matrix = parse_matrix(optarg);
		break;
	case 'a':
		opts->algorithm = parse_algorithm(optarg);
		break;
	case 'c':
		opts->check = true;
		break;
	case 'p':
		opts->dev = optarg;
		break;
	case OPT_VERBOSE:
		opts->verbose = true;
		break;
	case 'h':
		print_and_exit(help);
	case 'v':
		print_version();
	case '?': /* getopt_long() has printed the error */
		usage_said();
	default:
		opts->level = option - '0';
	}
}

/* An option by the name that the user may look up. */
static void check_options(const struct options *opts, const bool *given)
{
	const char *command = command_names[opts->command];
	bool several = opts->files[0] && opts->files[1];
	int option;

	for (option = 0; option <= OPT_VERBOSE; option++)
		if (given[option] && !(takers(option) & ON(opts->command)))
			usage("-%c is not for %s", option, command);
	if (opts->out && opts->test)
		usage("%s: -t writes nothing, and -o names a file", command);
	if (opts->out && several)
		usage("%s: -o is for one file", command);
	if ((takers('k') & ON(opts->command)) && !opts->key)
		usage("%s: -k FILE is missing, which has the key", command);
	if (opts->command == CMD_ENCODE && !opts->data_blocks)
		usage("encode: -n K+M is missing");
	if (opts->command < CMD_ENCODE)
		return;
	if (several)
		usage("unexpected argument '%s'", opts->files[1]);
	if (!opts->files[0])
		usage("%s: no file given", command);
	if (strcmp(opts->files[0], "-") != 0)
		return;
	if (opts->command == CMD_RECOVER)
		usage("recover reads several files, and not standard input");
	if (!opts->out || !strcmp(opts->out, "-"))
		usage("encode: -o NAME is missing, for the files' names");
}

static bool writes_stdout(const struct options *opts)
{
	int i;

	if (opts->out || opts->test)
		return opts->out && !strcmp(opts->out, "-");
	for (i = 0; opts->files[i]; i++)
		if (!strcmp(opts->files[i], "-"))
			return true;
	return false;
}

void options_parse(struct options *opts, int argc, char **argv)
{
	static const char short_options[] = "o:ftk:n:m:a:cp:hv123456789";
	static char *from_stdin[] = { "-", NULL };
	bool given[OPT_VERBOSE + 1] = { false };
	int option;

	*opts = (struct options){
		.algorithm = DOCA_SHA_ALGORITHM_SHA256,
		.matrix = DOCA_EC_MATRIX_TYPE_CAUCHY,
	};
	while ((option = getopt_long(argc, argv, short_options, long_options,
				     NULL)) != -1) {
		take_option(opts, option);
		given[option] = true;
	}
	if (optind == argc)
		usage("no command given");
	opts->command = usage_choice("command", argv[optind], command_names,
				     COMMANDS + 1);
	if (opts->command == COMMANDS)
		print_and_exit(help);
	opts->files = &argv[optind + 1];
	check_options(opts, given);
	if (!opts->files[0])
		opts->files = from_stdin;
	if ((ON(opts->command) & (ON(CMD_COMPRESS) | ON(CMD_ENCRYPT))) &&
	    !opts->force && writes_stdout(opts) && isatty(STDOUT_FILENO))
		usage("%s: what is written is not for a terminal; -f does so",
		      command_names[opts->command]);
}
