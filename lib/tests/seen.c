// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/log_internal.h"

#include "seen.h"

#define MAX_CODES 64

static int record = -1;

/* The last call that no EXPECT_EQ() has checked yet. */
static __thread struct {
	struct seen_function *function;
	doca_error_t code;
} last;

void seen_begin(void)
{
	const char *path = getenv("DOCA_TESTS_RECORD");

	if (path && record < 0)
		record = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* In debug mode functions may return codes that only the mode explains. */
__attribute__((constructor)) static void seen_init(void)
{
	if (!getenv("DOCA_DEBUG"))
		seen_begin();
}

/* Disable cancellation: a thread may be cancelled in the watched call, but not here. */
static void append(const char *line, int n)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	if (write(record, line, n) != n)
		abort();
	pthread_setcancelstate(state, NULL);
}

/* Write each line once, and at once: some tests end by a signal, and some fork. */
static void note(const char *what, const char *name, uint64_t *seen, doca_error_t code)
{
	uint64_t bit = UINT64_C(1) << code % MAX_CODES;
	char line[256];
	int n, err = errno;

	if (record < 0 || __atomic_fetch_or(seen, bit, __ATOMIC_RELAXED) & bit)
		return;
	n = snprintf(line, sizeof(line), "%s %s %u\n", what, name, code);
	append(line, n);
	errno = err;
}

/* The innermost call of this thread. */
static __thread struct seen_log current;

bool __real_log_wanted(enum log_class class, uint32_t level);
bool __wrap_log_wanted(enum log_class class, uint32_t level);

/* The library asks here for every line, even if no backend wants it. */
bool __wrap_log_wanted(enum log_class class, uint32_t level)
{
	if (class == LOG_SDK && (!current.level || level < current.level))
		current.level = level;
	return __real_log_wanted(class, level);
}

struct seen_log seen_enter(void)
{
	struct seen_log outer = current;

	current.level = 0;
	return outer;
}

static void note_log(struct seen_function *function, doca_error_t code)
{
	char what[16];

	snprintf(what, sizeof(what), "logged:%u", current.level);
	note(what, function->name, &function->logged[current.level / 10], code);
}

doca_error_t seen_return(struct seen_function *function, struct seen_log outer, doca_error_t code)
{
	note_log(function, code);
	current = outer;
	last.function = function;
	last.code = code;
	note("returned", function->name, &function->returned, code);
	return code;
}

void seen_call(struct seen_function *function)
{
	note("returned", function->name, &function->returned, DOCA_SUCCESS);
}

void seen_expected(long long value)
{
	struct seen_function *function = last.function;

	if (function && value == (long long)last.code)
		note("expected", function->name, &function->expected, last.code);
	last.function = NULL;
}
