/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_OPTIONS_H
#define APSH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/device/target.h"

struct options {
	const char *file; /* an image, or the memory of a running QEMU */
	enum target_format format; /* format of the file */
	const char *target, *vuid; /* name of a target file, or its VUID */
	const char *regions, *map, *maps, *kpgd;
	const char *image; /* vmlinuz, vmlinux or a package */
	bool stats, pause;
	uint32_t watch; /* seconds between two looks; 0: look once */
	const char *command;
	uint32_t pid; /* for commands about one process, or 0 */
	const char *word; /* another argument of a command, or NULL */
};

void options_parse(int argc, char **argv, struct options *o);

#endif /* APSH_OPTIONS_H */
