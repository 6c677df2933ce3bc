// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdbool.h>

#include <doca_log.h>

#include "core/base/loader.h"
#include "core/base/log.h"
#include "core/base/plugin.h"
#include "core/verbs/table.h"
#include "verbs_load.h"

LOG_SOURCE("COMMON::DEV");

/* A program that is linked statically has it. A program's own symbol of that name is none. */
extern const struct verbs_table open_doca_verbs
	__attribute__((weak, visibility("hidden")));

int verbs_load(const struct verbs_table **table)
{
	static struct plugin plugin = {
		.name = "verbs",
		.table = VERBS_TABLE,
		.lacked = "no RDMA device can be used",
		.install = "libdoca_common as a whole, libibverbs and libnl "
			   "(Debian: libibverbs1, libnl-route-3-200)",
		.level = DOCA_LOG_LEVEL_ERROR,
	};
	const struct verbs_table *within = &open_doca_verbs;
	const void *loaded;
	int err;

	*table = within;
	if (within)
		return 0;
	err = plugin_load(&plugin, &loaded);
	*table = loaded;
	return err;
}

/* A list has had devices, for which drivers were looked for. */
static bool has_drivers;

int verbs_enter(int *cancel_state)
{
	int err = loader_enter(cancel_state);

	if (!err)
		return 0;
	LOG_ERR("no RDMA device can be looked for: %s", loader_reason(err));
	return -ELIBACC;
}

void verbs_leave(int cancel_state)
{
	loader_leave(cancel_state);
}

int verbs_load_all(const struct verbs_table **table)
{
	int state, err = verbs_load(table);

	if (err || __atomic_load_n(&has_drivers, __ATOMIC_ACQUIRE))
		return err;
	err = verbs_enter(&state);
	if (err)
		return err;
	err = (*table)->load_drivers();
	verbs_leave(state);
	if (err > 0)
		__atomic_store_n(&has_drivers, true, __ATOMIC_RELEASE);
	return err < 0 ? err : 0;
}
