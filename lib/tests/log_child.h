/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Common code for tests of the log. Backends cannot be destroyed and affect other cases,
 * so each case runs in a child, whose findings come back as its output and exit code.
 */
#ifndef DOCA_TESTS_LOG_CHILD_H
#define DOCA_TESTS_LOG_CHILD_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define DOCA_LOGGING_ALLOW_TRACE
#include <doca_log.h>

#include "core/base/log.h"
#include "core/base/log_internal.h"
#include "in_child.h"

DOCA_LOG_REGISTER(TEST::LOG);
LOG_SOURCE("TEST::SDK");

#define BAD_LEVEL 55

static void in_child(void (*body)(void))
{
	IN_CHILD({
		alarm(60); /* a deadlock is a failure as well */
		body();
		fflush(stdout);
	});
}

#define CHILD_TEST(id)                \
	static void child_##id(void); \
	TEST(id)                      \
	{                             \
		in_child(child_##id); \
	}                             \
	static void child_##id(void)

/* A pipe, and the text written to it so far. */
struct sink {
	int fd[2];
	char text[8192];
};

static int sink_open(struct sink *sink)
{
	EXPECT(!pipe2(sink->fd, O_NONBLOCK));
	return sink->fd[1];
}

static const char *sink_read(struct sink *sink)
{
	ssize_t n = read(sink->fd[0], sink->text, sizeof(sink->text) - 1);

	sink->text[n > 0 ? n : 0] = '\0';
	return sink->text;
}

/* Return the text behind the last "] ", without newline. */
static __attribute__((unused)) const char *message(struct sink *sink)
{
	char *p = strrchr(sink_read(sink), ']');

	if (!p)
		return "";
	p[strcspn(p, "\n")] = '\0';
	return p + 2;
}

static __attribute__((unused)) struct doca_log_backend *fd_backend(struct sink *sink)
{
	struct doca_log_backend *b = NULL;

	OK(doca_log_backend_create_with_fd(sink_open(sink), &b));
	return b;
}

static __attribute__((unused)) struct doca_log_backend *sdk_backend(struct sink *sink)
{
	struct doca_log_backend *b = NULL;

	OK(doca_log_backend_create_with_fd_sdk(sink_open(sink), &b));
	return b;
}

/* Return the levels that arrive, one letter each: c, e, w, i, d, t. */
static __attribute__((unused)) const char *shown(struct sink *sink)
{
	static char letters[32];
	char *out = letters;
	const char *p;

	DOCA_LOG_CRIT("@c");
	DOCA_LOG_ERR("@e");
	DOCA_LOG_WARN("@w");
	DOCA_LOG_INFO("@i");
	DOCA_LOG_DBG("@d");
	DOCA_LOG_TRC("@t");
	for (p = sink_read(sink); (p = strchr(p, '@'));)
		*out++ = *++p;
	*out = '\0';
	return letters;
}

static __attribute__((unused)) const char *sdk_shown(struct sink *sink)
{
	static char letters[32];
	char *out = letters;
	const char *p;

	LOG_ERR("@e");
	LOG_WARN("@w");
	LOG_INFO("@i");
	LOG_DBG("@d");
	for (p = sink_read(sink); (p = strchr(p, '@'));)
		*out++ = *++p;
	*out = '\0';
	return letters;
}

#endif /* DOCA_TESTS_LOG_CHILD_H */
