// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folder.h"

/* Those above may be without permission to be made, as / is, and be there. */
int folder_make(const char *path)
{
	char *copy = strdup(path);
	struct stat st;
	int ret;

	if (!copy)
		return -1;
	for (char *at = copy + strspn(copy, "/"); *at; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		mkdir(copy, 0755);
		*at = '/';
	}
	free(copy);
	ret = mkdir(path, 0755);
	if (!ret || stat(path, &st))
		return ret;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode) ? 0 : -1;
}
