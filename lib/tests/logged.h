/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The lines that the libraries have logged since the last call. */
#ifndef DOCA_TESTS_LOGGED_H
#define DOCA_TESTS_LOGGED_H

#include <doca_log.h>

#include "logged_text.h"

__attribute__((constructor)) static void logged_init(void)
{
	struct doca_log_backend *backend;

	logged_file = tmpfile();
	if (!logged_file || doca_log_backend_create_with_file_sdk(logged_file, &backend))
		abort();
}

/* Expect exactly one line, with these words. */
#define EXPECT_LOGGED(words)                                                  \
	do {                                                                  \
		const char *text_ = logged();                                 \
		const char *end_ = strchr(text_, '\n');                       \
                                                                              \
		if (!strstr(text_, words) || !end_ || end_[1])                \
			KTAP_SAY_("logged \"%s\", not \"%s\"", text_, words); \
	} while (0)

/* The call fails, and one line says why. */
#define FAILS(call, name, words)      \
	do {                          \
		logged();             \
		ERR(call, name);      \
		EXPECT_LOGGED(words); \
	} while (0)

/* An errno of the driver, the code that a call makes of it, and words of the log. */
struct refusal {
	int err;
	doca_error_t res;
	const char *why;
};

/* Make the call with each row's errno in @var, which is 0 again afterwards. */
#define EXPECT_REFUSALS(rows, var, call)                                           \
	do {                                                                       \
		for (size_t i_ = 0; i_ < sizeof(rows) / sizeof((rows)[0]); i_++) { \
			logged();                                                  \
			(var) = (rows)[i_].err;                                    \
			EXPECT_EQ(call, (rows)[i_].res);                           \
			EXPECT_LOGGED((rows)[i_].why);                             \
		}                                                                  \
		(var) = 0;                                                         \
	} while (0)

#define EXPECT_SILENT() EXPECT_STR(logged(), "")

#endif /* DOCA_TESTS_LOGGED_H */
