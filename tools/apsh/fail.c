// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/usage.h"

#include "fail.h"

void target_fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: target: ", tool_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}
