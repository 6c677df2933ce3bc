// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/usage.h"
#include "msg.h"

PRINTF(1, 0)
static void say(const char *fmt, va_list ap, const char *why)
{
	progress_end();
	fprintf(stderr, "%s: ", tool_name);
	vfprintf(stderr, fmt, ap);
	if (why)
		fprintf(stderr, ": %s", why);
	fputc('\n', stderr);
}

int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, NULL);
	va_end(ap);
	return -1;
}

int fail_errno(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, strerror(err));
	va_end(ap);
	return -1;
}

int fail_doca(doca_error_t err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, doca_error_get_descr(err));
	va_end(ap);
	return -1;
}

void note(const char *text)
{
	fprintf(stderr, "%s: %s\n", tool_name, text);
}

void hint(const char *text)
{
	fprintf(stderr, "  %s\n", text);
}

static bool on_terminal(void)
{
	static int known = -1;

	if (known < 0)
		known = isatty(STDERR_FILENO);
	return known;
}

void progress(const char *fmt, ...)
{
	va_list ap;

	if (!on_terminal())
		return;
	fputc('\r', stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\033[K", stderr);
}

void progress_end(void)
{
	if (on_terminal())
		fputs("\r\033[K", stderr);
}
