/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the program does; each returns 0, or -1 having said why. */
#ifndef COPY_COMMANDS_H
#define COPY_COMMANDS_H

#include "options.h"

int command_export(const struct options *opts);
int command_import(const struct options *opts);
int command_local(const struct options *opts);

#endif /* COPY_COMMANDS_H */
