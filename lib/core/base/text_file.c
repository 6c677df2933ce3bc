// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "log.h"
#include "text_file.h"

LOG_SOURCE("COMMON::SETTINGS");

/* Read at most one byte more than allowed: the file may grow or shrink meanwhile. */
int text_file_load(const char *path, int fd, char **text, size_t *len)
{
	char *new = malloc(TEXT_FILE_MAX + 1);
	ssize_t n = 1;

	if (!new)
		return -ENOMEM;
	for (*len = 0; *len <= TEXT_FILE_MAX && n > 0; *len += n) {
		n = read(fd, new + *len, TEXT_FILE_MAX + 1 - *len);
		if (n < 0) {
			n = -errno;
			free(new);
			return n;
		}
	}
	if (*len > TEXT_FILE_MAX) {
		free(new);
		LOG_WARN("%s: it has more than 1 MiB", path);
		return -EINVAL;
	}
	*text = new;
	return 0;
}
