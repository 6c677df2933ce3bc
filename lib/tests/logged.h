/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the libraries wrote into the log since it was last asked. */
#ifndef DOCA_TESTS_LOGGED_H
#define DOCA_TESTS_LOGGED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_log.h>

static FILE *logged_file;
static char logged_text[4096];

__attribute__((constructor)) static void logged_init(void)
{
	struct doca_log_backend *backend;

	logged_file = tmpfile();
	if (!logged_file ||
	    doca_log_backend_create_with_file_sdk(logged_file, &backend))
		abort();
}

static const char *logged(void)
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

/* Exactly one line, which has these words. */
#define EXPECT_LOGGED(words)                                                  \
	do {                                                                  \
		const char *text_ = logged();                                 \
		const char *end_ = strchr(text_, '\n');                       \
                                                                              \
		if (!strstr(text_, words) || !end_ || end_[1])                \
			KTAP_SAY_("logged \"%s\", not \"%s\"", text_, words); \
	} while (0)

#define EXPECT_SILENT() EXPECT_STR(logged(), "")

#endif /* DOCA_TESTS_LOGGED_H */
