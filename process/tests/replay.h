/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Replays a fuzzer's corpus without the fuzzer. */
#ifndef PROCESS_TESTS_REPLAY_H
#define PROCESS_TESTS_REPLAY_H

#include <dirent.h>
#include <stdlib.h>

#include "../fuzz/ring.h"
#include "ktap.h"

#define MAX_LENGTH 65536

/* Returns -1 if it cannot be read. */
static inline int replay(const char *dir, const char *name)
{
	static uint8_t data[MAX_LENGTH];
	char path[4096];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "rb");
	if (!file)
		return -1;
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	return LLVMFuzzerTestOneInput(data, size);
}

/* Replay all inputs of a folder in process/fuzz. */
static inline void replay_all(const char *folder)
{
	char path[2048];
	struct dirent *entry;
	int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/process/fuzz/%s", getenv("TOP") ?: ".", folder);
	dir = opendir(path);
	ASSERT(dir);
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		EXPECT_EQ(replay(path, entry->d_name), 0);
		n++;
	}
	closedir(dir);
	EXPECT(n > 0);
}

#endif
