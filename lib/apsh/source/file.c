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

const char *source_name_file(const struct target_part *file,
			     char room[SOURCE_NAME])
{
	if (file->path)
		return file->path;
	snprintf(room, SOURCE_NAME, "/proc/%d/fd/%d", file->pid, file->fd);
	return room;
}

doca_error_t source_open_file(const struct target_part *file, int *fd,
			      u64 *size)
{
	char room[SOURCE_NAME];
	const char *path = source_name_file(file, room);
	struct stat st;

	*fd = open_regular(path);
	if (*fd < 0 && errno == EINVAL)
		return FAIL(INITIALIZATION, "%s is no regular file", path);
	if (*fd < 0 || fstat(*fd, &st))
		return FAIL(INITIALIZATION, "%s: %s%s", path, errno_text(errno),
			    remedy(errno));
	if (!st.st_size)
		return FAIL(INITIALIZATION, "%s is empty", path);
	*size = (u64)st.st_size;
	return DOCA_SUCCESS;
}

static doca_error_t open_file(struct source *s, const struct target *t)
{
	char room[SOURCE_NAME];
	const char *path = source_name_file(&t->file, room);
	doca_error_t ret;

	ret = source_open_file(&t->file, &s->fd, &s->file_size);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = source_format(s, t, path);
	/* the segments of a dump were settled to read it, and those of a state name no bytes of the file */
	if (ret == DOCA_SUCCESS && !s->kdump && !s->qevm)
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
