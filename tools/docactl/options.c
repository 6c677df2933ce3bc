// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/usage.h"
#include "help.h"
#include "options.h"

#define DEVICE_NAME_MAX 64 /* including the NUL */

enum { USERS = 256 }; /* it has no letter */

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "delay", required_argument, NULL, 'd' },
	{ "count", required_argument, NULL, 'n' },
	{ "users", no_argument, NULL, USERS },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

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

static void set_once(const char *name, int64_t *number, const char *text)
{
	if (*number >= 0)
		usage("%s is given more than once", name);
	*number = usage_number(name, text, "", 0, UINT32_MAX);
}

/* A name begins with a letter. */
static void set_user(const char *name, int64_t *uid, const char *text)
{
	const struct passwd *user;

	if (!isalpha((unsigned char)*text) && *text != '_') {
		set_once(name, uid, text);
		return;
	}
	if (*uid >= 0)
		usage("%s is given more than once", name);
	user = getpwnam(text);
	if (user)
		*uid = user->pw_uid;
	else
		usage("%s: there is no user '%s'", name, text);
}

static void take_filter(struct filter *filter, const char *name,
			const char *value)
{
	enum { BY_FILE, BY_PID, BY_UID, BY_DEV };
	static const char *const names[] = { "file", "pid", "uid", "dev" };
	size_t by = usage_choice("filter", name, names, 4);

	if (!value)
		usage("%s: the value is missing", names[by]);
	switch (by) {
	case BY_FILE:
		set_once(names[by], &filter->file, value);
		break;
	case BY_PID:
		set_once(names[by], &filter->pid, value);
		break;
	case BY_UID:
		set_user(names[by], &filter->uid, value);
		break;
	case BY_DEV:
		if (filter->dev)
			usage("dev is given more than once");
		filter->dev = value;
		break;
	}
}

static void parse_filter(struct filter *filter, char **words, int n)
{
	int i;

	*filter = (struct filter){ .file = -1, .pid = -1, .uid = -1 };
	for (i = 0; i < n; i += 2)
		take_filter(filter, words[i], i + 1 < n ? words[i + 1] : NULL);
}

static bool has_field(const struct kind *kind, int attr)
{
	const struct field *field;

	for (field = kind->fields; field->name; field++)
		if (field->attr == attr)
			return true;
	return false;
}

/* A filter that no object can pass is a mistake. */
static void check_filter(const struct filter *filter, const struct kind *kind)
{
	const bool has_file = has_field(kind, DOCA_GENL_A_FILE_ID);
	const bool has_uid = has_field(kind, DOCA_GENL_A_UID);
	const bool has_dev = has_field(kind, DOCA_GENL_A_DEV_NAME);
	const bool by_file = filter->file >= 0 || filter->pid >= 0;

	if ((by_file && !has_file) || (filter->uid >= 0 && !has_uid))
		usage("a %s belongs to no file; %s", kind->name,
		      has_dev ? "only 'dev' can be given" :
		      has_uid ? "only 'uid' can be given" :
				"it has no filter");
	if (filter->dev && !has_dev)
		usage("a %s cannot be chosen by 'dev'", kind->name);
}

static void take_show(struct options *opts, char **words, int n)
{
	if (n && !strcmp(words[0], "show")) {
		words++;
		n--;
	}
	parse_filter(&opts->filter, words, n);
	check_filter(&opts->filter, opts->kind);
}

static void take_revoke(struct options *opts, char **words, int n)
{
	int i;

	if (!n)
		usage("revoke: the number of an export is missing");
	for (i = 0; i < n; i++)
		usage_number("revoke", words[i], "", 0, UINT32_MAX);
	opts->names = words;
	opts->nr_names = n;
}

static void check_name(const char *verb, const char *name)
{
	if (!*name || strlen(name) >= DEVICE_NAME_MAX)
		usage("%s: '%s' is not the name of a device", verb, name);
}

/* Take the names of engines and devices */
static void take_names(struct options *opts, char **words, int n)
{
	int i;

	opts->names = words;
	opts->nr_names = n;
	if (!n)
		usage("engine: the name of a device is missing");
	if (opts->engine_command == ENGINE_ATTACH && n < 2)
		usage("engine attach: to which device?");
	for (i = 0; i < n; i++)
		check_name("engine", words[i]);
}

static void take_engine(struct options *opts, char **words, int n)
{
	static const char *const names[] = { "list",   "show",	 "add",
					     "remove", "attach", "detach" };
	static const enum engine_command commands[] = {
		ENGINE_LIST,   ENGINE_LIST,   ENGINE_ADD,
		ENGINE_REMOVE, ENGINE_ATTACH, ENGINE_DETACH,
	};

	parse_filter(&opts->filter, NULL, 0);
	if (!n)
		return;
	opts->engine_command =
		commands[usage_choice("engine command", words[0], names, 6)];
	if (opts->engine_command != ENGINE_LIST)
		take_names(opts, words + 1, n - 1);
	else if (n > 1)
		usage("engine: unexpected argument '%s'", words[1]);
}

static void take_users(struct pair_options *pair, const char *word)
{
	static const char *const names[] = { "any", "same" };

	if (pair->has_users)
		usage("pair add: users is given more than once");
	pair->has_users = true;
	pair->any_user = usage_choice("rule for users", word, names, 2) == 0;
}

static void take_pair_argument(struct pair_options *pair, const char *name,
			       const char *value)
{
	enum { DPU, HOST, USERS, NR_NAMES };
	static const char *const names[] = { "dpu", "host", "users" };
	size_t which =
		usage_choice("argument of pair add", name, names, NR_NAMES);
	const char **device = which == DPU ? &pair->dpu : &pair->host;

	if (!value)
		usage("pair add: %s: the value is missing", names[which]);
	if (which == USERS) {
		take_users(pair, value);
		return;
	}
	if (*device)
		usage("pair add: %s is given more than once", names[which]);
	check_name("pair add", value);
	*device = value;
}

static bool is_pair_argument(const char *word)
{
	return !strcmp(word, "dpu") || !strcmp(word, "host") ||
	       !strcmp(word, "users");
}

static void take_pair_add(struct pair_options *pair, char **words, int n)
{
	int i = n && !is_pair_argument(words[0]);

	if (i)
		pair->name = words[0];
	for (; i < n; i += 2)
		take_pair_argument(pair, words[i],
				   i + 1 < n ? words[i + 1] : NULL);
}

static void take_pair(struct options *opts, char **words, int n)
{
	static const char *const names[] = { "show", "add", "del" };

	parse_filter(&opts->filter, NULL, 0);
	if (!n)
		return;
	opts->pair.command = usage_choice("pair command", words[0], names, 3);
	words++;
	n--;
	switch (opts->pair.command) {
	case PAIR_SHOW:
		if (n)
			usage("pair: unexpected argument '%s'", words[0]);
		break;
	case PAIR_ADD:
		take_pair_add(&opts->pair, words, n);
		break;
	case PAIR_DEL:
		if (!n)
			usage("pair del: the name of a pair is missing");
		opts->names = words;
		opts->nr_names = n;
	}
}

static _Noreturn void take_help(char **words, int n)
{
	if (n > 1)
		usage("help: unexpected argument '%s'", words[1]);
	if (n)
		help_print_verb(verb_find(words[0]));
	help_print();
}

static void take_words(struct options *opts, char **words, int n)
{
	const struct verb *verb;

	if (!n)
		usage("no command given");
	verb = verb_find(*words++);
	n--;
	opts->command = verb->command;
	opts->kind = verb->kind;
	switch (verb->command) {
	case CMD_SHOW:
		take_show(opts, words, n);
		break;
	case CMD_TOP:
		parse_filter(&opts->filter, words, n);
		break;
	case CMD_SUMMARY:
	case CMD_MONITOR:
	case CMD_METRICS:
		if (n)
			usage("%s: unexpected argument '%s'", verb->name,
			      words[0]);
		break;
	case CMD_REVOKE:
		take_revoke(opts, words, n);
		break;
	case CMD_ENGINE:
		take_engine(opts, words, n);
		break;
	case CMD_PAIR:
		take_pair(opts, words, n);
		break;
	case CMD_HELP:
		take_help(words, n);
	}
}

/* getopt_long() takes anything that begins with a dash for an option, even this. */
static _Noreturn void refuse_negative(char **argv, int digit)
{
	const char *word = argv[optind - 1];

	if (*word != '-' || word[strlen(word) - 1] != digit)
		word = argv[optind];
	usage("'%s' is not a number from 0 to %" PRIu32, word, UINT32_MAX);
}

void options_parse(struct options *opts, int argc, char **argv)
{
	bool for_top = false;
	int c;

	*opts = (struct options){ .delay = 1 };
	while ((c = getopt_long(argc, argv, "jd:n:hv0123456789", long_options,
				NULL)) != -1) {
		switch (c) {
		case 'j':
			opts->json = true;
			break;
		case 'd':
			opts->delay = parse_delay(optarg);
			for_top = true;
			break;
		case 'n':
			opts->count = usage_number("--count", optarg, "", 0,
						   UINT32_MAX);
			for_top = true;
			break;
		case USERS:
			opts->users = true;
			break;
		case 'h':
			help_print();
		case 'v':
			print_version();
		case '?': /* getopt_long() has printed the error */
			usage_said();
		default:
			refuse_negative(argv, c);
		}
	}
	take_words(opts, argv + optind, argc - optind);
	if (for_top && opts->command != CMD_TOP)
		usage("--delay and --count are for top only");
	if (opts->users && opts->command != CMD_METRICS)
		usage("--users is for metrics only");
	if (opts->json && opts->command == CMD_REVOKE)
		usage("--json is not for revoke, which prints nothing");
	if (opts->json && opts->command == CMD_METRICS)
		usage("--json is not for metrics, which are in Prometheus's form");
	if (opts->json && opts->engine_command != ENGINE_LIST)
		usage("--json is only for the list of engines");
	if (opts->json && opts->pair.command != PAIR_SHOW)
		usage("--json is only for the list of pairs");
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
