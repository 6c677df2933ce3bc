// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Lines on standard error; DOCA_SDK_LOG_LEVEL selects them with the numbers of doca_log.h.
 * That log itself is a library, which a preloaded one does not bring along.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../zc.h"

enum { ERROR = 30, INFO = 50 };

/* One write, so that lines of threads stay whole. */
static void log_line(int level, const char *fmt, va_list ap)
{
	const char *wanted = secure_getenv("DOCA_SDK_LOG_LEVEL");
	int len, saved = errno;
	char line[512];

	if (level > (wanted ? atoi(wanted) : ERROR))
		return;
	len = snprintf(line, sizeof(line), "onload: ");
	len += vsnprintf(line + len, sizeof(line) - len, fmt, ap);
	if (len > (int)sizeof(line) - 1)
		len = sizeof(line) - 1;
	line[len] = '\n';
	if (write(STDERR_FILENO, line, len + 1) < 0)
		errno = 0; /* the error cannot be reported */
	errno = saved;
}

void log_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(ERROR, fmt, ap);
	va_end(ap);
}

void log_info(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(INFO, fmt, ap);
	va_end(ap);
}
