// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "output.h"

static const char suffix[] = ".tmp";

/*
 * Renaming would put a regular file in the place of a device or a directory, and
 * cut a symbolic link from what it names.
 */
static char *resolve(const char *path)
{
	struct stat st;
	char *real;

	if (stat(path, &st)) {
		if (errno != ENOENT && errno != ENOTDIR) {
			fail_errno("%s", path);
			return NULL;
		}
		real = strdup(path);
	} else if (!S_ISREG(st.st_mode)) {
		fail("%s exists and is not a regular file", path);
		return NULL;
	} else {
		real = realpath(path, NULL);
	}
	if (!real)
		fail_errno("%s", path);
	return real;
}

static int set_default_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

/* Find out now, not at the end, that there is no room. */
static int reserve(int fd, uint64_t length)
{
	if (!length || !fallocate(fd, 0, 0, length))
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

int output_open(struct output *out, const char *path, uint64_t length)
{
	out->tmp = NULL;
	out->fd = -1;
	out->path = resolve(path);
	if (!out->path)
		return -1;
	if (asprintf(&out->tmp, "%s.XXXXXX%s", out->path, suffix) < 0) {
		out->tmp = NULL;
		fail("out of memory");
		goto err;
	}
	out->fd = mkostemps(out->tmp, sizeof(suffix) - 1, O_CLOEXEC);
	if (out->fd < 0) {
		fail_errno("cannot write %s", path);
		goto err;
	}
	if (set_default_mode(out->fd) || reserve(out->fd, length)) {
		fail_errno("cannot write %s", path);
		output_close(out);
		return -1;
	}
	return 0;

err:
	free(out->tmp);
	free(out->path);
	return -1;
}

int output_write(struct output *out, const void *buf, uint64_t off, size_t len)
{
	const char *from = buf;
	ssize_t n;

	while (len) {
		n = pwrite(out->fd, from, len, off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("cannot write %s", out->path);
		from += n;
		off += n;
		len -= n;
	}
	return 0;
}

int output_commit(struct output *out)
{
	if (fsync(out->fd) && errno != EINVAL)
		return fail_errno("cannot write %s", out->path);
	if (rename(out->tmp, out->path))
		return fail_errno("cannot rename %s to %s", out->tmp,
				  out->path);
	free(out->tmp);
	out->tmp = NULL;
	return 0;
}

void output_close(struct output *out)
{
	close(out->fd);
	if (out->tmp)
		unlink(out->tmp);
	free(out->tmp);
	free(out->path);
}
