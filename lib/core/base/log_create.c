// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Creates backends, for the program and for the SDK, each with its sink. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "log_internal.h"

LOG_SOURCE("COMMON::LOG");

doca_error_t doca_log_backend_create_standard(void)
{
	static bool exists;
	struct doca_log_backend *b;

	/* A second one would only print every message twice. */
	if (__atomic_exchange_n(&exists, true, __ATOMIC_ACQ_REL))
		return DOCA_SUCCESS;
	b = log_backend_alloc(LOG_PROGRAM);
	if (!b) {
		__atomic_store_n(&exists, false, __ATOMIC_RELEASE);
		return OUT_OF_MEMORY("a log backend");
	}
	b->write = log_write_standard;
	log_backend_publish(b);
	return DOCA_SUCCESS;
}

static doca_error_t create_file(FILE *file, enum log_class class,
				struct doca_log_backend **backend)
{
	struct doca_log_backend *b;

	if (!given(file) || !given(backend))
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return OUT_OF_MEMORY("a log backend");
	b->write = log_write_file;
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

	if (refused(fd < 0) || !given(backend))
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return OUT_OF_MEMORY("a log backend");
	b->write = log_write_fd;
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

	/* There must be room for one character and NUL. */
	if (!given(buf) || refused(capacity < 2) || !given(handler) ||
	    !given(backend))
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return OUT_OF_MEMORY("a log backend");
	b->write = log_write_buf;
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

	if (!given(name) || !given(backend))
		return DOCA_ERROR_INVALID_VALUE;
	b = log_backend_alloc(class);
	if (!b)
		return OUT_OF_MEMORY("a log backend");
	b->name = strdup(name);
	if (!b->name) {
		free(b);
		return OUT_OF_MEMORY("a log backend");
	}
	b->write = log_write_syslog;
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
