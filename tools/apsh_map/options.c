// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "common/usage.h"
#include "kernel.h"
#include "options.h"

static const char help[] =
	"Usage: doca_apsh_map symbols [--vmlinuz FILE | --vmlinux FILE | --package FILE |\n"
	"                         --from-memory FILE |\n"
	"                         --btf FILE --kallsyms FILE --banner FILE [--notes FILE]]\n"
	"                         [--full] [-o FILE]\n"
	"       doca_apsh_map regions [--iomem FILE] [-o FILE]\n"
	"       doca_apsh_map kpgd [--kcore FILE] [-o FILE]\n"
	"       doca_apsh_map hash {--pid N | --file FILE...} [-o FILE]\n"
	"       doca_apsh_map all -d DIR [--pid N]\n"
	"       doca_apsh_map code {--vmlinuz FILE | --vmlinux FILE | --package FILE} [-o FILE]\n"
	"\n"
	"Write the files that say how to read the memory of a Linux machine (App Shield).\n"
	"\n"
	"  symbols           types and symbols of its kernel, in volatility's form (ISF)\n"
	"  regions           where its memory is\n"
	"  kpgd              where the page table of its kernel is\n"
	"  hash              hashes of the code that a process should execute\n"
	"  all               symbols.json, mem_regions.json, kpgd.txt, and hash.json for --pid\n"
	"  code              the unpacked image and its symbols, for doca_apsh check\n"
	"\n"
	"  --vmlinuz FILE, --vmlinux FILE\n"
	"                    of an image, instead of the kernel that runs here\n"
	"  --package FILE    of the image in a package: linux-image-RELEASE.deb, or an RPM\n"
	"  --from-memory FILE\n"
	"                    of the kernel in this memory: of a running QEMU, a raw image,\n"
	"                    LiME or an ELF core\n"
	"  --btf FILE --kallsyms FILE --banner FILE --notes FILE\n"
	"                    of copies of /sys/kernel/btf/vmlinux, /proc/kallsyms,\n"
	"                    /proc/version and /sys/kernel/notes\n"
	"  --full            all types and symbols, not only what is needed\n"
	"  --iomem FILE      a copy of /proc/iomem\n"
	"  --kcore FILE      in place of /proc/kcore\n"
	"  -p, --pid N       what this process has mapped\n"
	"  -f, --file FILE   this file; what follows without an option are files, too\n"
	"  -o, --output FILE where to write, - for standard output; without it symbols go to\n"
	"                    linux-RELEASE-BUILDID.json, others to standard output\n"
	"  -d, --dir DIR     folder for all files\n"
	"  -h, --help        print this help\n"
	"  -v, --version     print the version\n"
	"\n"
	"All but images, packages and memory that one may read need root.\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n";

enum {
	OPT_BTF = 256,
	OPT_KALLSYMS,
	OPT_BANNER,
	OPT_NOTES,
	OPT_IOMEM,
	OPT_KCORE,
	OPT_VMLINUZ,
	OPT_VMLINUX,
	OPT_PACKAGE,
	OPT_MEMORY,
	OPT_FULL
};

static const struct option long_options[] = {
	{ "vmlinuz", required_argument, NULL, OPT_VMLINUZ },
	{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
	{ "package", required_argument, NULL, OPT_PACKAGE },
	{ "from-memory", required_argument, NULL, OPT_MEMORY },
	{ "btf", required_argument, NULL, OPT_BTF },
	{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
	{ "banner", required_argument, NULL, OPT_BANNER },
	{ "notes", required_argument, NULL, OPT_NOTES },
	{ "iomem", required_argument, NULL, OPT_IOMEM },
	{ "kcore", required_argument, NULL, OPT_KCORE },
	{ "full", no_argument, NULL, OPT_FULL },
	{ "pid", required_argument, NULL, 'p' },
	{ "file", required_argument, NULL, 'f' },
	{ "output", required_argument, NULL, 'o' },
	{ "dir", required_argument, NULL, 'd' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ 0 },
};

static void set_image(struct options *opts, const char *path,
		      void (*from)(struct kernel *kernel, const char *path))
{
	if (opts->image)
		usage("one image at a time, not also %s", path);
	opts->image = path;
	opts->from = from;
}

static void set_option(struct options *opts, int option)
{
	switch (option) {
	case OPT_VMLINUZ:
	case OPT_VMLINUX:
		set_image(opts, optarg, kernel_of_image);
		break;
	case OPT_PACKAGE:
		set_image(opts, optarg, kernel_of_package);
		break;
	case OPT_MEMORY:
		set_image(opts, optarg, kernel_of_memory);
		break;
	case OPT_BTF:
		opts->btf = optarg;
		break;
	case OPT_KALLSYMS:
		opts->kallsyms = optarg;
		break;
	case OPT_BANNER:
		opts->banner = optarg;
		break;
	case OPT_NOTES:
		opts->notes = optarg;
		break;
	case OPT_IOMEM:
		opts->iomem = optarg;
		break;
	case OPT_KCORE:
		opts->kcore = optarg;
		break;
	case OPT_FULL:
		opts->full = true;
		break;
	case 'p':
		opts->pid = usage_number("--pid", optarg, "", 1, INT_MAX);
		break;
	case 'f':
		/* More files follow; the array is part of argv. */
		opts->files[opts->nr_files++] = optarg;
		break;
	case 'o':
		opts->output = optarg;
		break;
	case 'd':
		opts->dir = optarg;
		break;
	case 'h':
		print_and_exit(help);
	case 'v':
		print_version();
	default:
		usage_said();
	}
}

static void check_symbols(const struct options *opts)
{
	bool files = opts->btf || opts->kallsyms || opts->banner || opts->notes;

	if (opts->command == MAP_CODE) {
		if (files || !opts->image || opts->from == kernel_of_memory)
			usage("code needs --vmlinuz, --vmlinux or --package");
		return;
	}
	if (opts->command != MAP_SYMBOLS && (files || opts->image))
		usage("images and their parts are for symbols and code only");
	if (opts->image && files)
		usage("an image has all: there cannot be other files, too");
	if (files && (!opts->btf || !opts->kallsyms || !opts->banner))
		usage("--btf, --kallsyms and --banner go together");
}

static void check(const struct options *opts)
{
	bool hash = opts->command == MAP_HASH;

	check_symbols(opts);
	if (hash && !opts->pid == !opts->nr_files)
		usage("hash needs --pid, or --file");
	if (!hash && opts->nr_files)
		usage("what is \"%s\" for? Files are for hash only",
		      opts->files[0]);
	if (opts->pid && !hash && opts->command != MAP_ALL)
		usage("--pid is for hash and all");
	if (!opts->dir != (opts->command != MAP_ALL))
		usage("all needs --dir, and others do not take it");
	if (opts->output && opts->command == MAP_ALL)
		usage("all goes to --dir, not to --output");
}

void options_parse(struct options *opts, int argc, char **argv)
{
	static const char *const commands[] = { "symbols", "regions", "kpgd",
						"hash",	   "all",     "code" };
	const char *command = NULL;
	int option;

	opts->files = argv;
	while ((option = getopt_long(argc, argv, "-p:f:o:d:hv", long_options,
				     NULL)) != -1) {
		if (option == 1 && !command)
			command = optarg;
		else
			set_option(opts, option == 1 ? 'f' : option);
	}
	if (!command && optind < argc)
		command = argv[optind++];
	while (optind < argc)
		opts->files[opts->nr_files++] = argv[optind++];
	if (!command)
		usage("which command? symbols, regions, kpgd, hash, all or "
		      "code");
	opts->command = usage_choice("command", command, commands, 6);
	check(opts);
}
