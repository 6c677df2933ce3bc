// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Where the lines of a backend go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "log_internal.h"

static doca_error_t write_stream(FILE *file, const struct log_line *line)
{
	/* Flushed, for the next thing that happens may be the crash. */
	if (fwrite(line->text, 1, line->len, file) != line->len || fflush(file))
		return DOCA_ERROR_IO_FAILED;
	return DOCA_SUCCESS;
}

static doca_error_t write_file(struct doca_log_backend *b,
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

static doca_error_t write_standard(struct doca_log_backend *b,
				   const struct log_line *line)
{
	(void)b;
	return write_stream(
		line->level >= DOCA_LOG_LEVEL_INFO ? stdout : stderr, line);
}

static doca_error_t write_fd(struct doca_log_backend *b,
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

/* The process has one connection to syslog, with one name. */
static doca_error_t write_syslog(struct doca_log_backend *b,
				 const struct log_line *line)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static const char *opened;

	pthread_mutex_lock(&lock);
	if (opened != b->name) {
		openlog(b->name, LOG_PID, LOG_USER);
		opened = b->name;
	}
	syslog(syslog_priority(line->level), "%s", line->text + line->body);
	pthread_mutex_unlock(&lock);
	return DOCA_SUCCESS;
}

/*
 * Set while this thread runs a flush handler. What a handler logs cannot go to
 * its own buffer, which is being read; nor to another one, whose handler may at
 * the same time be waiting for ours.
 */
static __thread bool in_handler;

static void buf_flush(struct doca_log_backend *b)
{
	in_handler = true;
	b->buf.handler(b->buf.text);
	in_handler = false;
	b->buf.used = 0;
	b->buf.text[0] = '\0';
}

static doca_error_t write_buf(struct doca_log_backend *b,
			      const struct log_line *line)
{
	const size_t room = b->buf.capacity - 1;
	const char *p = line->text;
	size_t left = line->len;

	if (in_handler)
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
		if (left) /* longer than the whole buffer: in pieces */
			buf_flush(b);
	}
	pthread_mutex_unlock(&b->buf.lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_create_standard(void)
{
	static bool exists;
	struct doca_log_backend *b;

	/* Once: a second one could only print every message twice. */
	if (__atomic_exchange_n(&exists, true, __ATOMIC_ACQ_REL))
		return DOCA_SUCCESS;
	b = log_backend_alloc(LOG_PROGRAM);
	if (!b) {
		__atomic_store_n(&exists, false, __ATOMIC_RELEASE);
		return DOCA_ERROR_NO_MEMORY;
	}
	b->write = write_standard;
	log_backend_publish(b);
	return DOCA_SUCCESS;
}

static doca_error_t create_file(FILE *file, enum log_class class,
				struct doca_log_backend **backend)
{
	struct doca_log_backend *b;

	if (!file || !backend)
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return DOCA_ERROR_NO_MEMORY;
	b->write = write_file;
	b->file = file;
	log_backend_publish(b);
	*backend = b;
	return DOCA_SUCCESS;
}

doca_error_t
doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend)
{
	return create_file(fptr, LOG_PROGRAM, backend);
}

doca_error_t
doca_log_backend_create_with_file_sdk(FILE *fptr,
				      struct doca_log_backend **backend)
{
	return create_file(fptr, LOG_SDK, backend);
}

static doca_error_t create_fd(int fd, enum log_class class,
			      struct doca_log_backend **backend)
{
	struct doca_log_backend *b;

	if (fd < 0 || !backend)
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return DOCA_ERROR_NO_MEMORY;
	b->write = write_fd;
	b->fd = fd;
	log_backend_publish(b);
	*backend = b;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_create_with_fd(int fd,
					     struct doca_log_backend **backend)
{
	return create_fd(fd, LOG_PROGRAM, backend);
}

doca_error_t
doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend)
{
	return create_fd(fd, LOG_SDK, backend);
}

static doca_error_t create_buf(char *buf, size_t capacity,
			       log_flush_callback handler, enum log_class class,
			       struct doca_log_backend **backend)
{
	struct doca_log_backend *b;

	/* One character and NUL is the least. */
	if (!buf || capacity < 2 || !handler || !backend)
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return DOCA_ERROR_NO_MEMORY;
	b->write = write_buf;
	b->buf.text = buf;
	b->buf.text[0] = '\0';
	b->buf.capacity = capacity;
	b->buf.handler = handler;
	log_backend_publish(b);
	*backend = b;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
					      log_flush_callback handler,
					      struct doca_log_backend **backend)
{
	return create_buf(buf, capacity, handler, LOG_PROGRAM, backend);
}

doca_error_t
doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
				     log_flush_callback handler,
				     struct doca_log_backend **backend)
{
	return create_buf(buf, capacity, handler, LOG_SDK, backend);
}

static doca_error_t create_syslog(const char *name, enum log_class class,
				  struct doca_log_backend **backend)
{
	struct doca_log_backend *b;

	if (!name || !backend)
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return DOCA_ERROR_NO_MEMORY;
	b->name = strdup(name);
	if (!b->name) {
		free(b);
		return DOCA_ERROR_NO_MEMORY;
	}
	b->write = write_syslog;
	log_backend_publish(b);
	*backend = b;
	return DOCA_SUCCESS;
}

doca_error_t
doca_log_backend_create_with_syslog(const char *name,
				    struct doca_log_backend **backend)
{
	return create_syslog(name, LOG_PROGRAM, backend);
}

doca_error_t
doca_log_backend_create_with_syslog_sdk(const char *name,
					struct doca_log_backend **backend)
{
	return create_syslog(name, LOG_SDK, backend);
}
