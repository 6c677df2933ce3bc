// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Loads open-doca/compute.so, which is in the folder of libdoca_common.so, installed or in
 * a build tree. It stays while the process lives.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "process/compute/compute.h"

#include "compute.h"

LOG_SOURCE("COMMON::DRIVER");

#define LIBRARY "/libdoca_common.so"
#define PLUGIN "open-doca/compute.so"

/*
 * Get the library's file, without links; false if this is not the shared library. A program
 * has no name here: what dladdr() tells of it is argv[0], which its caller chooses.
 */
static bool find_library(char *path)
{
	struct link_map *map;
	Dl_info info;

	return dladdr1((void *)compute_plugin, &info, (void **)&map,
		       RTLD_DL_LINKMAP) &&
	       map->l_name[0] && realpath(map->l_name, path) &&
	       !strncmp(strrchr(path, '/'), LIBRARY, strlen(LIBRARY));
}

static const struct compute *load(const char *path)
{
	static void *plugin;
	const struct compute *table;

	plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	table = plugin ? dlsym(plugin, COMPUTE_TABLE) : NULL;
	if (!table) {
		LOG_WARN("there are no hashes, no DEFLATE and no AES-GCM: %s; "
			 "install open-doca-compute, or what it lacks of "
			 "libcrypto and ISA-L or zlib (Debian: libssl3, "
			 "libisal2 or zlib1g)",
			 dlerror());
		return NULL;
	}
	if (table->version == COMPUTE_VERSION)
		return table;
	LOG_WARN("there are no hashes, no DEFLATE and no AES-GCM: %s is of "
		 "another release than libdoca_common; install both of one "
		 "release",
		 path);
	return NULL;
}

const struct compute *compute_plugin(void)
{
	char library[PATH_MAX], path[PATH_MAX + sizeof(PLUGIN)];

	if (find_library(library)) {
		*strrchr(library, '/') = '\0';
		snprintf(path, sizeof(path), "%s/" PLUGIN, library);
		return load(path);
	}
	LOG_WARN(
		"there are no hashes and no DEFLATE: the program is linked "
		"statically, without them; link it as pkg-config --static says");
	return NULL;
}
