// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A file: memory of a running QEMU, or an image. It is never mapped: a file that
 * becomes shorter would end the program, and touching a hole would allocate memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/target.h"

#include "file.h"

LOG_SOURCE("APSH");

static const char *remedy(int error)
{
	switch (error) {
	case ENOENT:
		return "; is the machine on, and was it started anew since the "
		       "target was added?";
	case EACCES:
	case EPERM:
		return "; become root, or who may read it, such as the user "
		       "of QEMU";
	default:
		return "";
	}
}

/*
 * A target's process may have put anything there, such as a device that acts when it is opened: look
 * before it is really opened. Returns -1 with errno, which is EINVAL for what is no regular file.
 */
static int open_regular(const char *path)
{
	int at = open(path, O_PATH | O_CLOEXEC), fd = -1, err;
	char self[32];
	struct stat st;

	if (at < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", at);
	if (!fstat(at, &st) && S_ISREG(st.st_mode))
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	else
		errno = EINVAL;
	err = errno;
	close(at);
	errno = err;
	return fd;
}

static doca_error_t open_file(struct source *s, const struct target *t)
{
	char fd_path[64];
	const char *path = t->path;
	struct stat st;
	doca_error_t ret;

	if (t->memory == TARGET_MEMFD) {
		snprintf(fd_path, sizeof(fd_path), "/proc/%d/fd/%d", t->pid,
			 t->fd);
		path = fd_path;
	}
	s->fd = open_regular(path);
	if (s->fd < 0 && errno == EINVAL)
		return FAIL(INITIALIZATION, "%s is no regular file", path);
	if (s->fd < 0 || fstat(s->fd, &st))
		return FAIL(INITIALIZATION, "%s: %s%s", path, errno_text(errno),
			    remedy(errno));
	if (!st.st_size)
		return FAIL(INITIALIZATION, "%s is empty", path);
	s->file_size = (u64)st.st_size;
	ret = source_format(s, t, path);
	/* the segments of a dump were settled to read it */
	if (ret == DOCA_SUCCESS && !s->kdump)
		ret = source_settle(s, path);
	/* the file may have all that could not be read */
	if (s->error)
		return FAIL(INITIALIZATION, "%s cannot be read: %s", path,
			    errno_text(s->error));
	return ret == DOCA_SUCCESS ? source_packed(s) : ret;
}

const struct source_ops source_file_ops = {
	.open = open_file,
	.read = source_file_read,
	.next_data = source_file_next_data,
	.close = source_file_close,
};
