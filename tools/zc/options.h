/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef ZC_OPTIONS_H
#define ZC_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

/* @pid: 0 for all processes */
struct options {
	pid_t pid;
	bool json;
};

void options_parse(struct options *opts, int argc, char **argv);

#endif /* ZC_OPTIONS_H */
