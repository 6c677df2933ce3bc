/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Calls of the plug-in that reads files in JSON (core/settings/table.h), which is loaded for them,
 * with no lock held. They return -ELIBACC, logged, if it cannot be loaded now.
 */
#ifndef DOCA_CORE_SETTINGS_LOAD_H
#define DOCA_CORE_SETTINGS_LOAD_H

#include <stddef.h>

struct profile_content;
struct settings_table;
struct target;

int settings_load(const struct settings_table **table);

int settings_target(const char *path, const char *text, size_t len,
		    struct target **target);

#endif /* DOCA_CORE_SETTINGS_LOAD_H */
