// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/usage.h"

#include "choose.h"
#include "commands.h"
#include "options.h"
#include "out.h"

static const char help[] =
	"Usage: doca_apsh {--file IMAGE | --vuid VUID} -m REGIONS {-o MAP | --maps DIR}\n"
	"                 [OPTION]... COMMAND [PID]\n"
	"       doca_apsh --target NAME [OPTION]... COMMAND [PID]\n"
	"See what runs on another machine, in its memory.\n"
	"\n"
	"  -f, --file IMAGE     memory of a running QEMU, or an image: raw, LiME, AVML,\n"
	"                       ELF core, dump of kdump, saved state of QEMU or libvirt\n"
	"      --format raw|lime|elf|kdump|qevm|auto\n"
	"                       of that file: that of a QEMU is raw; auto is by its\n"
	"                       beginning (default)\n"
	"  -t, --target NAME    a target of /etc/doca/targets.d; what is not said otherwise\n"
	"                       is read from the folder NAME there, into which\n"
	"                       \"doca_apsh_map all -d\" of that machine has written\n"
	"      --vuid VUID      the target of that name\n"
	"  -m, --regions FILE   memory that may be read (mem_regions.json)\n"
	"  -o, --map FILE       symbols of the kernel (symbols.json)\n"
	"      --maps DIR       a folder of such files\n"
	"      --kpgd FILE      physical address of the kernel's page tables\n"
	"  -i, --image FILE     image of the kernel, for check: vmlinuz, vmlinux or a package\n"
	"  -e, --hashes FILE    hashes of code (doca_apsh_map hash), for attest\n"
	"  -y, --rule Hello_World|Reflective_Dll_Injection|Mimikatz\n"
	"                       a YARA rule, for yara; the last two are files of\n"
	"                       /etc/doca/yara\n"
	"      --json           one object a line (JSON Lines)\n"
	"      --csv            values with commas between them, below a line of names\n"
	"      --columns NAMES  only these columns, in this order, with commas between them;\n"
	"                       names are those of --json\n"
	"      --where COND     only rows of which that is so: NAME=TEXT, NAME!=TEXT, or\n"
	"                       NAME~TEXT for a part of it; may be repeated\n"
	"      --pause          stop the machine meanwhile, by the monitor of its target\n"
	"      --watch SECONDS  look again and again\n"
	"      --stats          what was read, and how the kernel was found, on standard error\n"
	"  -h, --help           print this, and end\n"
	"  -v, --version        print the version, and end\n"
	"\n"
	"Commands:\n"
	"  ps                   processes\n"
	"  pstree               processes, each below its parent\n"
	"  threads PID          threads of a process\n"
	"  maps PID             memory areas\n"
	"  libs PID             libraries\n"
	"  lsmod                modules of the kernel\n"
	"  args PID             command line and program\n"
	"  env PID              environment variables\n"
	"  caps PID             capabilities\n"
	"  fds PID              open files\n"
	"  files PID            files that a process uses, with hashes of them\n"
	"  attest PID           whether code is that of a file of hashes (--hashes)\n"
	"  inject PID           code in memory that is in no file, or differs from its file\n"
	"  yara PID             where in its memory a YARA rule matches (--rule)\n"
	"  check [KIND]         what is hidden, and what stands where the kernel's own code should\n"
	"  ss [PID]             sockets\n"
	"  ip                   network interfaces\n"
	"  containers [ID]      containers, or the processes of one\n"
	"  kmsg                 the log of the kernel\n"
	"  mounts [PID]         mounts of a process, or of the first one\n"
	"  record FILE          write what all of these read to an ELF core, but no hashes\n"
	"  target ...           add, del or show a target of /etc/doca/targets.d\n";

static const struct option long_options[] = {
	{ "file", required_argument, NULL, 'f' },
	{ "format", required_argument, NULL, 'F' },
	{ "target", required_argument, NULL, 't' },
	{ "vuid", required_argument, NULL, 'u' },
	{ "regions", required_argument, NULL, 'm' },
	{ "map", required_argument, NULL, 'o' },
	{ "maps", required_argument, NULL, 'M' },
	{ "kpgd", required_argument, NULL, 'k' },
	{ "image", required_argument, NULL, 'i' },
	{ "hashes", required_argument, NULL, 'e' },
	{ "rule", required_argument, NULL, 'y' },
	{ "json", no_argument, NULL, 'j' },
	{ "csv", no_argument, NULL, 'C' },
	{ "columns", required_argument, NULL, 'c' },
	{ "where", required_argument, NULL, 'W' },
	{ "pause", no_argument, NULL, 'P' },
	{ "watch", required_argument, NULL, 'w' },
	{ "stats", no_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{},
};

static void set_form(enum out_form form)
{
	if (out_form != OUT_TABLE && out_form != form)
		usage("--json and --csv are two forms: name one of them");
	out_form = form;
}

static void parse_options(int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt_long(argc, argv, "f:t:m:o:i:e:y:hv", long_options,
				NULL)) != -1) {
		switch (c) {
		case 'f':
			o->file = optarg;
			break;
		case 'F':
			o->format = usage_choice("format", optarg,
						 doca_priv_target_formats,
						 TARGET_FORMATS);
			break;
		case 't':
			o->target = optarg;
			break;
		case 'u':
			o->vuid = optarg;
			break;
		case 'm':
			o->regions = optarg;
			break;
		case 'o':
			o->map = optarg;
			break;
		case 'M':
			o->maps = optarg;
			break;
		case 'k':
			o->kpgd = optarg;
			break;
		case 'i':
			o->image = optarg;
			break;
		case 'e':
			command_hashes = optarg;
			break;
		case 'y':
			command_rule = rule_find(optarg);
			break;
		case 'j':
			set_form(OUT_JSON);
			break;
		case 'C':
			set_form(OUT_CSV);
			break;
		case 'c':
			choose_columns(optarg);
			break;
		case 'W':
			choose_rows(optarg);
			break;
		case 'P':
			o->pause = true;
			break;
		case 'w':
			o->watch = (uint32_t)usage_number("--watch", optarg, "",
							  1, 86400);
			break;
		case 's':
			o->stats = true;
			break;
		case 'h':
			print_and_exit(help);
		case 'v':
			print_version();
		default:
			usage_said();
		}
	}
}

void options_parse(int argc, char **argv, struct options *o)
{
	const struct command *command;
	int words;

	memset(o, 0, sizeof(*o));
	parse_options(argc, argv, o);
	if (optind == argc)
		usage("no command: see --help");
	o->command = argv[optind++];
	command = command_find(o->command);
	words = argc - optind;
	if (words > 1 || (words && command->argument == ARG_NONE))
		usage("%s: there are too many arguments", o->command);
	if (command->argument == ARG_PID && !words)
		usage("%s: a PID is missing", o->command);
	if (command->argument == ARG_FILE && (!words || o->watch))
		usage("%s: a file is missing, or --watch is too much",
		      o->command);
	if (command->argument == ARG_FILE &&
	    (out_form == OUT_CSV || choose_is_used()))
		usage("%s prints no rows: --csv, --columns and --where are too "
		      "much",
		      o->command);
	if (command->argument == ARG_OR_FIRST)
		o->pid = 1;
	if (words && command->of_process)
		o->pid = (uint32_t)usage_number("PID", argv[optind], "", 1,
						UINT32_MAX);
	else if (words)
		o->word = argv[optind];
	if (command->of_system == check_system && o->word)
		usage_choice("kind", o->word, check_kinds, CHECK_KINDS);
	if (command->of_system != check_system && o->image)
		usage("--image is for check only");
	if (!command_hashes == !strcmp(o->command, "attest"))
		usage("attest needs --hashes FILE, and others do not take it");
	if (!command_rule == !strcmp(o->command, "yara"))
		usage("yara needs --rule NAME, and others do not take it");
	if (!!o->file + !!o->target + !!o->vuid != 1)
		usage("say which memory: one of --file, --target and --vuid");
	if (o->format && !o->file)
		usage("--format is of a --file");
	if (o->pause && (o->file || o->watch))
		usage("--pause needs a target, and is not for --watch");
	if (!o->regions && !o->target)
		usage("say what may be read: --regions FILE");
	if (o->map ? !!o->maps : !o->maps && !o->target)
		usage("say which symbols: one of --map and --maps");
}
