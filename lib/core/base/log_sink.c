// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The sinks of backends; log_create.c chooses one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "log_internal.h"

static doca_error_t write_stream(FILE *file, const struct log_line *line)
{
	/* Flush, because the program may crash next. */
	if (fwrite(line->text, 1, line->len, file) != line->len || fflush(file))
		return DOCA_ERROR_IO_FAILED;
	return DOCA_SUCCESS;
}

doca_error_t log_write_file(struct doca_log_backend *b,
			    const struct log_line *line)
{
	return write_stream(b->file, line);
}

doca_error_t log_write_stderr(struct doca_log_backend *b,
			      const struct log_line *line)
{
	(void)b;
	return write_stream(stderr, line);
}

doca_error_t log_write_standard(struct doca_log_backend *b,
				const struct log_line *line)
{
	(void)b;
	return write_stream(
		line->level >= DOCA_LOG_LEVEL_INFO ? stdout : stderr, line);
}

doca_error_t log_write_fd(struct doca_log_backend *b,
			  const struct log_line *line)
{
	const char *p = line->text;
	size_t left = line->len;

	while (left) {
		ssize_t n = write(b->fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return DOCA_ERROR_IO_FAILED;
		p += n;
		left -= n;
	}
	return DOCA_SUCCESS;
}

static int syslog_priority(uint32_t level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_CRIT:
		return LOG_CRIT;
	case DOCA_LOG_LEVEL_ERROR:
		return LOG_ERR;
	case DOCA_LOG_LEVEL_WARNING:
		return LOG_WARNING;
	case DOCA_LOG_LEVEL_INFO:
		return LOG_INFO;
	default:
		return LOG_DEBUG;
	}
}

static pthread_mutex_t syslog_lock = PTHREAD_MUTEX_INITIALIZER;

/* libc's syslog has a lock of its own; a fork must not find that held either. */
void log_hold_syslog(void)
{
	pthread_mutex_lock(&syslog_lock);
}

void log_let_syslog(void)
{
	pthread_mutex_unlock(&syslog_lock);
}

/* The process has one connection to syslog, with one name. */
doca_error_t log_write_syslog(struct doca_log_backend *b,
			      const struct log_line *line)
{
	static const char *opened;

	pthread_mutex_lock(&syslog_lock);
	if (opened != b->name) {
		openlog(b->name, LOG_PID, LOG_USER);
		opened = b->name;
	}
	syslog(syslog_priority(line->level), "%s", line->text + line->body);
	pthread_mutex_unlock(&syslog_lock);
	return DOCA_SUCCESS;
}

/*
 * The backend whose flush handler this thread runs. Lines that a handler logs
 * go to no buffer: its own is being read, and the handler of another one may be
 * waiting for this one.
 */
static __thread const struct doca_log_backend *flushing;

/* A handler may take long, or fork, so a fork does not wait for it. */
void log_buf_in_child(struct doca_log_backend *b)
{
	if (b != flushing)
		pthread_mutex_init(&b->buf.lock, NULL);
}

static void buf_flush(struct doca_log_backend *b)
{
	flushing = b;
	b->buf.handler(b->buf.text);
	flushing = NULL;
	b->buf.used = 0;
	b->buf.text[0] = '\0';
}

doca_error_t log_write_buf(struct doca_log_backend *b,
			   const struct log_line *line)
{
	const size_t room = b->buf.capacity - 1;
	const char *p = line->text;
	size_t left = line->len;

	if (flushing)
		return DOCA_ERROR_AGAIN;

	pthread_mutex_lock(&b->buf.lock);
	if (b->buf.used + left > room && b->buf.used)
		buf_flush(b);
	while (left) {
		size_t n = left < room - b->buf.used ? left :
						       room - b->buf.used;

		memcpy(b->buf.text + b->buf.used, p, n);
		b->buf.used += n;
		b->buf.text[b->buf.used] = '\0';
		p += n;
		left -= n;
		if (left) /* longer than the whole buffer: write it in parts */
			buf_flush(b);
	}
	pthread_mutex_unlock(&b->buf.lock);
	return DOCA_SUCCESS;
}
