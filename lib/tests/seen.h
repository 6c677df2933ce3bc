/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A record of what public functions returned to tests and logged meanwhile, and of what
 * tests expected: scripts/build/error-codes compares it with what the headers say. Tests
 * call a stub in place of each public function, which that program writes; see tests.mk.
 */
#ifndef DOCA_TESTS_SEEN_H
#define DOCA_TESTS_SEEN_H

#include <stdint.h>

#include <doca_error.h>

#define SEEN_LEVELS 8

/* What is in the record already is a bit of a code's value here. */
struct seen_function {
	const char *name;
	uint64_t returned;
	uint64_t expected;
	uint64_t logged[SEEN_LEVELS]; /* by level / 10 */
};

/* The most severe line of the libraries' log in a call; 0: none. */
struct seen_log {
	uint32_t level;
};

/* Record from now on, where debug mode was on and is no more. */
void seen_begin(void);

/* Called by stubs: before the function, for seen_return(). */
struct seen_log seen_enter(void);

/* And with what it returned, which is returned again. */
doca_error_t seen_return(struct seen_function *function, struct seen_log outer, doca_error_t code);

/* Called by stubs of functions that return no code. */
void seen_call(struct seen_function *function);

/* Called by EXPECT_EQ(), where @value is what was expected. */
void seen_expected(long long value);

#endif /* DOCA_TESTS_SEEN_H */
