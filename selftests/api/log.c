// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What programs may rely on of the log and of error codes. A file is a source from before
 * main on, under the name that it gave without quotes. Where lines go and which are shown
 * is known without asking. Of several errors the first counts, and each has a text.
 *
 * log_other.c is a second file of this program, without leave to trace.
 */
#define DOCA_LOGGING_ALLOW_TRACE
#include <fcntl.h>

#include <doca_log.h>

#include "bed.h"
#include "log_other.h"

DOCA_LOG_REGISTER(SELFTEST::LOG);

/* What a file descriptor was given. */
struct sink {
	int in, out;
	char text[4096];
};

static bool sink_open(struct sink *sink)
{
	int fds[2];

	if (pipe2(fds, O_NONBLOCK))
		return false;
	sink->in = fds[1];
	sink->out = fds[0];
	return true;
}

static const char *sink_read(struct sink *sink)
{
	ssize_t n = read(sink->out, sink->text, sizeof(sink->text) - 1);

	sink->text[n > 0 ? n : 0] = '\0';
	return sink->text;
}

static struct sink early;

/* Behind the file's own, for these run in the order of the file. */
__attribute__((constructor)) static void before_main(void)
{
	struct doca_log_backend *backend;

	if (sink_open(&early) &&
	    !doca_log_backend_create_with_fd(early.in, &backend))
		DOCA_LOG_INFO("early");
}

TEST(a_file_is_a_source_before_main_and_its_name_is_its_tokens)
{
	EXPECT_NE(NULL, strstr(sink_read(&early), "[SELFTEST::LOG]"))
	{
		TH_LOG("%s", early.text);
	}
	EXPECT_NE(NULL, strstr(early.text, "early"));
}

TEST(each_file_is_a_source_of_its_own)
{
	sink_read(&early);
	DOCA_LOG_INFO("one");
	EXPECT_NE(NULL, strstr(sink_read(&early), "[SELFTEST::LOG]"));
	EXPECT_EQ(NULL, strstr(early.text, "OTHER"));
	log_other("two");
	EXPECT_NE(NULL, strstr(sink_read(&early), "[SELFTEST::OTHER::FILE]"));
	EXPECT_EQ(NULL, strstr(early.text, "::LOG]"));
}

static void log_all(void)
{
	DOCA_LOG_CRIT("at CRIT");
	DOCA_LOG_ERR("at ERR");
	DOCA_LOG_WARN("at WARN");
	DOCA_LOG_INFO("at INFO");
	DOCA_LOG_DBG("at DBG");
	DOCA_LOG_TRC("at TRC");
}

static bool has(const struct sink *sink, const char *what)
{
	return strstr(sink->text, what);
}

/* Standard output is what the harness reports to, so it is put back. */
TEST(levels_up_to_info_go_to_stdout_and_from_warning_to_stderr_and_info_is_the_default)
{
	struct sink out, err;
	int saved_out = dup(STDOUT_FILENO), saved_err = dup(STDERR_FILENO);

	ASSERT_TRUE(sink_open(&out) && sink_open(&err));
	dup2(out.in, STDOUT_FILENO);
	dup2(err.in, STDERR_FILENO);
	doca_log_backend_create_standard();
	log_all();
	sink_read(&out);
	sink_read(&err);
	dup2(saved_out, STDOUT_FILENO);
	dup2(saved_err, STDERR_FILENO);

	EXPECT_TRUE(has(&err, "at CRIT"));
	EXPECT_TRUE(has(&err, "at ERR"));
	EXPECT_TRUE(has(&err, "at WARN"));
	EXPECT_FALSE(has(&err, "at INFO"));
	EXPECT_FALSE(has(&out, "at WARN"));
	EXPECT_TRUE(has(&out, "at INFO"));
	/* Not shown, unless asked for. */
	EXPECT_FALSE(has(&out, "at DBG"));
	EXPECT_FALSE(has(&out, "at TRC"));
}

/* Any message of the library will do: a map without memory is not started. */
static void have_the_library_complain(void)
{
	struct doca_mmap *mmap;

	if (!doca_mmap_create(&mmap)) {
		doca_mmap_start(mmap);
		doca_mmap_destroy(mmap);
	}
}

TEST(the_library_has_a_level_of_its_own)
{
	struct doca_log_backend *backend;
	struct sink sdk;

	ASSERT_TRUE(sink_open(&sdk));
	ASSERT_OK(doca_log_backend_create_with_fd_sdk(sdk.in, &backend));
	ASSERT_OK(doca_log_level_set_global_lower_limit(
		DOCA_LOG_LEVEL_DISABLE));
	have_the_library_complain();
	EXPECT_NE(0, sink_read(&sdk)[0]);
	ASSERT_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
	ASSERT_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE));
	have_the_library_complain();
	EXPECT_EQ(0, sink_read(&sdk)[0]);
	sink_read(&early);
	DOCA_LOG_DBG("at DBG");
	EXPECT_TRUE((sink_read(&early), has(&early, "at DBG")));
}

TEST(tracing_is_compiled_out_without_leave)
{
	ASSERT_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
	sink_read(&early);
	DOCA_LOG_TRC("at TRC");
	EXPECT_TRUE((sink_read(&early), has(&early, "at TRC")));
	log_other_trace("at TRC");
	EXPECT_FALSE((sink_read(&early), has(&early, "at TRC")));
	/* Not even its arguments are there. */
	EXPECT_EQ(0, log_other_traced());
}

TEST(of_several_errors_the_first_is_kept)
{
	doca_error_t result = DOCA_SUCCESS;

	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	EXPECT_OK(result);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_FULL);
	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	EXPECT_ERR(AGAIN, result);
}

TEST(texts_of_errors_are_never_null)
{
	int i;

	for (i = -2; i < 300; i++) {
		ASSERT_NE(NULL, doca_error_get_name((doca_error_t)i));
		ASSERT_NE(NULL, doca_error_get_descr((doca_error_t)i));
	}
}

TEST_HARNESS_MAIN
