/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The command line */
#ifndef DOCACTL_OPTIONS_H
#define DOCACTL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kind.h"

enum command {
	CMD_SHOW,
	CMD_SUMMARY,
	CMD_TOP,
	CMD_MONITOR,
	CMD_METRICS,
	CMD_REVOKE,
	CMD_ENGINE,
	CMD_PAIR,
	CMD_HELP, /* done while options are parsed */
};

enum engine_command {
	ENGINE_LIST,
	ENGINE_ADD,
	ENGINE_REMOVE,
	ENGINE_ATTACH,
	ENGINE_DETACH,
};

enum pair_command {
	PAIR_SHOW,
	PAIR_ADD,
	PAIR_DEL,
};

/* Members that are not given are NULL */
struct pair_options {
	enum pair_command command;
	const char *name;
	const char *dpu;
	const char *host;
	bool any_user;
	bool has_users;
};

/* Objects must match these; members that are not given are negative or NULL */
struct filter {
	int64_t file;
	int64_t pid;
	int64_t uid;
	const char *dev;
};

struct options {
	enum command command;
	const struct kind *kind; /* for CMD_SHOW, CMD_ENGINE and CMD_PAIR */
	struct filter filter; /* for CMD_SHOW and CMD_TOP */
	bool json;
	bool users; /* for CMD_METRICS: a series for each user */
	double delay; /* for CMD_TOP, in seconds */
	unsigned long count; /* likewise; 0: for ever */
	enum engine_command engine_command;
	struct pair_options pair;
	/*
	 * Names of exports, pairs or engines; for ENGINE_ATTACH also of devices, and for
	 * ENGINE_DETACH only of these
	 */
	char **names;
	int nr_names;
};

/* Parse the options; end the program if they are wrong, or if they only ask for help. */
void options_parse(struct options *opts, int argc, char **argv);
bool filter_passes(const struct filter *filter, const struct record *record);

#endif /* DOCACTL_OPTIONS_H */
