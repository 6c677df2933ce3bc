// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "args.h"
#include "log.h"
#include "log_internal.h"

LOG_SOURCE("COMMON::LOG");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void log_lock(void)
{
	pthread_mutex_lock(&lock);
}

void log_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static void before_fork(void)
{
	log_lock();
	log_hold_syslog();
}

static void after_fork(void)
{
	log_let_syslog();
	log_unlock();
}

static void in_child(void)
{
	log_backends_in_child();
	after_fork();
}

/* Without handlers, a child forked while another thread holds a lock could never log. */
__attribute__((constructor)) static void log_init(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
	log_read_environment();
}

bool log_level_valid(uint32_t level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_DISABLE:
	case DOCA_LOG_LEVEL_CRIT:
	case DOCA_LOG_LEVEL_ERROR:
	case DOCA_LOG_LEVEL_WARNING:
	case DOCA_LOG_LEVEL_INFO:
	case DOCA_LOG_LEVEL_DEBUG:
	case DOCA_LOG_LEVEL_TRACE:
		return true;
	default:
		return false;
	}
}

static doca_error_t log_message(enum log_class class,
				const struct log_record *rec,
				const char *format, va_list args)
{
	struct log_line line;
	doca_error_t result;

	log_line_make(&line, rec, format, args);
	if (class == LOG_SDK)
		log_line_disarm(&line);
	result = log_emit(class, &line);
	log_line_release(&line);
	return result;
}

doca_error_t doca_log(uint32_t level, int source, const char *fname, int line,
		      const char *func, const char *format, ...)
{
	char name[LOG_NAME_MAX];
	struct log_record rec = {
		.level = level,
		.source = name,
		.file = fname,
		.line = line,
		.func = func,
	};
	int saved_errno = errno;
	doca_error_t result;
	va_list args;

	if (refused(!log_level_valid(level) ||
		    level == DOCA_LOG_LEVEL_DISABLE) ||
	    !given(fname) || !given(func) || !given(format))
		return DOCA_ERROR_INVALID_VALUE;
	if (!log_wanted(LOG_PROGRAM, level))
		return DOCA_SUCCESS;
	if (!log_find_source(source, name))
		return FAIL(INVALID_VALUE,
			    "no source of messages has the identifier %d",
			    source);

	va_start(args, format);
	result = log_message(LOG_PROGRAM, &rec, format, args);
	va_end(args);
	errno = saved_errno;
	return result;
}

static __thread bool hushed;

void log_hush(bool hush)
{
	hushed = hush;
}

void doca_priv_log(uint32_t level, const char *source, const char *file,
		   int line, const char *func, const char *format, ...)
{
	struct log_record rec = {
		.level = level,
		.source = source,
		.file = file,
		.line = line,
		.func = func,
	};
	int saved_errno = errno;
	va_list args;

	if (hushed && level == DOCA_LOG_LEVEL_WARNING)
		rec.level = level = DOCA_LOG_LEVEL_DEBUG;
	if (!log_wanted(LOG_SDK, level))
		return;
	va_start(args, format);
	log_message(LOG_SDK, &rec, format, args);
	va_end(args);
	errno = saved_errno;
}

bool doca_priv_log_wanted(uint32_t level)
{
	return log_wanted(LOG_SDK, level);
}
