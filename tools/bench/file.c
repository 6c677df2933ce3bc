// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "msg.h"

/* Do not truncate: old contents stay until there are results. */
int file_open(struct file *file)
{
	int fd;

	if (!file->path)
		return 0;
	if (!strcmp(file->path, "-")) {
		file->f = stdout;
		return 0;
	}
	fd = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0)
		file->f = fdopen(fd, "w");
	if (!file->f)
		return fail_errno(errno, "cannot write %s", file->path);
	return 0;
}

int file_write(struct file *file, file_format format,
	       const struct results *results)
{
	int err;

	if (!file->path)
		return 0;
	/* Pipes and devices have no length. */
	if (file->f != stdout && ftruncate(fileno(file->f), 0) &&
	    errno != EINVAL)
		return fail_errno(errno, "cannot write %s", file->path);
	format(file->f, results);
	err = fflush(file->f) || ferror(file->f) ? errno : 0;
	if (file->f != stdout && fclose(file->f) && !err)
		err = errno;
	if (err)
		return fail_errno(err, "cannot write %s", file->path);
	return 0;
}
