// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

static char path[256]; /* empty: none was given */

static doca_error_t set_path(void *value, void *config)
{
	(void)config;
	if (snprintf(path, sizeof(path), "%s", (char *)value) >=
	    (int)sizeof(path))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

const struct sample_flag file_flag = {
	"f", "file", "<path>",
	"File that the host sends (default: this program), or the DPU writes (default: none)",
	set_path
};

static _Noreturn void fail(void)
{
	fprintf(stderr, "%s: %s\n", path,
		errno ? strerror(errno) : "it is shorter than before");
	exit(EXIT_FAILURE);
}

int file_open(uint64_t *length)
{
	struct stat stat;
	int fd;

	if (!path[0])
		strcpy(path, "/proc/self/exe");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &stat))
		fail();
	if (!S_ISREG(stat.st_mode) || !stat.st_size)
		give_up(DOCA_ERROR_INVALID_VALUE, path);
	*length = stat.st_size;
	return fd;
}

int file_create(void)
{
	int fd;

	if (!path[0])
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		fail();
	return fd;
}

void file_read(int fd, void *bytes, size_t length)
{
	ssize_t done;

	for (; length; bytes = (char *)bytes + done, length -= done) {
		errno = 0;
		done = read(fd, bytes, length);
		if (done <= 0)
			fail();
	}
}

void file_write(int fd, const void *bytes, size_t length)
{
	ssize_t done;

	for (; length; bytes = (const char *)bytes + done, length -= done) {
		done = write(fd, bytes, length);
		if (done < 0)
			fail();
	}
}

void file_close(int fd)
{
	if (close(fd))
		fail();
}

uint64_t file_sum(uint64_t sum, const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;

	/* FNV-1a, but that zeros count at the beginning, too */
	for (; length; length--)
		sum = (sum ^ *byte++) * 0x100000001b3 + 1;
	return sum;
}
