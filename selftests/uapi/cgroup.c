// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Control groups act on a process in the middle of its work with the driver: it runs out
 * of memory, is frozen, or is killed. Nothing of it remains, and the processes that share
 * memory with it do not notice.
 */
#include <sched.h>
#include <sys/prctl.h>

#include "../lib/cgroup.h"
#include "counts.h"
#include "exporter.h"
#include "kselftest_harness.h"

#define GROUP CGROUPS "/doca-cgroup"
#define LIMIT (16UL << 20)

FIXTURE(cgroup) {
	struct doca d;
};

static bool group_thaw(void)
{
	return write_to(GROUP "/cgroup.freeze", "0");
}

static bool group_freeze(void)
{
	if (!write_to(GROUP "/cgroup.freeze", "1"))
		return false;
	WAIT_UNTIL(proc_value(GROUP "/cgroup.events", "frozen") == 1);
	return true;
}

/* Limit the memory to @bytes, swapped or not. */
static bool group_limit(unsigned long bytes)
{
	char word[32];

	snprintf(word, sizeof(word), "%lu", bytes);
	/* Without swap, there is no limit to set. */
	write_to(GROUP "/memory.swap.max", "0");
	return write_to(GROUP "/memory.max", word);
}

FIXTURE_SETUP(cgroup)
{
	signal(SIGPIPE, SIG_IGN);
	if (!group_make(GROUP, "+memory") || access(GROUP "/memory.max", W_OK))
		SKIP_SETUP("no cgroup of the second version with a limit of memory");
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(cgroup)
{
	EXPECT_EQ(0, group_remove(GROUP));
	DOCA_CLOSE(&self->d);
}

/* Register too much: pages run out while they are pinned one by one. */
static int register_too_much(struct doca *d)
{
	uint32_t mem;

	return mem_reg(d->fd, pages_alloc(4 * LIMIT), 4 * LIMIT, ACCESS_LOCAL, &mem);
}

/* Make rings, whose memory belongs to the kernel */
static int make_too_many_queues(struct doca *d)
{
	struct queue q;
	int i, err = 0;

	for (i = 0; !err && i < 64; i++)
		err = queue_open(&q, d, 0, 8192, 0);
	return err;
}

/* Write to each page of the largest table: it comes by that, and is charged then. */
static int touch_a_table(struct doca *d)
{
	struct doca_query caps;
	struct queue q;
	uint32_t i;
	int err;

	err = query(d->fd, &caps) ?: queue_open(&q, d, 0, 8, caps.out_max_queue_segments);
	if (err)
		return err;
	for (i = 0; i < caps.out_max_queue_segments; i += PAGE / sizeof(*q.segs))
		q.segs[i].length = 1;
	return 0;
}

/* Run in the group; return the exit status, or 1000 plus the signal that killed it */
static int in_group(int (*use)(struct doca *d))
{
	struct doca d;
	pid_t pid = fork();

	if (pid)
		return child_wait(pid);
	if (!group_take(GROUP, getpid()) || doca_open(&d))
		_exit(1);
	_exit(-use(&d));
}

#define EXPECT_OUT_OF_MEMORY(result)                                           \
	do {                                                                   \
		int result_ = (result);                                        \
                                                                               \
		EXPECT_TRUE(result_ == ENOMEM || result_ == EFAULT ||          \
			    result_ == 1000 + SIGKILL)                         \
			TH_LOG("%d", result_);                                 \
	} while (0)

TEST_F(cgroup, without_memory_to_register)
{
	ASSERT_TRUE(group_limit(LIMIT));
	EXPECT_OUT_OF_MEMORY(in_group(register_too_much));
}

TEST_F(cgroup, without_memory_for_queues)
{
	ASSERT_TRUE(group_limit(LIMIT));
	EXPECT_OUT_OF_MEMORY(in_group(make_too_many_queues));
}

/* A fault cannot fail, unlike a call. */
TEST_F(cgroup, without_memory_for_a_touched_table)
{
	ASSERT_TRUE(group_limit(LIMIT));
	EXPECT_EQ(1000 + SIGKILL, in_group(touch_a_table));
}

/* The exporter runs out of memory and is killed while its pinned pages are in use. */
TEST_F(cgroup, exporter_is_killed_for_its_memory)
{
	struct doca_mem_import in;
	struct exporter e;
	struct buf buf;
	struct queue q;

	ASSERT_EQ(0, buf_make(&self->d, &buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 16, 0));
	ASSERT_TRUE(exporter_start(&e, &plain));
	ASSERT_TRUE(group_limit(LIMIT));
	ASSERT_TRUE(group_take(GROUP, e.pid));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	EXPECT_EQ(0, copy_in(&q, &buf, in.out_key, e.addr));
	ASSERT_EQ(1, write(e.sock, "m", 1));
	while (!copy_in(&q, &buf, in.out_key, e.addr))
		;
	EXPECT_EQ(DOCA_QUEUE_FLUSH, q.kernel->state);
	EXPECT_EQ(1000 + SIGKILL, child_wait(e.pid));
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &e.blob, NULL));
	close(e.sock);
	queue_close(&q);
}

static bool is_in_group(const char *path)
{
	char line[256] = "";
	FILE *f = fopen(path, "r");
	bool found = false;

	while (f && fgets(line, sizeof(line), f))
		found |= !!strstr(line, strrchr(GROUP, '/'));
	if (f)
		fclose(f);
	return found;
}

/* Everything that a worker uses is charged to its creator's group. */
TEST_F(cgroup, worker_is_in_the_group)
{
	pid_t pid = fork(), worker;
	char path[64];

	ASSERT_LE(0, pid);
	if (!pid) {
		struct queue q;
		struct doca d;
		uint32_t id;
		int err;

		ASSERT_TRUE(group_take(GROUP, getpid()));
		ASSERT_EQ(0, doca_open(&d));
		err = worker_create(d.fd, 0, &id);
		if (err == -EOPNOTSUPP)
			_exit(HARNESS_EXIT_SKIP);
		ASSERT_EQ(0, err);
		ASSERT_EQ(0, queue_open(&q, &d, id, 2, 0));
		worker = worker_pid(&q);
		snprintf(path, sizeof(path), "/proc/%d/cgroup", worker);
		EXPECT_TRUE(is_in_group(path));
		CHILD_EXIT();
	}
	CHILD_MAY_SKIP(pid, "workers are switched off");
}

/* Run in a child that ends while its own child, which holds all its files, lives */
static void leave_an_heir(int go)
{
	uint32_t worker;
	struct queue q;
	struct doca d;
	char c;

	if (!group_take(GROUP, getpid()) || doca_open(&d) ||
	    worker_create(d.fd, DOCA_IDLE_NEVER, &worker) ||
	    queue_open(&q, &d, worker, 2, 0))
		_exit(1);
	if (!fork()) {
		if (!group_take(CGROUPS, getpid()))
			kill(getppid(), SIGKILL);
		kill(getppid(), SIGTERM);
		if (read(go, &c, 1) < 0)
			_exit(1);
		_exit(0);
	}
	for (;;)
		pause();
}

/* A process that holds the file of a dead one does not keep the dead one's group alive. */
static int make_executors(void)
{
	struct doca d;
	struct queue q;
	uint32_t id;
	int err;

	err = doca_open(&d) ?: queue_open_waits(&q, &d, 0, 16, 1);
	if (err)
		return err;
	err = worker_create(d.fd, 0, &id);
	return err == -EOPNOTSUPP ? 0 : err;
}

/* In a cpuset only a privileged process may move a thread of the kernel. */
TEST_F(cgroup, of_an_ordinary_user_with_a_cpuset)
{
	pid_t pid;

	if (!write_to(CGROUPS "/cgroup.subtree_control", "+cpuset"))
		SKIP(return, "no cpuset");
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		ASSERT_TRUE(group_take(GROUP, getpid()));
		ASSERT_EQ(0, become_user(SOMEBODY));
		EXPECT_EQ(0, make_executors());
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_F(cgroup, of_the_dead_can_be_removed)
{
	struct doca_query q;
	int go[2];
	pid_t pid;

	ASSERT_EQ(0, query(self->d.fd, &q));
	if (!(q.out_features & DOCA_FEATURE_WORKER))
		SKIP(return, "workers are switched off");
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		close(go[1]);
		leave_an_heir(go[0]);
	}
	EXPECT_EQ(1000 + SIGTERM, child_wait(pid));
	EXPECT_EQ(0, group_remove(GROUP));
	close(go[0]);
	close(go[1]);
}

struct follower {
	pid_t pid;
	pid_t worker;
	bool member;
};

/* Start a child in the group, with a worker */
static bool follower_start(struct follower *f)
{
	struct {
		pid_t worker;
		bool member;
	} told = {};
	int ends[2];
	bool made;

	if (pipe(ends))
		return false;
	f->pid = fork();
	if (!f->pid) {
		uint32_t worker;
		struct queue q;
		struct doca d;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!group_take(GROUP, getpid()) || doca_open(&d))
			_exit(1);
		if (!worker_create(d.fd, 0, &worker) && !queue_open(&q, &d, worker, 2, 0)) {
			told.worker = worker_pid(&q);
			told.member = worker_is_member(&q);
		}
		if (write(ends[1], &told, sizeof(told)) != sizeof(told))
			_exit(1);
		for (;;)
			pause();
	}
	made = read(ends[0], &told, sizeof(told)) == sizeof(told);
	close(ends[0]);
	close(ends[1]);
	f->worker = told.worker;
	f->member = told.member;
	return made;
}

TEST_F(cgroup, worker_follows_its_process)
{
	struct follower f;
	char path[64];

	ASSERT_TRUE(follower_start(&f));
	if (!f.worker || !f.member)
		SKIP(goto out, "no workers, or they are the kernel's threads");
	snprintf(path, sizeof(path), "/proc/%d/cgroup", f.worker);
	EXPECT_TRUE(is_in_group(path));
	EXPECT_TRUE(group_take(CGROUPS, f.pid));
	EXPECT_FALSE(is_in_group(path));
	EXPECT_TRUE(group_take(GROUP, f.pid));
	EXPECT_TRUE(is_in_group(path));
	EXPECT_TRUE(group_freeze());
	EXPECT_TRUE(group_thaw());
out:
	EXPECT_EQ(0, kill(f.pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, child_wait(f.pid));
}

/* Begin waits for values that never come, without a worker, and sleep */
static void wait_in_vain(int out)
{
	enum { QUEUES = 4, WAITS = 1024 };
	struct queue q[QUEUES];
	struct buf buf;
	struct doca d;
	int i, j;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!group_take(GROUP, getpid()) || doca_open(&d) || buf_make(&d, &buf, PAGE, ACCESS_LOCAL))
		_exit(1);
	for (i = 0; i < QUEUES; i++) {
		if (queue_open_waits(&q[i], &d, 0, WAITS, WAITS))
			_exit(1);
		for (j = 0; j < WAITS; j++)
			queue_push(&q[i],
				   sqe_sync_wait(DOCA_OP_SYNC_WAIT_GT,
						 seg_of(&buf, 0, 8), 0,
						 UINT64_MAX));
		if (queue_publish(&q[i]))
			_exit(1);
	}
	if (write(out, "x", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static long cpu_stat(const char *name)
{
	return proc_value(GROUP "/cpu.stat", name);
}

/* The time that others spend on polling its waits is charged to the group, and limited. */
TEST_F(cgroup, waits_are_looked_at_within_its_time)
{
	long used, throttled;
	int ends[2];
	pid_t pid;
	char c;

	write_to(CGROUPS "/cgroup.subtree_control", "+cpu");
	if (!write_to(GROUP "/cpu.max", "max"))
		SKIP(return, "no limit of CPU time");
	ASSERT_EQ(0, pipe(ends));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		wait_in_vain(ends[1]);
	close(ends[1]);
	ASSERT_EQ(1, read(ends[0], &c, 1));
	WAIT_UNTIL(state_of(pid) == 'S');
	/* The process sleeps for ever, but its group uses time. */
	used = cpu_stat("usage_usec");
	WAIT_UNTIL(cpu_stat("usage_usec") > used + 20000);
	/* the smallest limit */
	ASSERT_TRUE(write_to(GROUP "/cpu.max", "1000 1000000"));
	throttled = cpu_stat("nr_throttled");
	WAIT_UNTIL(cpu_stat("nr_throttled") > throttled);
	EXPECT_EQ('S', state_of(pid));
	EXPECT_TRUE(write_to(GROUP "/cpu.max", "max"));
	close(ends[0]);
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
}

TEST_F(cgroup, worker_keeps_to_the_cpus_of_the_group)
{
	struct follower f;
	cpu_set_t cpus;

	write_to(CGROUPS "/cgroup.subtree_control", "+cpuset");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || !write_to(GROUP "/cpuset.cpus", "0-1"))
		SKIP(return, "no cpusets, or one CPU only");
	ASSERT_TRUE(follower_start(&f));
	if (!f.worker)
		SKIP(goto out, "workers are switched off");
	EXPECT_TRUE(write_to(GROUP "/cpuset.cpus", "1"));
	ASSERT_EQ(0, sched_getaffinity(f.worker, sizeof(cpus), &cpus));
	EXPECT_FALSE(CPU_ISSET(0, &cpus));
	EXPECT_TRUE(CPU_ISSET(1, &cpus));
	EXPECT_TRUE(write_to(GROUP "/cpuset.cpus", "0"));
	ASSERT_EQ(0, sched_getaffinity(f.worker, sizeof(cpus), &cpus));
	EXPECT_TRUE(CPU_ISSET(0, &cpus));
	EXPECT_FALSE(CPU_ISSET(1, &cpus));
out:
	EXPECT_EQ(0, kill(f.pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, child_wait(f.pid));
}

/* The memory of a frozen exporter can be used, and the exporter can die. */
TEST_F(cgroup, exporter_is_frozen)
{
	struct doca_mem_import in;
	struct exporter e;
	struct buf buf;
	struct queue q;

	ASSERT_EQ(0, buf_make(&self->d, &buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 16, 0));
	ASSERT_TRUE(exporter_start(&e, &plain));
	ASSERT_TRUE(group_take(GROUP, e.pid));
	ASSERT_TRUE(group_freeze());
	EXPECT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	EXPECT_EQ(0, copy_in(&q, &buf, in.out_key, e.addr));
	EXPECT_EQ(0, exporter_kill(&e));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, copy_in(&q, &buf, in.out_key, e.addr));
	close(e.sock);
	queue_close(&q);
}

/* A frozen importer does not keep the owner of the memory from ending the export. */
static void freeze_importer(struct __test_metadata *_metadata, struct doca *d,
			    const struct mode *mode)
{
	struct doca_blob blob;
	int pipe_fds[2];
	struct buf buf;
	pid_t pid;
	char c;

	ASSERT_EQ(0, buf_make(d, &buf, LENGTH, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(d->fd, buf.key, 0, &blob, NULL));
	ASSERT_EQ(0, pipe(pipe_fds));
	pid = fork();
	if (!pid)
		import_and_copy(&blob, mode, pipe_fds[1]);
	close(pipe_fds[1]);
	ASSERT_EQ(1, read(pipe_fds[0], &c, 1));
	ASSERT_TRUE(group_take(GROUP, pid));
	ASSERT_TRUE(group_freeze());
	EXPECT_EQ(0, mem_dereg(d->fd, buf.mem));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	close(pipe_fds[0]);
}

TEST_F(cgroup, importer_is_frozen)
{
	freeze_importer(_metadata, &self->d, &(struct mode){});
}

TEST_F(cgroup, importer_with_a_worker_is_frozen)
{
	struct doca_query q;

	ASSERT_EQ(0, query(self->d.fd, &q));
	if (!(q.out_features & DOCA_FEATURE_WORKER))
		SKIP(return, "workers are switched off");
	freeze_importer(_metadata, &self->d, &(struct mode){ true, DOCA_IDLE_NEVER });
}

TEST_HARNESS_MAIN
