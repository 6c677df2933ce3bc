// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Threads that work for a process: they are scheduled, stopped and ended with it, and
 * keep neither it nor another process that has its file from ending.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "counts.h"
#include "doca_ring.h"
#include "kselftest_harness.h"
#include "../lib/run_on.h"

/* A child's report on itself */
struct told {
	int fd, queue; /* its file, and its queue */
	pid_t worker;
	bool member;
};

FIXTURE(threads) {
	int ends[2];
};

FIXTURE_SETUP(threads)
{
	struct doca_query q;
	struct doca d;

	DOCA_OPEN(&d);
	ASSERT_EQ(0, query(d.fd, &q));
	if (!(q.out_features & DOCA_FEATURE_WORKER))
		SKIP_SETUP("workers are switched off");
	close(d.fd);
	ASSERT_EQ(0, pipe2(self->ends, O_CLOEXEC));
}

FIXTURE_TEARDOWN(threads)
{
	close(self->ends[0]);
	close(self->ends[1]);
}

/* In a child: start a worker, use it, and report it */
static void work(int out, uint32_t idle_us, struct doca *d, struct queue *q)
{
	struct told told = {};
	uint32_t worker;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (doca_open(d) || worker_create(d->fd, idle_us, &worker) ||
	    queue_open(q, d, worker, 8, 0) ||
	    queue_status(q, sqe_nop(1)) != DOCA_STATUS_SUCCESS)
		_exit(1);
	told.fd = d->fd;
	told.queue = q->fd;
	told.worker = worker_pid(q);
	told.member = worker_is_member(q);
	if (write(out, &told, sizeof(told)) != sizeof(told))
		_exit(1);
}

/* A child with a worker, which waits to be killed */
static pid_t child_start(FIXTURE_DATA(threads) *self, uint32_t idle_us, struct told *told)
{
	pid_t pid = fork();
	struct queue q;
	struct doca d;

	if (!pid) {
		setsid(); /* the scheduler treats a session as a group */
		work(self->ends[1], idle_us, &d, &q);
		for (;;)
			pause();
	}
	if (read(self->ends[0], told, sizeof(*told)) != sizeof(*told))
		return -1;
	return pid;
}

static int child_end(pid_t pid)
{
	kill(pid, SIGKILL);
	return child_wait(pid);
}

/* Check that the worker runs where its maker does, and is not more urgent */
static int policy_of_worker(FIXTURE_DATA(threads) *self, int policy, int nice)
{
	struct sched_param none = {};
	struct told told;
	cpu_set_t cpus;
	pid_t pid;
	int found;

	if (sched_setscheduler(0, policy, &none) || setpriority(PRIO_PROCESS, 0, nice))
		return -errno;
	pid = child_start(self, 0, &told);
	found = sched_getscheduler(told.worker);
	if (getpriority(PRIO_PROCESS, told.worker) != nice ||
	    sched_getaffinity(told.worker, sizeof(cpus), &cpus) ||
	    CPU_COUNT(&cpus) != 1 || !CPU_ISSET(0, &cpus))
		found = -EINVAL;
	child_end(pid);
	return found;
}

TEST_F(threads, inherit_the_scheduling_policy)
{
	run_on(0);
	EXPECT_EQ(SCHED_OTHER, policy_of_worker(self, SCHED_OTHER, 1));
	EXPECT_EQ(SCHED_BATCH, policy_of_worker(self, SCHED_BATCH, 2));
	EXPECT_EQ(SCHED_IDLE, policy_of_worker(self, SCHED_IDLE, 3));
}

static bool autogroup_of(pid_t pid, char name[64])
{
	char path[64];
	FILE *f;
	bool found;

	snprintf(path, sizeof(path), "/proc/%d/autogroup", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	found = fgets(name, 64, f);
	fclose(f);
	return found;
}

TEST_F(threads, share_the_time_of_their_session)
{
	char own[64], of_worker[64];
	struct told told;
	pid_t pid;

	pid = child_start(self, 0, &told);
	ASSERT_LT(0, pid);
	if (!autogroup_of(pid, own))
		SKIP(goto out, "no autogroups");
	if (!told.member)
		SKIP(goto out, "workers are the kernel's threads here");
	EXPECT_TRUE(autogroup_of(told.worker, of_worker));
	EXPECT_EQ(0, strcmp(own, of_worker))
		TH_LOG("%s and %s", own, of_worker);
out:
	child_end(pid);
}

/* Return the time that the worker of another process has polled, by its own account */
static long polled_ns(pid_t pid, const struct told *told)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, told->queue);
	return proc_value(path, "doca-worker-polling-ns:");
}

/* It polls all the time, but not while the process is stopped */
TEST_F(threads, stop_with_the_process)
{
	struct told told;
	pid_t pid, other;
	long ns;
	int i;

	pid = child_start(self, DOCA_IDLE_NEVER, &told);
	ASSERT_LT(0, pid);
	if (!told.member)
		SKIP(goto out, "workers are the kernel's threads here");
	ns = polled_ns(pid, &told);
	WAIT_UNTIL(polled_ns(pid, &told) > ns);
	kill(pid, SIGSTOP);
	ASSERT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
	WAIT_UNTIL(state_of(told.worker) == 'T');
	ns = polled_ns(pid, &told);
	/* While other processes live and die */
	for (i = 0; i < 20; i++) {
		other = fork();
		if (!other)
			_exit(0);
		EXPECT_EQ(0, child_wait(other));
	}
	EXPECT_EQ('T', state_of(told.worker));
	EXPECT_EQ(ns, polled_ns(pid, &told));
	kill(pid, SIGCONT);
	WAIT_UNTIL(polled_ns(pid, &told) > ns);
out:
	EXPECT_EQ(1000 + SIGKILL, child_end(pid));
	WAIT_UNTIL(!state_of(told.worker));
}

/* No close waits for a thread of a stopped process. */
TEST_F(threads, are_not_waited_for_where_they_may_be_stopped)
{
	struct told told;
	struct doca d;
	struct queue q;
	int go[2], fd;
	pid_t pid;

	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		work(self->ends[1], 0, &d, &q);
		if (read(go[0], &fd, 1) != 1)
			_exit(1);
		close(q.fd);
		close(d.fd);
		raise(SIGSTOP);
		for (;;)
			pause();
	}
	ASSERT_EQ(sizeof(told), read(self->ends[0], &told, sizeof(told)));
	fd = fd_of(pid, told.fd);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, write(go[1], "x", 1));
	ASSERT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
	EXPECT_EQ(0, close(fd));
	fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(1000 + SIGKILL, child_end(pid));
	WAIT_UNTIL(!state_of(told.worker));
	close(go[0]);
	close(go[1]);
}

/* Leave a child that holds the files of its parent, until the pipe is closed. */
static void heir_start(int go)
{
	char c;

	if (!fork())
		_exit(read(go, &c, 1));
}

/* Do not use exit_group(): the worker would be left alone, in a process without a thread. */
TEST_F(threads, end_with_the_last_thread_of_the_process)
{
	struct told told;
	struct doca d;
	struct queue q;
	int go[2];
	pid_t pid;

	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(go[1]);
		work(self->ends[1], DOCA_IDLE_NEVER, &d, &q);
		heir_start(go[0]);
		syscall(SYS_exit, 7);
	}
	ASSERT_EQ(sizeof(told), read(self->ends[0], &told, sizeof(told)));
	/* The exit code is that of the last thread */
	EXPECT_GT(256, child_wait(pid));
	WAIT_UNTIL(!state_of(told.worker));
	close(go[0]);
	close(go[1]);
}

/* Another process has the files, but not their own: nothing tells of its last thread. */
TEST_F(threads, end_with_the_last_descriptor_of_the_process)
{
	struct told told;
	struct doca d;
	struct queue q;
	int go[2];
	pid_t pid;

	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(go[1]);
		work(self->ends[1], DOCA_IDLE_NEVER, &d, &q);
		heir_start(go[0]);
		queue_close(&q);
		close(d.fd);
		syscall(SYS_exit, 7);
	}
	ASSERT_EQ(sizeof(told), read(self->ends[0], &told, sizeof(told)));
	EXPECT_GT(256, child_wait(pid));
	WAIT_UNTIL(!state_of(told.worker));
	close(go[0]);
	close(go[1]);
}

/* A process that executes another program keeps nothing of its own. */
TEST_F(threads, end_with_exec)
{
	char *const argv[] = { "sleep", "100", NULL };
	struct told told;
	struct doca d;
	struct queue q;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		work(self->ends[1], DOCA_IDLE_NEVER, &d, &q);
		fcntl(d.fd, F_SETFD, 0);
		fcntl(q.fd, F_SETFD, 0);
		execvp(argv[0], argv);
		_exit(2);
	}
	ASSERT_EQ(sizeof(told), read(self->ends[0], &told, sizeof(told)));
	WAIT_UNTIL(!state_of(told.worker));
	EXPECT_EQ(1000 + SIGKILL, child_end(pid));
}

static void *make_workers(void *turns)
{
	uint32_t worker;
	struct doca d;

	while (!doca_open(&d)) {
		if (!worker_create(d.fd, DOCA_IDLE_NEVER, &worker))
			worker_destroy(d.fd, worker);
		worker_create(d.fd, 0, &worker);
		close(d.fd);
		__atomic_fetch_add((uint32_t *)turns, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void let_it_turn(const uint32_t *turns, uint32_t times)
{
	uint32_t from = ring_load(turns);

	WAIT_UNTIL(ring_load(turns) - from >= times);
}

/* Stops, and at last the end, at any moment in the life of a worker */
TEST_F(threads, are_stopped_and_killed_at_any_moment)
{
	uint32_t seed = 4711, *turns, i;
	int status;
	pid_t pid;

	turns = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, turns);
	for (i = 0; i < rounds(30); i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			pthread_t thread;

			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pthread_create(&thread, NULL, make_workers, turns);
			make_workers(turns);
			_exit(1);
		}
		let_it_turn(turns, prng(&seed) % 8);
		spin(prng(&seed) % 100000);
		kill(pid, SIGSTOP);
		ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
		EXPECT_TRUE(WIFSTOPPED(status));
		if (i % 2) {
			kill(pid, SIGCONT);
			let_it_turn(turns, prng(&seed) % 3);
		}
		EXPECT_EQ(1000 + SIGKILL, child_end(pid));
	}
}

#define USERS 6
#define EACH 100
#define SOMEBODY 4711

/* In a child: make as many workers as several users may have, on one CPU; then stop */
static void make_a_crowd(int out)
{
	uint32_t worker;
	struct doca d;
	int i, fds[USERS];

	run_on(0);
	for (i = 0; i < USERS * EACH; i++) {
		if (!(i % EACH)) {
			setresuid(SOMEBODY + i / EACH, 0, 0);
			if (doca_open(&d))
				_exit(1);
			fds[i / EACH] = d.fd;
		}
		if (worker_create(d.fd, 0, &worker))
			_exit(1);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (write(out, fds, sizeof(fds)) != sizeof(fds))
		_exit(1);
	raise(SIGSTOP); /* let others take them */
	for (i = 0; i < USERS; i++)
		close(fds[i]);
	raise(SIGSTOP);
	for (;;)
		pause();
}

/* Make and destroy a worker in a process: no end of another one's may delay it */
static int have_a_worker(void)
{
	pid_t pid = fork();
	uint32_t worker;
	struct doca d;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(doca_open(&d) || worker_create(d.fd, 0, &worker) ||
		      worker_destroy(d.fd, worker));
	}
	return child_wait(pid);
}

/* Their names show the first process of the namespace: 1, and nothing else */
static bool names_are_known_here(void)
{
	DIR *dir = opendir("/proc/self/task");
	char path[300], name[32];
	struct dirent *entry;
	bool known = true;
	FILE *f;
	int nr;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(name, sizeof(name), f) && sscanf(name, "doca-%d", &nr) == 1)
			known &= nr == getpid();
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return known;
}

/* The name of a worker tells its process to those that see the process. */
TEST_F(threads, are_named_as_their_namespace_knows_them)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		struct queue q;
		struct doca d;

		if (unshare(CLONE_NEWPID))
			_exit(2);
		pid = fork();
		if (pid)
			_exit(child_wait(pid));
		work(self->ends[1], 0, &d, &q);
		_exit(names_are_known_here() ? 0 : 3);
	}
	EXPECT_EQ(0, child_wait(pid));
}

/* Find a kernel thread that waits for the end of another; 0 if there is none */
static pid_t find_reaper(void)
{
	char path[300], name[32] = "";
	struct dirent *entry;
	pid_t found = 0;
	DIR *dir = opendir("/proc");
	FILE *f;

	while (dir && !found && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(name, sizeof(name), f) && !strncmp(name, "doca-reaper", 11))
			found = atoi(entry->d_name);
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* The kernel complains of a task that waits for minutes without waking up. */
static bool is_awake_now_and_then(pid_t reaper)
{
	long sleeps = sleeps_of(reaper);

	WAIT_UNTIL(sleeps_of(reaper) != sleeps);
	return sleeps_of(reaper) > sleeps;
}

/* Ends of some workers, stopped in the middle, must not delay those of others. */
TEST_F_TIMEOUT(threads, leave_without_each_other, 120)
{
	int fds[USERS], mine[USERS], i;
	bool seen = false;
	pid_t pid = fork(), reaper;

	ASSERT_LE(0, pid);
	if (!pid)
		make_a_crowd(self->ends[1]);
	ASSERT_EQ(sizeof(fds), read(self->ends[0], fds, sizeof(fds)));
	ASSERT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
	for (i = 0; i < USERS; i++) {
		mine[i] = fd_of(pid, fds[i]);
		ASSERT_LE(0, mine[i]);
	}
	kill(pid, SIGCONT);
	ASSERT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
	for (i = 0; i < USERS; i++)
		EXPECT_EQ(0, close(mine[i]));
	for (i = 0; i < 10; i++) {
		kill(pid, SIGCONT);
		spin(i * 100000);
		kill(pid, SIGSTOP);
		ASSERT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
		ASSERT_EQ(0, have_a_worker());
		reaper = seen ? 0 : find_reaper();
		seen |= reaper && is_awake_now_and_then(reaper);
	}
	EXPECT_EQ(1000 + SIGKILL, child_end(pid));
}

static int allow_workers(char value)
{
	int fd = open("/sys/module/doca/parameters/workers", O_WRONLY);
	int ret = fd < 0 || write(fd, &value, 1) != 1 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

static bool has_workers(int fd)
{
	struct doca_query query = { .size = sizeof(query) };

	return !ioctl(fd, DOCA_QUERY, &query) &&
	       query.out_features & DOCA_FEATURE_WORKER;
}

/* It may be changed at any time, and applies to workers made later. */
TEST(parameter)
{
	uint32_t worker;
	struct doca d;

	DOCA_OPEN(&d);
	if (!has_workers(d.fd))
		SKIP(return, "needs workers");
	ASSERT_EQ(0, allow_workers('N'));
	EXPECT_FALSE(has_workers(d.fd));
	EXPECT_EQ(-EOPNOTSUPP, worker_create(d.fd, 0, &worker));
	EXPECT_EQ(0, allow_workers('Y'));
	EXPECT_TRUE(has_workers(d.fd));
	EXPECT_EQ(0, worker_create(d.fd, 0, &worker));
	DOCA_CLOSE(&d);
}

TEST_HARNESS_MAIN
