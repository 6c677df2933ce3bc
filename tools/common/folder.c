// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folder.h"

/* An existing folder may fail with another error than EEXIST, as / does. */
static int make_one(const char *path)
{
	struct stat st;
	int err;

	if (!mkdir(path, 0755))
		return 0;
	err = errno;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return 0;
		err = ENOTDIR;
	}
	errno = err;
	return -1;
}

int folder_make(const char *path)
{
	char *copy = strdup(path);
	int ret = copy ? 0 : -1, err;

	for (char *at = copy; !ret && *at; at++) {
		if (at == copy || *at != '/')
			continue;
		*at = '\0';
		ret = make_one(copy);
		*at = '/';
	}
	if (!ret)
		ret = make_one(path);
	err = errno;
	free(copy);
	errno = err;
	return ret;
}
