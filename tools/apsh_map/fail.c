// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Failures end the program; allocations succeed or fail that way. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/usage.h"
#include "fail.h"

const char tool_name[] = "doca_apsh_map";

/* Escape names, which may be foreign and control the terminal. */
static void print(const char *text)
{
	for (; *text; text++)
		fprintf(stderr, *text < ' ' || *text > '~' ? "\\x%02x" : "%c",
			(unsigned char)*text);
}

void fail(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s: ", tool_name);
	print(n < 0 ? "out of memory" : text);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

void *need_more(void *p, size_t nr, size_t size)
{
	p = reallocarray(p, nr, size);
	if (!p)
		fail("out of memory");
	return p;
}

void *need(size_t size)
{
	return memset(need_more(NULL, size, 1), 0, size);
}

char *need_text(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		fail("out of memory");
	return text;
}
