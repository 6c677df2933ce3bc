/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef COPY_OPTIONS_H
#define COPY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum command {
	CMD_LOCAL, /* doca_copy SRC DST */
	CMD_EXPORT,
	CMD_IMPORT,
};

struct options {
	enum command command;
	const char *src; /* local, export: file to read */
	const char *dst; /* local, import: file to write */
	const char *desc; /* export, import: directory of the descriptor */
	const char *dev; /* PCI address or name; NULL: the first usable */
	size_t chunk; /* local, import: bytes of a task */
	unsigned int depth; /* local, import: tasks in flight */
	bool any_user; /* export */
	bool once; /* export */
	bool verbose;
};

/*
 * Fill in *opts, or end the program: with success after --help and --version,
 * with EXIT_USAGE after wrong usage.
 */
void options_parse(struct options *opts, int argc, char **argv);

#endif /* COPY_OPTIONS_H */
