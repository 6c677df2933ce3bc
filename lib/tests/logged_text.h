/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A file that the libraries log to, and the text since the last call. */
#ifndef DOCA_TESTS_LOGGED_TEXT_H
#define DOCA_TESTS_LOGGED_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *logged_file;
static char logged_text[65536];

static inline const char *logged(void)
{
	size_t n;

	fflush(logged_file);
	rewind(logged_file);
	n = fread(logged_text, 1, sizeof(logged_text) - 1, logged_file);
	logged_text[n] = '\0';
	rewind(logged_file);
	if (ftruncate(fileno(logged_file), 0))
		abort();
	return logged_text;
}

#endif /* DOCA_TESTS_LOGGED_TEXT_H */
