// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <doca_version.h>

#include "usage.h"

const char tool_version[] = OPEN_DOCA_VERSION;

void usage_said(void)
{
	fprintf(stderr, "Try '%s --help'.\n", tool_name);
	exit(EXIT_USAGE);
}

void usage(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", tool_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	usage_said();
}

/* Return the suffix's power of 1024, 0 for any other text. */
static size_t power_of(const char *text, const char *suffixes)
{
	size_t i;

	for (i = 0; suffixes[i]; i++)
		if (!strncasecmp(text, &suffixes[i], 1) && !text[1])
			return i + 1;
	return 0;
}

static bool read_number(const char *text, const char *suffixes, uint64_t max,
			uint64_t *value)
{
	size_t power;
	char *end;

	/* strtoull() accepts blanks and signs as well. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	power = power_of(end, suffixes);
	if (errno || (*end && !power))
		return false;
	for (; power; power--) {
		if (*value > max)
			return false;
		*value *= 1024;
	}
	return true;
}

uint64_t usage_number(const char *what, const char *text, const char *suffixes,
		      uint64_t min, uint64_t max)
{
	uint64_t value;

	if (!read_number(text, suffixes, max, &value) || value < min ||
	    value > max)
		usage("%s: '%s' is not a number from %llu to %llu", what, text,
		      (unsigned long long)min, (unsigned long long)max);
	return value;
}

static bool begins_with(const char *name, const char *word)
{
	return !strncmp(name, word, strlen(word));
}

/* Print "a", "a or b", "a, b or c", the names that begin with @word, and end the program. */
static _Noreturn void end_with_names(const char *word, size_t nr,
				     const char *const names[])
{
	for (; nr; names++) {
		if (!begins_with(*names, word))
			continue;
		nr--;
		fprintf(stderr, "%s%s", *names,
			nr > 1 ? ", " :
			nr     ? " or " :
				 "\n");
	}
	usage_said();
}

size_t usage_choice(const char *what, const char *word,
		    const char *const names[], size_t nr_names)
{
	size_t i, found = 0, nr = 0;

	for (i = 0; i < nr_names; i++) {
		if (!strcmp(names[i], word))
			return i;
		if (*word && begins_with(names[i], word)) {
			found = i;
			nr++;
		}
	}
	if (nr == 1)
		return found;
	fprintf(stderr, "%s: '%s' is %s %s; it %s ", tool_name, word,
		nr ? "not enough of a" : "no", what,
		nr ? "may be" : "is one of");
	end_with_names(nr ? word : "", nr ? nr : nr_names, names);
}

void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

void print_version(void)
{
	printf("%s (Open DOCA) %s, DOCA " DOCA_VERSION_STRING "\n", tool_name,
	       tool_version);
	print_and_exit("");
}
