// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "data/msg.h"
#include "data/stop.h"
#include "sink.h"

int sink_open(struct sink *sink, const char *path, bool force)
{
	*sink = (struct sink){ .kind = SINK_NONE };
	if (!path)
		return 0;
	if (!strcmp(path, "-")) {
		sink->kind = SINK_STDOUT;
		return 0;
	}
	if (output_open(&sink->file, path, 0, !force)) {
		if (errno == EEXIST)
			hint("With -f it is replaced.");
		return -1;
	}
	sink->kind = SINK_FILE;
	return 0;
}

void sink_limit(struct sink *sink, const struct input *in)
{
	struct stat st;

	if (sink->kind == SINK_FILE && !fstat(in->fd, &st) &&
	    S_ISREG(st.st_mode))
		output_limit(&sink->file, &st);
}

static int write_stdout(const uint8_t *data, size_t len)
{
	ssize_t n;

	while (len) {
		if (stop_requested())
			return fail("interrupted");
		n = write(STDOUT_FILENO, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("cannot write to standard output");
		data += n;
		len -= n;
	}
	return 0;
}

int sink_write(struct sink *sink, const void *data, size_t len)
{
	if (sink->kind == SINK_STDOUT && write_stdout(data, len))
		return -1;
	if (sink->kind == SINK_FILE &&
	    output_write(&sink->file, data, sink->offset, len))
		return -1;
	sink->offset += len;
	return 0;
}

int sink_commit(struct sink *sink)
{
	return sink->kind == SINK_FILE ? output_commit(&sink->file) : 0;
}

void sink_close(struct sink *sink)
{
	if (sink->kind == SINK_FILE)
		output_close(&sink->file);
	sink->kind = SINK_NONE;
}
