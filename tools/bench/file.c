// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "file.h"
#include "msg.h"

int file_open(struct file *file)
{
	if (!file->path)
		return 0;
	if (!strcmp(file->path, "-"))
		file->f = stdout;
	else
		file->f = fopen(file->path, "we");
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
	format(file->f, results);
	err = fflush(file->f) || ferror(file->f) ? errno : 0;
	if (file->f != stdout && fclose(file->f) && !err)
		err = errno;
	if (err)
		return fail_errno(err, "cannot write %s", file->path);
	return 0;
}
