// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The log: sources, messages, lines, threads. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "fault.h"
#include "log_child.h"

TEST(a_file_is_registered_before_main)
{
	char name[LOG_NAME_MAX];

	EXPECT(log_source > 0);
	ASSERT(log_find_source(log_source, name));
	EXPECT_STR(name, "TEST::LOG");
}

TEST(sources_come_and_go)
{
	char name[LOG_NAME_MAX];
	int source[100];

	for (int i = 0; i < 100; i++) {
		OK(doca_log_register_source("SAME", &source[i]));
		for (int j = 0; j < i; j++)
			EXPECT(source[i] != source[j]);
	}
	for (int i = 0; i < 100; i++) {
		OK(doca_log_unregister_source(source[i]));
		EXPECT(!log_find_source(source[i], name));
	}
	ERR(doca_log_unregister_source(source[0]), INVALID_VALUE);
	ERR(doca_log_unregister_source(0), INVALID_VALUE);
	ERR(doca_log_unregister_source(-1), INVALID_VALUE);
	ERR(doca_log_unregister_source(1 << 30), INVALID_VALUE);
}

TEST(long_names_are_cut)
{
	char name[LOG_NAME_MAX], longer[2 * LOG_NAME_MAX];
	int source;

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	ASSERT(!doca_log_register_source(longer, &source));
	EXPECT(log_find_source(source, name));
	EXPECT_EQ(strlen(name), LOG_NAME_MAX - 1);
	OK(doca_log_unregister_source(source));
}

CHILD_TEST(bad_messages_are_refused)
{
	struct sink sink;
	const char *none = NULL;

	fd_backend(&sink);
	ERR(doca_log(BAD_LEVEL, log_source, "f", 1, "g", "x"), INVALID_VALUE);
	ERR(doca_log(0, log_source, "f", 1, "g", "x"), INVALID_VALUE);
	ERR(doca_log(DOCA_LOG_LEVEL_DISABLE, log_source, "f", 1, "g", "x"), INVALID_VALUE);
	ERR(doca_log(DOCA_LOG_LEVEL_ERROR, 0, "f", 1, "g", "x"), INVALID_VALUE);
	ERR(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, NULL, 1, "g", "x"), INVALID_VALUE);
	ERR(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, "f", 1, NULL, "x"), INVALID_VALUE);
	ERR(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, "f", 1, "g", none), INVALID_VALUE);
	EXPECT_STR(sink_read(&sink), "");
}

CHILD_TEST(a_line_has_its_parts)
{
	char level[4], source[16], file[32], func[32], text[32];
	unsigned int h, m, s, us, pid;
	struct sink sink;
	int line, end = 0;

	fd_backend(&sink);
	DOCA_LOG_INFO("hello %d", 5);
	line = __LINE__ - 1;
	EXPECT_EQ(sscanf(sink_read(&sink),
			 "[%2u:%2u:%2u:%6u][%u][DOCA][%3[A-Z]][%15[^]]][%31[^:]:"
			 "%*d][%31[^]]] %31[^\n]%n",
			 &h, &m, &s, &us, &pid, level, source, file, func, text, &end),
		  10);
	EXPECT(h < 24 && m < 60 && s <= 60 && us < 1000000);
	EXPECT_EQ(pid, getpid());
	EXPECT_STR(level, "INF");
	EXPECT_STR(source, "TEST::LOG");
	EXPECT_STR(file, "test_log.c");
	EXPECT_STR(func, __func__);
	EXPECT_STR(text, "hello 5");
	EXPECT_STR(sink.text + end, "\n");
	snprintf(text, sizeof(text), "[test_log.c:%d]", line);
	EXPECT(strstr(sink.text, text));
}

CHILD_TEST(every_level_has_a_name)
{
	static const char *const names[] = { "CRT", "ERR", "WRN", "INF", "DBG", "TRC" };
	struct sink sink;
	char tag[8];

	doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE);
	fd_backend(&sink);
	for (int i = 0; i < 6; i++) {
		OK(doca_log(20 + 10 * i, log_source, "f", 1, "g", "x"));
		snprintf(tag, sizeof(tag), "[%s]", names[i]);
		EXPECT(strstr(sink_read(&sink), tag));
	}
}

CHILD_TEST(a_newline_is_not_doubled)
{
	struct sink sink;

	fd_backend(&sink);
	DOCA_LOG_INFO("x\n");
	EXPECT(!strstr(sink_read(&sink), "\n\n"));
	DOCA_LOG_INFO("%s", "");
	EXPECT(strstr(sink_read(&sink), "] \n"));
}

/* The libraries quote foreign text; programs may write what they like. */
CHILD_TEST(what_is_quoted_is_no_control)
{
	struct doca_log_backend *b;
	struct sink sink;
	int fd = sink_open(&sink);

	OK(doca_log_backend_create_with_fd_sdk(fd, &b));
	LOG_ERR("a\033[2J\nb\177\t\302\233c\302\251 \303\244");
	EXPECT(strstr(sink_read(&sink), "] a?[2J?b????c\302\251 \303\244\n"));
	OK(doca_log_backend_create_with_fd(fd, &b));
	DOCA_LOG_ERR("a\033[2J\nb");
	EXPECT(strstr(sink_read(&sink), "] a\033[2J\nb\n"));
}

CHILD_TEST(messages_of_any_length)
{
	static char text[5000];
	struct sink sink;
	size_t len;

	fd_backend(&sink);
	for (len = 900; len < sizeof(text); len += len < 1100 ? 1 : 700) {
		memset(text, 'a', len);
		text[len - 1] = 'z';
		text[len] = '\0';
		OK(DOCA_LOG_INFO("%s", text));
		if (strcmp(message(&sink), text))
			EXPECT_EQ(len, 0);
	}
	/* the text in front of it may be long as well */
	OK(doca_log(DOCA_LOG_LEVEL_INFO, log_source, text, 1, text, "%s", "end"));
	EXPECT(strstr(sink_read(&sink), "end\n"));
}

CHILD_TEST(errno_is_left_alone)
{
	struct sink sink, sdk;

	fd_backend(&sink);
	close(sink.fd[1]);
	sdk_backend(&sdk);
	close(sdk.fd[1]);
	errno = ENOTTY;
	ERR(DOCA_LOG_ERR("x"), IO_FAILED);
	EXPECT_EQ(errno, ENOTTY);
	LOG_ERR("x");
	EXPECT_EQ(errno, ENOTTY);
}

CHILD_TEST(sources_without_memory)
{
	int source, last = 0;

	/* The table may be long enough already, and grows in the end. */
	for (int i = 0; i < 40; i++)
		EXPECT_FAULTS(FAULT_ALLOC, doca_log_register_source("A", &source), NO_MEMORY,
			      last = source);
	EXPECT(last > 40);
}

static void ignore(char *text)
{
	(void)text;
}

CHILD_TEST(backends_without_memory)
{
	char buf[64];
	struct doca_log_backend *b;

	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_fd(0, &b), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_fd_sdk(0, &b), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_file(stderr, &b), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_buf(buf, 64, ignore, &b),
		      NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_syslog("a", &b), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_file_sdk(stderr, &b), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_buf_sdk(buf, 64, ignore, &b),
		      NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_with_syslog_sdk("a", &b), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_log_backend_create_standard(), NO_MEMORY, );
}

CHILD_TEST(a_long_message_without_memory_is_cut)
{
	static char text[4096];
	struct sink sink;

	memset(text, 'x', sizeof(text) - 1);
	sdk_backend(&sink);
	fault_at(FAULT_ALLOC, 1);
	LOG_ERR("begins %s", text);
	EXPECT(fault_happened(FAULT_ALLOC));
	EXPECT(!strncmp(message(&sink), "begins xxx", 10));
}

/* Handlers of two buffers log to each other, in two threads. */
static char pair[2][256];

static void on_pair_flush(char *text)
{
	(void)text;
	DOCA_LOG_INFO("from a handler");
}

static void *hammer(void *unused)
{
	int source;

	(void)unused;
	for (int i = 0; i < 2000; i++) {
		DOCA_LOG_INFO("line %d", i);
		doca_log_register_source("T", &source);
		doca_log_unregister_source(source);
	}
	return NULL;
}

/* Holds the lock most of the time. */
static void *register_sources(void *stop)
{
	int source;

	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
		doca_log_register_source("T", &source);
		doca_log_unregister_source(source);
	}
	return NULL;
}

/* Do not exit: valgrind would report another thread's memory as lost. */
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

CHILD_TEST(children_of_busy_processes_can_log)
{
	bool stop = false;
	pthread_t thread;

	EXPECT(!pthread_create(&thread, NULL, register_sources, &stop));
	for (int i = 0; i < 100 && !ktap_bad; i++) {
		struct sink sink;
		pid_t pid = fork();

		if (!pid) {
			alarm(60);
			sdk_backend(&sink);
			LOG_ERR("child");
			if (!strcmp(message(&sink), "child"))
				end_child();
			_exit(1);
		}
		expect_end(pid);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

CHILD_TEST(threads_do_not_block_each_other)
{
	struct doca_log_backend *b;
	pthread_t thread[4];

	for (int i = 0; i < 2; i++)
		OK(doca_log_backend_create_with_buf(pair[i], 256, on_pair_flush, &b));
	for (int i = 0; i < 4; i++)
		EXPECT(!pthread_create(&thread[i], NULL, hammer, NULL));
	/* and limits change meanwhile */
	for (int i = 0; i < 1000; i++)
		doca_log_level_set_global_lower_limit(i % 2 ? 50 : 40);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

CHILD_TEST(lines_of_threads_do_not_mix)
{
	struct doca_log_backend *b;
	FILE *f = tmpfile();
	pthread_t thread[3];
	char line[256];
	int n = 0;

	ASSERT(f);
	OK(doca_log_backend_create_with_file(f, &b));
	for (int i = 0; i < 3; i++)
		EXPECT(!pthread_create(&thread[i], NULL, hammer, NULL));
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "[DOCA][INF][TEST::LOG][test_log.c:") ||
		    !strstr(line, "[hammer] "))
			EXPECT_STR(line, "");
		n++;
	}
	EXPECT_EQ(n, 6000);
}

/* Room for one line only. */
static char small[128];

static sem_t inside, go_on;
static bool is_slow, fork_waits;

/* Stay in a sink, once, where a thread may be cancelled. */
static void linger(void)
{
	if (!__atomic_exchange_n(&is_slow, false, __ATOMIC_RELAXED))
		return;
	sem_post(&inside);
	sem_wait(&go_on);
}

/* Replaces libc's. */
__attribute__((visibility("default"))) void syslog(int priority, const char *format, ...)
{
	(void)priority;
	(void)format;
	linger();
}

static void on_slow_flush(char *text)
{
	(void)text;
	linger();
}

static void *log_two_lines(void *arg)
{
	DOCA_LOG_INFO("one");
	DOCA_LOG_INFO("two");
	pthread_testcancel();
	return arg;
}

static void before_fork(void)
{
	if (fork_waits)
		sem_post(&go_on);
}

/* The backend is a buffer or syslog. */
static pthread_t make_a_sink_busy(bool is_buffer)
{
	struct doca_log_backend *b;
	pthread_t thread;

	if (is_buffer)
		OK(doca_log_backend_create_with_buf(small, sizeof(small), on_slow_flush, &b));
	else
		OK(doca_log_backend_create_with_syslog("doca-test", &b));
	EXPECT(!sem_init(&inside, 0, 0) && !sem_init(&go_on, 0, 0));
	is_slow = true;
	EXPECT(!pthread_create(&thread, NULL, log_two_lines, NULL));
	sem_wait(&inside);
	return thread;
}

/* A fork does not wait for a handler, but for libc's own lock. */
static void fork_while_a_sink_is_busy(bool is_buffer)
{
	pthread_t thread = make_a_sink_busy(is_buffer);
	pid_t pid;

	fork_waits = !is_buffer;
	EXPECT(!pthread_atfork(before_fork, NULL, NULL));
	pid = fork();
	if (!pid) {
		alarm(60);
		log_two_lines(NULL);
		end_child();
	}
	expect_end(pid);
	sem_post(&go_on);
	pthread_join(thread, NULL);
}

CHILD_TEST(children_do_not_wait_for_a_flush_handler)
{
	fork_while_a_sink_is_busy(true);
}

CHILD_TEST(children_do_not_wait_for_syslog)
{
	fork_while_a_sink_is_busy(false);
}

static void cancel_while_a_sink_is_busy(bool is_buffer)
{
	pthread_t thread = make_a_sink_busy(is_buffer);
	void *result = NULL;

	EXPECT(!pthread_cancel(thread));
	sem_post(&go_on);
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	log_two_lines(NULL);
}

CHILD_TEST(threads_are_not_cancelled_in_a_flush_handler)
{
	cancel_while_a_sink_is_busy(true);
}

CHILD_TEST(threads_are_not_cancelled_in_syslog)
{
	cancel_while_a_sink_is_busy(false);
}

static pid_t forked = -1;

static void on_forking_flush(char *text)
{
	(void)text;
	forked = fork();
	if (!forked)
		alarm(60);
}

CHILD_TEST(a_flush_handler_may_fork)
{
	struct doca_log_backend *b;

	OK(doca_log_backend_create_with_buf(small, sizeof(small), on_forking_flush, &b));
	log_two_lines(NULL);
	EXPECT(strstr(small, "two"));
	if (!forked)
		end_child();
	expect_end(forked);
}
