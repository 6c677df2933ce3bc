// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"

static char path[256] = "export.desc";

const char *descriptor_path = path;

static doca_error_t set_path(void *value, void *config)
{
	(void)config;
	if (snprintf(path, sizeof(path), "%s", (char *)value) >=
	    (int)sizeof(path))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

const struct sample_flag descriptor_flag = {
	"d", "descriptor-path", "<path>",
	"File that the export's descriptor goes through (default: export.desc)",
	set_path
};

static void fail(const char *file)
{
	fprintf(stderr, "%s: %s\n", file, strerror(errno));
	exit(EXIT_FAILURE);
}

/*
 * A process that can read the descriptor may use the memory, so no other user may read
 * it. The file appears whole or not at all.
 */
void descriptor_write(const void *desc, size_t len)
{
	char tmp[sizeof(path) + 4];
	int fd;

	snprintf(tmp, sizeof(tmp), "%s.tmp", path);
	unlink(tmp);
	fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, desc, len) != (ssize_t)len || close(fd) ||
	    rename(tmp, path))
		fail(tmp);
}

void descriptor_remove(void)
{
	if (unlink(path))
		fail(path);
}

size_t descriptor_read(void *desc, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t len;

	if (fd < 0)
		fail(path);
	len = read(fd, desc, size);
	if (len < 0)
		fail(path);
	close(fd);
	return len;
}
