// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include <doca_log.h>

#include "common/usage.h"
#include "data/msg.h"

static bool be_verbose;
static struct doca_log_backend *backend;

PRINTF(1, 0)
static void say(const char *fmt, va_list ap, const char *why)
{
	fprintf(stderr, "%s: ", tool_name);
	vfprintf(stderr, fmt, ap);
	if (why)
		fprintf(stderr, ": %s", why);
	fputc('\n', stderr);
}

int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, NULL);
	va_end(ap);
	return -1;
}

int fail_errno(const char *fmt, ...)
{
	int err = errno;
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, strerror(err));
	va_end(ap);
	errno = err; /* for callers that choose a hint by it */
	return -1;
}

int fail_doca(doca_error_t err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, doca_error_get_descr(err));
	va_end(ap);
	return -1;
}

void hint(const char *fmt, ...)
{
	va_list ap;

	fputs("  ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void detail(const char *fmt, ...)
{
	va_list ap;

	if (!be_verbose)
		return;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void printable(char *text)
{
	char *to = text, *end = text + strlen(text);
	mbstate_t state = { 0 };
	size_t len;
	wchar_t c;

	while (text < end) {
		len = mbrtowc(&c, text, end - text, &state);
		if (len <= (size_t)(end - text) && iswprint(c)) {
			memmove(to, text, len);
			text += len;
			to += len;
		} else {
			*to++ = '?';
			text++;
			state = (mbstate_t){ 0 };
		}
	}
	*to = '\0';
}

int msg_init(bool verbose)
{
	doca_error_t err;

	be_verbose = verbose;
	err = doca_log_backend_create_with_file_sdk(stderr, &backend);
	if (err == DOCA_SUCCESS)
		err = doca_log_backend_set_sdk_level(
			backend, verbose ? DOCA_LOG_LEVEL_DEBUG :
					   DOCA_LOG_LEVEL_WARNING);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot set up logging");
	return 0;
}

void msg_expect_failures(void)
{
	if (!be_verbose)
		doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR);
}
