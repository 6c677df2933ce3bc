// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "prom.h"

static const char *metric;

static void begin(const char *name, const char *type, const char *help)
{
	metric = name;
	printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void prom_gauge(const char *name, const char *help)
{
	begin(name, "gauge", help);
}

void prom_counter(const char *name, const char *help)
{
	begin(name, "counter", help);
}

static void put_escaped(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '"')
			putchar('\\');
		if (*text == '\n')
			fputs("\\n", stdout);
		else
			putchar(*text);
	}
}

void prom_sample(uint64_t value, ...)
{
	const char *label, *before = "{";
	va_list ap;

	fputs(metric, stdout);
	va_start(ap, value);
	while ((label = va_arg(ap, const char *))) {
		printf("%s%s=\"", before, label);
		put_escaped(va_arg(ap, const char *));
		putchar('"');
		before = ",";
	}
	va_end(ap);
	printf("%s %" PRIu64 "\n", *before == ',' ? "}" : "", value);
}
