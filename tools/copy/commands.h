/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The commands of the program. Each returns 0, or prints an error and returns -1. */
#ifndef COPY_COMMANDS_H
#define COPY_COMMANDS_H

#include "options.h"

int command_export(const struct options *opts);
int command_import(const struct options *opts);
int command_local(const struct options *opts);

#endif /* COPY_COMMANDS_H */
