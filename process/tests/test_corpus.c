// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Replays the fuzzer's corpus without the fuzzer. */
#include <dirent.h>
#include <stdlib.h>

#include "../fuzz/ring.h"
#include "ktap.h"

#define MAX_LENGTH 65536

/* Returns -1 if it cannot be read. */
static int replay(const char *dir, const char *name)
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

TEST(corpus)
{
	char path[2048];
	struct dirent *entry;
	int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/process/fuzz/corpus", getenv("TOP") ?: ".");
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
