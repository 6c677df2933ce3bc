// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/msg.h"
#include "data/output.h"
#include "data/stop.h"

static const char suffix[] = ".tmp";
#define SUFFIX_MAX (sizeof(".XXXXXX.tmp") - 1)

/* Without it a file that has no name cannot be given one. */
#define DESCRIPTORS "/proc/self/fd"

/*
 * A rename would replace a device or a directory by a regular file, and a
 * symbolic link by a file beside its target. So resolve links, and refuse other
 * types.
 */
static char *resolve(const char *path, bool is_new, struct stat *old,
		     bool *exists)
{
	struct stat link;
	char *real;

	*exists = !stat(path, old);
	if (*exists && !S_ISREG(old->st_mode)) {
		fail("%s exists and is not a regular file", path);
		return NULL;
	}
	if (*exists && is_new) {
		fail("%s exists", path);
		errno = EEXIST; /* for callers that choose a hint by it */
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

static int open_directory_of(const char *path, int flags)
{
	const char *base = strrchr(path, '/');
	char *dir = base ? strndup(path, base + 1 - path) : strdup(".");
	int fd = dir ? open(dir, flags | O_CLOEXEC, 0600) : -1;

	free(dir);
	return fd;
}

/* Open a file without a name beside its place; -1 where that cannot be. */
static int open_nameless(const char *path)
{
	if (access(DESCRIPTORS, X_OK))
		return -1;
	return open_directory_of(path, O_TMPFILE | O_RDWR);
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

/* Another group must not get the old group's rights, nor that group more, as others. */
static mode_t without_group(mode_t mode)
{
	mode_t both = mode >> 3 & mode & 07;

	return (mode & ~077) | both << 3 | both;
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
		return fchmod(out->fd, out->mode & ~mask);
	}
	/* Only root can give a file away, and not in every namespace. */
	if (fchown(out->fd, out->old.st_uid, group) &&
	    fchown(out->fd, -1, group))
		mode = without_group(mode);
	return fchmod(out->fd, mode);
}

/* Find out at once if there is not enough room. */
static int reserve(int fd, uint64_t length)
{
	if (!length || !fallocate(fd, 0, 0, length))
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

static int open_file(struct output *out)
{
	out->fd = open_nameless(out->path);
	if (out->fd >= 0)
		return 0;
	out->tmp = temporary_name(out->path);
	if (!out->tmp)
		return -1;
	out->fd = mkostemps(out->tmp, sizeof(suffix) - 1, O_CLOEXEC);
	if (out->fd >= 0)
		return 0;
	free(out->tmp);
	out->tmp = NULL;
	return -1;
}

int output_open(struct output *out, const char *path, uint64_t length,
		bool is_new)
{
	*out = (struct output){ .fd = -1, .is_new = is_new, .mode = 0666 };
	out->path = resolve(path, is_new, &out->old, &out->replaces);
	if (!out->path)
		return -1;
	if (open_file(out)) {
		fail_errno("cannot write %s", path);
		free(out->path);
		return -1;
	}
	if (reserve(out->fd, length)) {
		fail_errno("cannot write %s", path);
		output_close(out);
		return -1;
	}
	return 0;
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

void output_limit(struct output *out, const struct stat *from)
{
	mode_t mode = from->st_mode;
	struct stat st;

	if (fstat(out->fd, &st) || st.st_gid != from->st_gid)
		mode = without_group(mode);
	out->mode &= mode | 0600;
}

/* Give a file without a name a temporary one. */
static int name_it(struct output *out, const char *self)
{
	char *tmp = temporary_name(out->path);
	int fd = tmp ? mkostemps(tmp, sizeof(suffix) - 1, O_CLOEXEC) : -1;

	/* A link replaces no file, so the name is free again in between. */
	if (fd >= 0 && !close(fd) && !unlink(tmp) &&
	    !linkat(AT_FDCWD, self, AT_FDCWD, tmp, AT_SYMLINK_FOLLOW)) {
		out->tmp = tmp;
		return 0;
	}
	free(tmp);
	return -1;
}

/* Some file systems have no links, and others no renames that replace nothing. */
static int move_to_place(const struct output *out)
{
	int rc = -1;

	if (out->is_new)
		rc = renameat2(AT_FDCWD, out->tmp, AT_FDCWD, out->path,
			       RENAME_NOREPLACE);
	if (!out->is_new || (rc && errno == EINVAL))
		rc = rename(out->tmp, out->path);
	return rc;
}

/* A link replaces nothing; a rename does, but needs a name. */
static int give_name(struct output *out)
{
	char self[sizeof(DESCRIPTORS) + 16];
	const char *from = out->tmp ?: self;

	snprintf(self, sizeof(self), DESCRIPTORS "/%d", out->fd);
	if (!out->replaces) {
		if (!linkat(AT_FDCWD, from, AT_FDCWD, out->path,
			    AT_SYMLINK_FOLLOW))
			return 0;
		if (errno == EEXIST && out->is_new)
			return -1;
	}
	if (!out->tmp && name_it(out, self))
		return -1;
	if (move_to_place(out))
		return -1;
	free(out->tmp);
	out->tmp = NULL;
	return 0;
}

int output_seal(struct output *out)
{
	if (stop_requested())
		return fail("interrupted");
	if (set_mode(out) || (fsync(out->fd) && errno != EINVAL))
		return fail_errno("cannot write %s", out->path);
	return 0;
}

int output_publish(struct output *out)
{
	return give_name(out) ? fail_errno("cannot write %s", out->path) : 0;
}

/* A directory that may be written, but not read, cannot be opened: its file system has it, too. */
static int sync_name(const struct output *out)
{
	int fd = open_directory_of(out->path, O_RDONLY | O_DIRECTORY);
	int rc;

	if (fd < 0)
		return errno == EACCES ? syncfs(out->fd) : -1;
	rc = fsync(fd) && errno != EINVAL ? -1 : 0;
	close(fd);
	return rc;
}

int output_settle(struct output *out)
{
	return sync_name(out) ?
		       fail_errno("%s may be lost in a crash", out->path) :
		       0;
}

int output_commit(struct output *out)
{
	return output_seal(out) || output_publish(out) || output_settle(out) ?
		       -1 :
		       0;
}

void output_close(struct output *out)
{
	close(out->fd);
	if (out->tmp)
		unlink(out->tmp);
	free(out->tmp);
	free(out->path);
}
