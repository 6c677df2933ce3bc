// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/msg.h"
#include "data/stop.h"
#include "input.h"

int input_open(struct input *input, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;

	*input = (struct input){
		.name = is_stdin ? "standard input" : path,
		.fd = is_stdin ? STDIN_FILENO :
				 open(path, O_RDONLY | O_CLOEXEC),
	};
	if (input->fd < 0)
		return fail_errno("cannot read %s", input->name);
	progress_start(
		&input->progress,
		fstat(input->fd, &st) || !S_ISREG(st.st_mode) ? 0 : st.st_size);
	return 0;
}

void input_close(struct input *input)
{
	progress_end(&input->progress);
	if (input->fd > STDIN_FILENO)
		close(input->fd);
	free(input->buf);
	*input = (struct input){ .fd = -1 };
}

static int read_all(struct input *input, uint8_t *to, size_t len, size_t *got)
{
	ssize_t n;

	for (*got = 0; *got < len && !input->has_ended;) {
		stop_or_readable(input->fd);
		if (stop_requested())
			return fail("interrupted");
		n = read(input->fd, to + *got, len - *got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("cannot read %s", input->name);
		if (!n)
			input->has_ended = true;
		*got += n;
	}
	return 0;
}

int input_read(struct input *input, void *to, size_t len, size_t *got)
{
	size_t kept = len < input->ahead_len ? len : input->ahead_len;

	if (kept)
		memcpy(to, input->ahead, kept);
	input_skip(input, kept);
	if (read_all(input, (uint8_t *)to + kept, len - kept, got))
		return -1;
	input->offset += *got;
	*got += kept;
	progress_show(&input->progress, input->offset);
	return 0;
}

int input_look(struct input *input, size_t len)
{
	uint8_t *buf;
	size_t got;

	if (len <= input->ahead_len)
		return 0;
	if (input->ahead_len)
		memmove(input->buf, input->ahead, input->ahead_len);
	if (len > input->buf_size) {
		buf = realloc(input->buf, len);
		if (!buf)
			return fail("out of memory");
		input->buf = buf;
		input->buf_size = len;
	}
	input->ahead = input->buf;
	if (read_all(input, input->buf + input->ahead_len,
		     len - input->ahead_len, &got))
		return -1;
	input->ahead_len += got;
	return 0;
}

void input_skip(struct input *input, size_t len)
{
	input->ahead += len;
	input->ahead_len -= len;
	input->offset += len;
	progress_show(&input->progress, input->offset);
}

int input_is_at_end(struct input *input)
{
	return input_look(input, 1) ? -1 : !input->ahead_len;
}

int input_damaged(const struct input *input, uint64_t offset, const char *why)
{
	return fail("%s: damaged at byte %llu: %s", input->name,
		    (unsigned long long)offset, why);
}
