// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The log: backends, limits, threads. */
#include <pthread.h>
#include <signal.h>

#include "log_child.h"

CHILD_TEST(without_a_backend_the_program_is_silent_and_the_sdk_not)
{
	struct sink sink;

	dup2(sink_open(&sink), STDERR_FILENO);
	OK(DOCA_LOG_CRIT("program"));
	EXPECT_STR(sink_read(&sink), "");
	LOG_ERR("sdk");
	EXPECT(strstr(sink_read(&sink), "[ERR][DOCA::TEST::SDK]"));
	EXPECT_STR(sdk_shown(&sink), "ew");
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DEBUG);
	EXPECT_STR(sdk_shown(&sink), "ewid");
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE);
	EXPECT_STR(sdk_shown(&sink), "");
}

CHILD_TEST(the_standard_backend_divides_levels)
{
	struct sink out, err;
	int saved = dup(STDOUT_FILENO);

	dup2(sink_open(&out), STDOUT_FILENO);
	dup2(sink_open(&err), STDERR_FILENO);
	OK(doca_log_backend_create_standard());
	OK(doca_log_backend_create_standard());
	EXPECT_STR(shown(&out), "i");
	EXPECT_STR((sink_read(&err), shown(&err)), "cew");
	doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE);
	sink_read(&out);
	EXPECT_STR(shown(&out), "idt");
	doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR);
	EXPECT_STR(shown(&out), "");
	sink_read(&err);
	EXPECT_STR(shown(&err), "ce");
	/* messages of the SDK do not concern it */
	sink_read(&out);
	LOG_ERR("sdk");
	EXPECT_STR(sink_read(&out), "");
	dup2(saved, STDOUT_FILENO);
}

CHILD_TEST(bad_arguments_are_refused)
{
	struct doca_log_backend *b, *sdk, *none;
	struct sink one, two;

	b = fd_backend(&one);
	sdk = sdk_backend(&two);
	ERR(doca_log_backend_create_with_fd(-1, &none), INVALID_VALUE);
	ERR(doca_log_backend_create_with_fd_sdk(-1, &none), INVALID_VALUE);
	ERR(doca_log_backend_set_level_lower_limit(b, BAD_LEVEL), INVALID_VALUE);
	ERR(doca_log_backend_set_level_upper_limit(b, 80), INVALID_VALUE);
	ERR(doca_log_backend_set_sdk_level(sdk, 0), INVALID_VALUE);
	ERR(doca_log_backend_set_sdk_level(b, 50), INVALID_VALUE);
	ERR(doca_log_level_set_global_lower_limit(0), INVALID_VALUE);
	ERR(doca_log_level_set_global_upper_limit(71), INVALID_VALUE);
	ERR(doca_log_level_set_global_sdk_limit(BAD_LEVEL), INVALID_VALUE);
	EXPECT_STR(shown(&one), "cewi");
	EXPECT_STR(sdk_shown(&two), "ew");
}

CHILD_TEST(limits_of_a_backend)
{
	struct doca_log_backend *b;
	struct sink sink;

	b = fd_backend(&sink);
	EXPECT_STR(shown(&sink), "cewi");
	OK(doca_log_backend_set_level_lower_limit(b, 70));
	EXPECT_STR(shown(&sink), "cewidt");
	OK(doca_log_backend_set_level_upper_limit(b, 40));
	EXPECT_STR(shown(&sink), "widt");
	OK(doca_log_backend_set_level_lower_limit(b, 30));
	EXPECT_STR(shown(&sink), "");
	OK(doca_log_backend_set_level_upper_limit(b, 10));
	EXPECT_STR(shown(&sink), "ce");
	OK(doca_log_backend_set_level_lower_limit(b, 10));
	EXPECT_STR(shown(&sink), "");
}

CHILD_TEST(global_limits_reach_old_and_new_backends)
{
	struct sink old, new, sdk;

	EXPECT_EQ(doca_log_level_get_global_lower_limit(), 50);
	EXPECT_EQ(doca_log_level_get_global_upper_limit(), 20);
	EXPECT_EQ(doca_log_level_get_global_sdk_limit(), 40);
	fd_backend(&old);
	sdk_backend(&sdk);
	OK(doca_log_level_set_global_lower_limit(60));
	OK(doca_log_level_set_global_upper_limit(30));
	EXPECT_EQ(doca_log_level_get_global_lower_limit(), 60);
	EXPECT_EQ(doca_log_level_get_global_upper_limit(), 30);
	EXPECT_EQ(doca_log_level_get_global_sdk_limit(), 40);
	fd_backend(&new);
	EXPECT_STR(shown(&old), "ewid");
	EXPECT_STR(shown(&new), "ewidewid");
	EXPECT_STR(sdk_shown(&sdk), "ew");
}

CHILD_TEST(strict_limits_stay)
{
	struct doca_log_backend *b;
	struct sink sink;

	b = fd_backend(&sink);
	OK(doca_log_backend_set_level_lower_limit(b, 40));
	OK(doca_log_backend_set_level_lower_limit_strict(b));
	OK(doca_log_backend_set_level_lower_limit_strict(b));
	ERR(doca_log_backend_set_level_lower_limit(b, 70), NOT_PERMITTED);
	OK(doca_log_level_set_global_lower_limit(70));
	EXPECT_STR(shown(&sink), "cew");
	/* the other limit can be changed */
	OK(doca_log_backend_set_level_upper_limit(b, 30));
	OK(doca_log_backend_set_level_upper_limit_strict(b));
	ERR(doca_log_backend_set_level_upper_limit(b, 20), NOT_PERMITTED);
	OK(doca_log_level_set_global_upper_limit(20));
	EXPECT_STR(shown(&sink), "ew");
}

CHILD_TEST(the_sdk_has_levels_of_its_own)
{
	struct doca_log_backend *b;
	struct sink sink, program;

	b = sdk_backend(&sink);
	fd_backend(&program);
	EXPECT_STR(sdk_shown(&sink), "ew");
	OK(doca_log_backend_set_sdk_level(b, 60));
	EXPECT_STR(sdk_shown(&sink), "ewid");
	EXPECT_STR(sink_read(&program), "");
	OK(doca_log_level_set_global_sdk_limit(30));
	EXPECT_EQ(doca_log_level_get_global_sdk_limit(), 30);
	EXPECT_STR(sdk_shown(&sink), "e");
	OK(doca_log_level_set_global_lower_limit(70));
	EXPECT_STR(sdk_shown(&sink), "e");
	OK(doca_log_backend_set_level_lower_limit_strict(b));
	ERR(doca_log_backend_set_sdk_level(b, 60), NOT_PERMITTED);
	OK(doca_log_level_set_global_sdk_limit(60));
	EXPECT_STR(sdk_shown(&sink), "e");
}

CHILD_TEST(the_environment_shows_more_of_the_sdk)
{
	struct doca_log_backend *b;
	struct sink sink;

	b = sdk_backend(&sink);
	setenv("DOCA_SDK_LOG_LEVEL", "60", 1);
	log_read_environment();
	EXPECT_STR(sdk_shown(&sink), "ewid");
	OK(doca_log_backend_set_sdk_level(b, 20));
	EXPECT_STR(sdk_shown(&sink), "ewid");
	setenv("DOCA_SDK_LOG_LEVEL", "nonsense", 1);
	log_read_environment();
	EXPECT_STR(sdk_shown(&sink), "");
}

CHILD_TEST(once_is_once)
{
	struct sink sink;

	sdk_backend(&sink);
	for (int i = 0; i < 3; i++)
		LOG_ERR_ONCE("try %d", i);
	EXPECT_STR(message(&sink), "try 0");
}

CHILD_TEST(streams)
{
	struct doca_log_backend *b, *sdk;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	ASSERT(f);
	OK(doca_log_backend_create_with_file(f, &b));
	OK(doca_log_backend_create_with_file_sdk(f, &sdk));
	DOCA_LOG_INFO("one");
	EXPECT(strstr(text, "] one\n"));
	LOG_WARN("two");
	EXPECT(strstr(text, "] two\n"));
}

CHILD_TEST(a_failing_backend_does_not_stop_the_others)
{
	struct doca_log_backend *b;
	FILE *full = fopen("/dev/full", "w");
	struct sink sink;

	ASSERT(full);
	OK(doca_log_backend_create_with_file(full, &b));
	fd_backend(&sink);
	ERR(DOCA_LOG_INFO("x"), IO_FAILED);
	EXPECT_STR(message(&sink), "x");
}

CHILD_TEST(syslog_takes_messages)
{
	struct doca_log_backend *b, *sdk;

	OK(doca_log_backend_create_with_syslog("doca-test", &b));
	OK(doca_log_backend_create_with_syslog_sdk("doca-test-sdk", &sdk));
	doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE);
	OK(DOCA_LOG_CRIT("test: %s", "%s"));
	OK(DOCA_LOG_ERR("test"));
	OK(DOCA_LOG_INFO("test"));
	OK(DOCA_LOG_TRC("test"));
	LOG_WARN("test");
}

static char buf[512], flushed[8192];
static int flushes;
static doca_error_t nested;

static void on_flush(char *text)
{
	flushes++;
	EXPECT(text == buf);
	EXPECT(strlen(text) < sizeof(buf));
	strcat(flushed, text);
	nested = DOCA_LOG_ERR("nested");
}

CHILD_TEST(a_buffer_gathers_and_flushes)
{
	struct doca_log_backend *b;
	struct sink sink;
	char expect[32];
	const char *p;
	int i;

	ERR(doca_log_backend_create_with_buf(buf, 1, on_flush, &b), INVALID_VALUE);
	ERR(doca_log_backend_create_with_buf_sdk(buf, 1, on_flush, &b), INVALID_VALUE);
	OK(doca_log_backend_create_with_buf(buf, sizeof(buf), on_flush, &b));
	EXPECT_STR(buf, "");
	DOCA_LOG_INFO("message 0.");
	EXPECT(strstr(buf, "message 0.\n"));
	EXPECT_EQ(flushes, 0);
	/* a backend without buffer gets the handler's messages */
	fd_backend(&sink);
	for (i = 1; i < 20; i++)
		OK(DOCA_LOG_INFO("message %d.", i));
	EXPECT(flushes > 0);
	EXPECT_EQ(nested, DOCA_ERROR_AGAIN);
	EXPECT(strstr(sink_read(&sink), "] nested\n"));
	EXPECT(!strstr(flushed, "nested"));
	/* nothing is lost or reordered */
	strcat(flushed, buf);
	for (i = 0, p = flushed; p && i < 20; i++) {
		snprintf(expect, sizeof(expect), "message %d.\n", i);
		p = strstr(p, expect);
	}
	EXPECT(p);
}

static void on_small_flush(char *text)
{
	flushes++;
	strcat(flushed, text);
}

CHILD_TEST(a_line_longer_than_its_buffer_comes_in_pieces)
{
	static char small[2];
	struct doca_log_backend *b;
	size_t len;

	OK(doca_log_backend_create_with_buf_sdk(small, sizeof(small), on_small_flush, &b));
	LOG_ERR("in pieces");
	strcat(flushed, small);
	len = strlen(flushed);
	EXPECT_EQ(flushes, len - 1);
	EXPECT(strstr(flushed, "] in pieces\n"));
}
