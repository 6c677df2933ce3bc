// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_log.h>

#include "core/base/plugin.h"
#include "process/compute/compute.h"

#include "compute.h"

static bool is_known(const void *table)
{
	const struct compute *compute = table;

	return compute->version == COMPUTE_VERSION;
}

const struct compute *compute_plugin(void)
{
	static struct plugin plugin = {
		.name = "compute",
		.table = COMPUTE_TABLE,
		.fits = is_known,
		.lacked = "there are no hashes, no DEFLATE and no AES-GCM",
		.install = "open-doca-compute, or what it lacks of libcrypto "
			   "and ISA-L or zlib (Debian: libssl3, libisal2 or "
			   "zlib1g)",
		.level = DOCA_LOG_LEVEL_WARNING,
	};
	const void *table;

	plugin_load(&plugin, &table);
	return table;
}
