// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Faults of the driver itself. */
#include "shim/kernel.h"
#include "inproc.h"

static void (*report)(const char *text);

void inproc_set_report(void (*function)(const char *text))
{
	report = function;
}

static void tell(const char *what, const char *file, int line)
{
	char text[256];

	snprintf(text, sizeof(text), "a fault of the driver itself: %s, %s:%d",
		 what, file, line);
	if (report)
		report(text);
	else
		fprintf(stderr, "%s\n", text);
}

void inproc_warn(bool *told, const char *what, const char *file, int line)
{
	if (__atomic_exchange_n(told, true, __ATOMIC_RELAXED))
		return;
	tell(what, file, line);
	if (!report)
		abort();
}

void inproc_bug(const char *what, const char *file, int line)
{
	tell(what, file, line);
	abort();
}
