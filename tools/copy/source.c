// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/msg.h"
#include "data/stop.h"
#include "source.h"

/* Bytes between two checks whether the program shall end. */
#define READ_MAX (64 * 1024 * 1024)

int source_open(const char *path, uint64_t *length)
{
	struct stat st;
	char c;
	int fd;

	/* Do not hang if it is a pipe. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fail_errno("cannot read %s", path);
	if (fstat(fd, &st)) {
		fail_errno("cannot read %s", path);
		goto err;
	}
	if (!S_ISREG(st.st_mode)) {
		fail("%s is not a regular file", path);
		goto err;
	}
	/* Files of /proc are like that: they are made when they are read. */
	if (!st.st_size && pread(fd, &c, 1, 0) > 0) {
		fail("%s does not tell how long it is", path);
		hint("Write it to a file first: cat %s >FILE", path);
		goto err;
	}
	*length = st.st_size;
	return fd;

err:
	close(fd);
	return -1;
}

int source_read(int fd, const char *path, void *buf, uint64_t off, size_t len)
{
	char *to = buf;
	ssize_t n;

	while (len) {
		if (stop_requested())
			return fail("interrupted");
		n = pread(fd, to, len < READ_MAX ? len : READ_MAX, off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("cannot read %s", path);
		if (!n)
			return fail("%s became shorter while it was read",
				    path);
		to += n;
		off += n;
		len -= n;
	}
	return 0;
}
