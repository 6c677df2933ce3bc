/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Readers of files in JSON. They are a plug-in of libdoca_common, settings.so, so that
 * programs without such files do not load json-c. Programs that are linked statically have
 * it in libdoca_common.a.
 *
 * Functions return 0 or a negative errno: EINVAL, after a warning that names file and key, or
 * ENOMEM. They read the @len bytes of the file at @path.
 */
#ifndef DOCA_CORE_SETTINGS_TABLE_H
#define DOCA_CORE_SETTINGS_TABLE_H

#include <stddef.h>

struct profile_content;
struct target;

struct settings_table {
	const char *release; /* release of the library that it belongs to */
	int (*profile)(const char *path, const char *text, size_t len,
		       struct profile_content *profile);
	int (*target)(const char *path, const char *text, size_t len,
		      struct target **target);
};

#define SETTINGS_TABLE "open_doca_settings"

/* profile.c */
int settings_read_profile(const char *path, const char *text, size_t len,
			  struct profile_content *profile);

/* target.c */
int settings_read_target(const char *path, const char *text, size_t len,
			 struct target **target);

#endif /* DOCA_CORE_SETTINGS_TABLE_H */
