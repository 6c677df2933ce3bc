// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * An idle process costs nothing: it has no unnecessary thread, and all of them sleep until
 * something happens, without a time-out.
 */
#include <ctype.h>
#include <fcntl.h>
#include <semaphore.h>

#include <doca_log.h>

#include "pair.h"

#define MAX_ARGS 6

/* Return the number of a thread's system call, or -1 if it runs. */
static long call_of(pid_t pid, const char *tid, unsigned long args[MAX_ARGS])
{
	char path[64], line[256] = "";
	long nr = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%.20s/syscall", pid, tid);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fgets(line, sizeof(line), f) &&
	    sscanf(line, "%ld %lx %lx %lx %lx %lx %lx", &nr, &args[0], &args[1], &args[2],
		   &args[3], &args[4], &args[5]) < 1)
		nr = -1;
	fclose(f);
	return nr;
}

/* Return true if the thread sleeps without a time-out. */
static bool waits_for_an_event(pid_t pid, const char *tid)
{
	unsigned long args[MAX_ARGS] = {};

	switch (call_of(pid, tid, args)) {
	case SYS_futex:
		return !args[3];
	case SYS_ppoll:
		return !args[2];
	case SYS_epoll_pwait:
		return (int)args[3] == -1;
#ifdef SYS_poll
	case SYS_poll:
		return (int)args[2] == -1;
#endif
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
		return (int)args[3] == -1;
#endif
#ifdef SYS_pause
	case SYS_pause:
#endif
	case SYS_rt_sigsuspend:
	case SYS_read:
		return true;
	default:
		return false;
	}
}

/* Count the threads that would wake up by themselves; @nr: all of its threads. */
static int awake(pid_t pid, int *nr)
{
	struct dirent *entry;
	char path[64];
	int n = 0;
	DIR *dir;

	*nr = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (!isdigit(entry->d_name[0]))
			continue;
		++*nr;
		n += !waits_for_an_event(pid, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return n;
}

static bool comes_to_rest(pid_t pid, int *nr)
{
	return AWAIT(!awake(pid, nr));
}

static bool tells_calls(void)
{
	unsigned long args[MAX_ARGS];
	char tid[16];

	snprintf(tid, sizeof(tid), "%d", gettid());
	return call_of(getpid(), tid, args) == SYS_read;
}

/* Copy once, so that everything has been used, and then do nothing. */
static int copy_and_idle(struct shared *shared, bool import)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;

	if (importer_open(&self) ||
	    (import && importer_import(&self, &desc, &self.imported)) ||
	    bed_copy(&self.bed, import ? self.imported : self.local,
		     import ? desc.addr : self.mem + LEN / 2, self.local, self.mem, LEN / 2) ||
	    !BED_UNTIL(&self.bed, self.bed.succeeded == 1))
		return 1;
	store(&shared->ready, 1);
	for (;;)
		pause();
}

static int run_alone(struct shared *shared)
{
	return copy_and_idle(shared, false);
}

static int run_importer(struct shared *shared)
{
	return copy_and_idle(shared, true);
}

static sem_t stuck;

/* Block like a logger that waits for the main thread. */
static void stick(char *text)
{
	(void)text;
	sem_post(&stuck);
	for (;;)
		pause();
}

/* Runs before main() in a re-executed process, because debug mode cannot change later. */
static void __attribute__((constructor)) forget_to_progress(void)
{
	const char *how = getenv("FORGET_TO_PROGRESS");
	struct doca_log_backend *backend;
	struct importer self;
	static char text[8];

	if (!how)
		return;
	if (importer_open(&self) || bed_copy(&self.bed, self.local, self.mem + LEN / 2, self.local,
					     self.mem, LEN / 2))
		_exit(1);
	while (!strcmp(how, "pause"))
		pause();
	if (sem_init(&stuck, 0, 0) ||
	    doca_log_backend_create_with_buf_sdk(text, sizeof(text), stick, &backend))
		_exit(1);
	sem_wait(&stuck);
	exit(0);
}

static pid_t begin_anew(const char *how, int err)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	dup2(err, STDERR_FILENO);
	setenv("FORGET_TO_PROGRESS", how, 1);
	setenv("DOCA_DEBUG", "1", 1);
	execl("/proc/self/exe", "idle", NULL);
	_exit(1);
}

TEST(debug_mode_tells_of_tasks_that_nobody_asks_for)
{
	bool told = false;
	char line[512];
	int fds[2];
	pid_t pid;
	FILE *err;

	ASSERT_EQ(0, pipe2(fds, O_CLOEXEC));
	pid = begin_anew("pause", fds[1]);
	close(fds[1]);
	err = fdopen(fds[0], "r");
	ASSERT_NE(NULL, err);
	while (!told && fgets(line, sizeof(line), err))
		told = strstr(line, "nobody has called doca_pe_progress()");
	EXPECT_TRUE(told);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fclose(err);
}

TEST(a_program_ends_while_its_log_is_stuck_in_what_debug_mode_tells)
{
	int status = -1;
	pid_t pid = begin_anew("exit", STDERR_FILENO);

	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* One thread is the program's own, and another obeys the test. */
TEST_F(ends, of_work_in_a_process_that_exports_nothing)
{
	pid_t pid = victim(self->shared, run_alone);
	int nr;

	if (!tells_calls())
		SKIP(goto out, "the kernel does not tell in which calls threads are");
	ASSERT_TRUE(load(&self->shared->ready));
	EXPECT_TRUE(comes_to_rest(pid, &nr));
	EXPECT_EQ(2 + bed_workers(), nr);
out:
	bury(self->shared, pid);
}

TEST_F(ends, of_work_in_two_that_are_connected)
{
	pid_t exporter = victim(self->shared, run_exporter);
	pid_t importer = victim(self->shared, run_importer);
	int nr;

	if (!tells_calls())
		SKIP(goto out, "the kernel does not tell in which calls threads are");
	ASSERT_TRUE(load(&self->shared->ready));
	EXPECT_TRUE(comes_to_rest(exporter, &nr));
	EXPECT_LT(2, nr);
	EXPECT_TRUE(comes_to_rest(importer, &nr));
	EXPECT_LT(2, nr);
out:
	bury(self->shared, exporter);
	bury(self->shared, importer);
}

TEST_HARNESS_MAIN
