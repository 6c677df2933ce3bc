/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef CAPS_OPTIONS_H
#define CAPS_OPTIONS_H

#include <stdbool.h>

enum what {
	SHOW_CAPS, /* capabilities of each library on each device */
	SHOW_DEVS,
	SHOW_REP_DEVS,
	SHOW_LIBS,
	SHOW_LEVELS,
	SHOW_DRIVERS,
};

struct options {
	enum what what;
	const char *dev; /* PCI address or name; NULL for all */
	const char *lib; /* NULL for all */
	bool json;
};

/*
 * Fill in *opts, or end the program: after --help and --version with success,
 * on bad usage with EXIT_USAGE.
 */
void options_parse(struct options *opts, int argc, char **argv);

#endif /* CAPS_OPTIONS_H */
