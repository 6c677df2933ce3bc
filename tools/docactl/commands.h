/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The program's commands; each returns 0, or says why not and returns -1. */
#ifndef DOCACTL_COMMANDS_H
#define DOCACTL_COMMANDS_H

#include "family.h"
#include "options.h"

int command_show(struct family *family, const struct options *opts);
int command_summary(struct family *family, const struct options *opts);
int command_top(struct family *family, const struct options *opts);
int command_metrics(struct family *family, const struct options *opts);
int command_monitor(struct family *family, const struct options *opts);
int command_revoke(struct family *family, const struct options *opts);
int command_engine(struct family *family, const struct options *opts);
int command_pair(struct family *family, const struct options *opts);

/*
 * Check that a device of this name exists, or that something shown names it. NULL, no
 * name, is right.
 */
int check_device(struct family *family, const struct records *shown,
		 const char *name);

/* Return the number of the listed device of this name; if there is none, say so and return 0. */
uint32_t find_device(const struct records *devices, const char *name);

/* Write a JSON value and free it: as a document, or in one line if it is one of many. */
int json_print(json_object *value);
int json_print_line(json_object *value);

#endif /* DOCACTL_COMMANDS_H */
