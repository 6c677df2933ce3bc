// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The log while a thread is writing to it that is not in a child, or is cancelled. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "log_child.h"

/* Room for one line, and not for two. */
static char buf[128];

static sem_t inside;
static bool is_slow;

/* Stay in a sink for a while, once, where a thread may be cancelled. */
static void linger(void)
{
	if (!__atomic_exchange_n(&is_slow, false, __ATOMIC_RELAXED))
		return;
	sem_post(&inside);
	usleep(200000);
}

/* In place of that of libc. */
__attribute__((visibility("default"))) void syslog(int priority,
						   const char *format, ...)
{
	(void)priority;
	(void)format;
	linger();
}

static void *log_two_lines(void *arg)
{
	DOCA_LOG_INFO("one");
	DOCA_LOG_INFO("two");
	pthread_testcancel();
	return arg;
}

/* An exit would have valgrind report as lost what the other thread had. */
static void end_child(void)
{
	kill(getpid(), SIGKILL);
}

static void expect_end(pid_t pid)
{
	int status = -1;

	EXPECT(waitpid(pid, &status, 0) == pid);
	EXPECT_EQ(status, SIGKILL);
}

static pthread_t make_a_sink_busy(void)
{
	pthread_t thread;

	EXPECT(!sem_init(&inside, 0, 0));
	is_slow = true;
	EXPECT(!pthread_create(&thread, NULL, log_two_lines, NULL));
	sem_wait(&inside);
	return thread;
}

static void fork_while_a_sink_is_busy(void)
{
	pthread_t thread = make_a_sink_busy();
	pid_t pid = fork();

	if (!pid) {
		alarm(20);
		log_two_lines(NULL);
		end_child();
	}
	expect_end(pid);
	pthread_join(thread, NULL);
}

static void cancel_while_a_sink_is_busy(void)
{
	pthread_t thread = make_a_sink_busy();
	void *result = NULL;

	EXPECT(!pthread_cancel(thread));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	log_two_lines(NULL);
}

static void on_slow_flush(char *text)
{
	(void)text;
	linger();
}

CHILD_TEST(children_do_not_wait_for_a_flush_handler)
{
	struct doca_log_backend *b;

	OK(doca_log_backend_create_with_buf(buf, sizeof(buf), on_slow_flush,
					    &b));
	fork_while_a_sink_is_busy();
}

CHILD_TEST(threads_are_not_cancelled_in_a_flush_handler)
{
	struct doca_log_backend *b;

	OK(doca_log_backend_create_with_buf(buf, sizeof(buf), on_slow_flush,
					    &b));
	cancel_while_a_sink_is_busy();
}

CHILD_TEST(children_do_not_wait_for_syslog)
{
	struct doca_log_backend *b;

	OK(doca_log_backend_create_with_syslog("doca-test", &b));
	fork_while_a_sink_is_busy();
}

CHILD_TEST(threads_are_not_cancelled_in_syslog)
{
	struct doca_log_backend *b;

	OK(doca_log_backend_create_with_syslog("doca-test", &b));
	cancel_while_a_sink_is_busy();
}

static pid_t forked = -1;

static void on_forking_flush(char *text)
{
	(void)text;
	forked = fork();
	if (!forked)
		alarm(20);
}

CHILD_TEST(a_flush_handler_may_fork)
{
	struct doca_log_backend *b;

	OK(doca_log_backend_create_with_buf(buf, sizeof(buf), on_forking_flush,
					    &b));
	log_two_lines(NULL);
	EXPECT(strstr(buf, "two"));
	if (!forked)
		end_child();
	expect_end(forked);
}
