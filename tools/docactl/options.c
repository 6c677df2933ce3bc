// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

#include "msg.h"
#include "options.h"

static const char help[] =
	"Usage: docactl [OPTION]... KIND [show] [FILTER]...\n"
	"       docactl [OPTION]... summary\n"
	"       docactl [OPTION]... top [-d SEC] [-n COUNT] [FILTER]...\n"
	"       docactl [OPTION]... monitor\n"
	"       docactl revoke EXPORT...\n"
	"\n"
	"Show what the DOCA driver and its users have, and revoke exports.\n"
	"\n"
	"A user sees what belongs to himself. Root sees what belongs to everybody, and\n"
	"addresses.\n"
	"\n"
	"KIND is one of these, or the begin of its name:\n"
	"  device     devices: RDMA devices, and the one in software\n"
	"  file       open files of /dev/doca: what each process has\n"
	"  memory     registered memory, with what it pins\n"
	"  mapping    keys to memory, of one's own or imported\n"
	"  export     export blobs that are about, with the number of their imports\n"
	"  queue      queues with their state and counters\n"
	"  worker     worker threads, and how long they have worked and polled\n"
	"\n"
	"FILTER is one of these; what is shown passes all:\n"
	"  file ID    of the open file with this number\n"
	"  pid PID    of files that this process has opened\n"
	"  uid UID    of files that this user has opened\n"
	"  dev NAME   of this device\n"
	"\n"
	"Other commands:\n"
	"  summary    how much there is of everything\n"
	"  top        queues by what they do now, again and again; Ctrl-C ends it\n"
	"  monitor    tell of devices that come and go; Ctrl-C ends it\n"
	"  revoke     end exports by their numbers: blobs are worthless from then on, and\n"
	"             tasks of importers fail; only for root\n"
	"\n"
	"Options:\n"
	"  -j, --json         write JSON; top and monitor write one line each time\n"
	"  -d, --delay SEC    top: seconds between two looks; default 1\n"
	"  -n, --count COUNT  top: how often to look; default: for ever\n"
	"  -h, --help         print this help\n"
	"  -V, --version      print the version\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n"
	"\n"
	"Examples:\n"
	"  docactl memory show pid 4711      what does this process pin?\n"
	"  docactl queue dev rxe0            who uses this device?\n"
	"  docactl export show               what can be reached from outside?\n"
	"  docactl revoke 12                 take that export back\n"
	"  docactl --json file | jq 'map(.pinned_bytes) | add'\n";

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "delay", required_argument, NULL, 'd' },
	{ "count", required_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

PRINTF(1, 2)
static _Noreturn void usage(const char *fmt, ...)
{
	va_list ap;

	fputs("docactl: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nTry 'docactl --help'.\n", stderr);
	exit(EXIT_USAGE);
}

/* A number from 0 to max; ends the program if it is none. */
static uint64_t parse_number(const char *what, const char *text, uint64_t max)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || value > max)
		usage("%s: '%s' is not a number from 0 to %llu", what, text,
		      (unsigned long long)max);
	return value;
}

static double parse_delay(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !(value >= 0.05 && value <= 86400))
		usage("--delay: '%s' is not between 0.05 and 86400 seconds",
		      text);
	return value;
}

static void parse_filter(struct filter *filter, char **words, int n)
{
	int i;

	*filter = (struct filter){ .file = -1, .pid = -1, .uid = -1 };
	for (i = 0; i < n; i += 2) {
		if (i + 1 == n)
			usage("'%s' is no filter, or its value is missing",
			      words[i]);
		if (!strcmp(words[i], "file"))
			filter->file =
				parse_number("file", words[i + 1], UINT32_MAX);
		else if (!strcmp(words[i], "pid"))
			filter->pid =
				parse_number("pid", words[i + 1], UINT32_MAX);
		else if (!strcmp(words[i], "uid"))
			filter->uid =
				parse_number("uid", words[i + 1], UINT32_MAX);
		else if (!strcmp(words[i], "dev"))
			filter->dev = words[i + 1];
		else
			usage("'%s' is no filter; there are file, pid, uid and dev",
			      words[i]);
	}
}

static bool has_field(const struct kind *kind, int attr)
{
	const struct field *field;

	for (field = kind->fields; field->name; field++)
		if (field->attr == attr)
			return true;
	return false;
}

/* A filter that nothing could pass is a mistake. */
static void check_filter(const struct filter *filter, const struct kind *kind)
{
	const bool by_owner = filter->file >= 0 || filter->pid >= 0 ||
			      filter->uid >= 0;

	if (by_owner && !has_field(kind, DOCA_GENL_A_FILE_ID))
		usage("a %s belongs to no file; only 'dev' can be given",
		      kind->name);
	if (filter->dev && !has_field(kind, DOCA_GENL_A_DEV_NAME))
		usage("a %s is of no device; 'dev' cannot be given",
		      kind->name);
}

static bool is_command(const char *word, const char *name)
{
	return !strcmp(word, name);
}

static void take_show(struct options *opts, const char *name, char **words,
		      int n)
{
	opts->command = CMD_SHOW;
	opts->kind = kind_find(name);
	if (!opts->kind)
		usage("'%s' is no command", name);
	if (n && is_command(words[0], "show")) {
		words++;
		n--;
	}
	parse_filter(&opts->filter, words, n);
	check_filter(&opts->filter, opts->kind);
}

static void take_revoke(struct options *opts, char **words, int n)
{
	int i;

	opts->command = CMD_REVOKE;
	if (!n)
		usage("revoke: the number of an export is missing");
	for (i = 0; i < n; i++)
		parse_number("revoke", words[i], UINT32_MAX);
	opts->exports = words;
	opts->nr_exports = n;
}

static void take_words(struct options *opts, char **words, int n)
{
	const char *name;

	if (!n)
		usage("no command given");
	name = *words++;
	n--;
	if (is_command(name, "revoke")) {
		take_revoke(opts, words, n);
	} else if (is_command(name, "top")) {
		opts->command = CMD_TOP;
		parse_filter(&opts->filter, words, n);
	} else if (is_command(name, "summary") || is_command(name, "monitor")) {
		opts->command = *name == 's' ? CMD_SUMMARY : CMD_MONITOR;
		if (n)
			usage("unexpected argument '%s'", words[0]);
	} else {
		take_show(opts, name, words, n);
	}
}

static _Noreturn void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

void options_parse(struct options *opts, int argc, char **argv)
{
	bool for_top = false;
	int c;

	*opts = (struct options){ .delay = 1 };
	while ((c = getopt_long(argc, argv, "jd:n:hV", long_options, NULL)) !=
	       -1) {
		switch (c) {
		case 'j':
			opts->json = true;
			break;
		case 'd':
			opts->delay = parse_delay(optarg);
			for_top = true;
			break;
		case 'n':
			opts->count =
				parse_number("--count", optarg, UINT32_MAX);
			for_top = true;
			break;
		case 'h':
			print_and_exit(help);
		case 'V':
			print_and_exit(
				"docactl (Open DOCA) " DOCA_VERSION_STRING
				"\n");
		default: /* getopt has said what is wrong */
			fputs("Try 'docactl --help'.\n", stderr);
			exit(EXIT_USAGE);
		}
	}
	take_words(opts, argv + optind, argc - optind);
	if (for_top && opts->command != CMD_TOP)
		usage("--delay and --count are for top only");
	if (opts->json && opts->command == CMD_REVOKE)
		usage("--json is not for revoke, which prints nothing");
}

uint32_t options_export_id(const char *text)
{
	return strtoul(text, NULL, 10);
}

static bool has_value(const struct record *record, int attr, int64_t wanted)
{
	return wanted < 0 || (record->attrs[attr] &&
			      record_value(record, attr) == (uint64_t)wanted);
}

bool filter_passes(const struct filter *filter, const struct record *record)
{
	return has_value(record, DOCA_GENL_A_FILE_ID, filter->file) &&
	       has_value(record, DOCA_GENL_A_PID, filter->pid) &&
	       has_value(record, DOCA_GENL_A_UID, filter->uid) &&
	       (!filter->dev ||
		!strcmp(record_string(record, DOCA_GENL_A_DEV_NAME),
			filter->dev));
}
