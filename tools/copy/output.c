// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "output.h"
#include "stop.h"

static const char suffix[] = ".tmp";
#define SUFFIX_MAX (sizeof(".XXXXXX.tmp") - 1)

/*
 * A rename would replace a device or a directory by a regular file, and a
 * symbolic link by a file beside its target. So resolve links, and refuse other
 * types.
 */
static char *resolve(const char *path, struct stat *old, bool *exists)
{
	struct stat link;
	char *real;

	*exists = !stat(path, old);
	if (*exists && !S_ISREG(old->st_mode)) {
		fail("%s exists and is not a regular file", path);
		return NULL;
	}
	if (!*exists && errno != ENOENT && errno != ENOTDIR) {
		fail_errno("%s", path);
		return NULL;
	}
	if (!*exists && !lstat(path, &link)) {
		fail("%s is a symbolic link to what is not there", path);
		return NULL;
	}
	real = *exists ? realpath(path, NULL) : strdup(path);
	if (!real)
		fail_errno("%s", path);
	return real;
}

/* Stay in the same directory, and within the maximum length of a name. */
static char *temporary_name(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t len = base ? base + 1 - path : 0;
	char *name;

	len += strnlen(path + len, NAME_MAX - SUFFIX_MAX);
	if (asprintf(&name, "%.*s.XXXXXX%s", (int)len, path, suffix) < 0)
		return NULL;
	return name;
}

/* So far the owner alone could read the file. */
static int set_mode(const struct output *out)
{
	mode_t mode = out->old.st_mode & 0777;
	gid_t group = out->old.st_gid;
	mode_t mask;

	if (!out->replaces) {
		mask = umask(0);
		umask(mask);
		return fchmod(out->fd, 0666 & ~mask);
	}
	/* Only root can give a file away, and not in every namespace. */
	if (fchown(out->fd, out->old.st_uid, group) &&
	    fchown(out->fd, -1, group))
		/* Another group must not get the old group's rights. */
		mode = (mode & ~070) | (mode & 07) << 3;
	return fchmod(out->fd, mode);
}

/* Find out at once if there is not enough room. */
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
	out->path = resolve(path, &out->old, &out->replaces);
	if (!out->path)
		return -1;
	out->tmp = temporary_name(out->path);
	if (!out->tmp) {
		fail("out of memory");
		goto err;
	}
	out->fd = mkostemps(out->tmp, sizeof(suffix) - 1, O_CLOEXEC);
	if (out->fd < 0) {
		fail_errno("cannot write %s", path);
		goto err;
	}
	if (reserve(out->fd, length)) {
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
	if (stop_requested())
		return fail("interrupted");
	if (set_mode(out) || (fsync(out->fd) && errno != EINVAL))
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
