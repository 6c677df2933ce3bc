/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A record of the codes that public functions returned to tests and of their logged
 * levels, and of the codes that tests expected. scripts/build/error-codes compares it
 * with the headers. Tests call a stub in place of each public function, which that
 * program writes; see tests.mk.
 */
#ifndef DOCA_TESTS_SEEN_H
#define DOCA_TESTS_SEEN_H

#include <stdint.h>

#include <doca_error.h>

#define SEEN_LEVELS 8

/* Codes in the record already, as bits. */
struct seen_function {
	const char *name;
	uint64_t returned;
	uint64_t expected;
	uint64_t logged[SEEN_LEVELS]; /* by level / 10 */
};

/* The most severe line that the libraries have logged in a call; 0: none. */
struct seen_log {
	uint32_t level;
};

/* Start recording after debug mode was switched off. */
void seen_begin(void);

/* Called by stubs before the function; the result is for seen_return(). */
struct seen_log seen_enter(void);

/* Called by stubs with the function's code, which it returns. */
doca_error_t seen_return(struct seen_function *function, struct seen_log outer, doca_error_t code);

/* Called by stubs of functions that return no code. */
void seen_call(struct seen_function *function);

/* Called by EXPECT_EQ() with the expected value. */
void seen_expected(long long value);

#endif /* DOCA_TESTS_SEEN_H */
