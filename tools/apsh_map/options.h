/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_MAP_OPTIONS_H
#define APSH_MAP_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

struct kernel;

enum command {
	MAP_SYMBOLS,
	MAP_REGIONS,
	MAP_KPGD,
	MAP_HASH,
	MAP_ALL,
	MAP_CODE
};

struct options {
	enum command command;
	/* A file that has a whole kernel, and its reader; NULL: the running kernel. */
	const char *image;
	void (*from)(struct kernel *kernel, const char *path);
	const char *btf, *kallsyms, *banner, *notes;
	const char *iomem, *kcore;
	const char *output; /* NULL: a name by the command; - is stdout */
	const char *dir; /* for all output */
	bool full;
	pid_t pid; /* 0: files */
	char **files;
	int nr_files;
};

void options_parse(struct options *opts, int argc, char **argv);

#endif /* APSH_MAP_OPTIONS_H */
