// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "msg.h"

PRINTF(2, 0)
static void say(const char *prefix, const char *fmt, va_list ap)
{
	fputs(prefix, stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("docactl: ", fmt, ap);
	va_end(ap);
	return -1;
}

void hint(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("  ", fmt, ap);
	va_end(ap);
}
