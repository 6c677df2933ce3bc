// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_log.h>

#include "core/settings/table.h"
#include "plugin.h"
#include "settings_load.h"

/* A program that is linked statically has it. A program's own symbol of that name is none. */
extern const struct settings_table open_doca_settings
	__attribute__((weak, visibility("hidden")));

int settings_load(const struct settings_table **table)
{
	static struct plugin plugin = {
		.name = "settings",
		.table = SETTINGS_TABLE,
		.lacked = "no file of JSON is read",
		.install = "libdoca_common as a whole, and json-c (Debian: "
			   "libjson-c5)",
		.level = DOCA_LOG_LEVEL_ERROR,
	};
	const struct settings_table *within = &open_doca_settings;
	const void *loaded;
	int err;

	*table = within;
	if (within)
		return 0;
	err = plugin_load(&plugin, &loaded);
	*table = loaded;
	return err;
}

int settings_target(const char *path, const char *text, size_t len,
		    struct target **target)
{
	const struct settings_table *table;
	int err = settings_load(&table);

	return err ? err : table->target(path, text, len, target);
}
