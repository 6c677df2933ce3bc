/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A test's own folder of target files. */
#ifndef DOCA_TESTS_TARGET_BED_H
#define DOCA_TESTS_TARGET_BED_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/device/target.h"

#define VUID "MT2125X03335MLNXS0D0F0"
#define TARGET(vuid, device, more)                       \
	"{\"vuid\": \"" vuid "\", \"device\": \"" device \
	"\", \"memory\": {\"file\": \"/dev/shm/vm\"}" more "}"

static char targets[] = "/tmp/test_target.XXXXXX";

static const char *target_path(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", targets, name);
	return path;
}

static void write_bytes(const char *name, const char *text, size_t len)
{
	FILE *file = fopen(target_path(name), "w");

	if (!file || fwrite(text, 1, len, file) != len || fclose(file) ||
	    chmod(target_path(name), 0644))
		abort();
}

static void write_target(const char *name, const char *text)
{
	write_bytes(name, text, strlen(text));
}

static void set_up_targets(void)
{
	strcpy(strrchr(targets, '.'), ".XXXXXX");
	if (!mkdtemp(targets) || setenv("DOCA_TARGETS_DIR", targets, 1))
		abort();
}

static void tear_down_targets(void)
{
	char line[64];

	snprintf(line, sizeof(line), "rm -r %s", targets);
	if (system(line))
		abort();
	unsetenv("DOCA_TARGETS_DIR");
}

#endif /* DOCA_TESTS_TARGET_BED_H */
