// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What control groups do to a process in the midst of its work with the driver: no
 * memory is left, it is frozen, it is killed. Nothing remains of it, and whom it
 * shares memory with does not feel it.
 */
#include <sys/prctl.h>
#include <sys/stat.h>

#include "exporter.h"
#include "kselftest_harness.h"

#define CGROUPS "/sys/fs/cgroup"
#define GROUP CGROUPS "/doca-cgroup"
#define LIMIT (16UL << 20)

FIXTURE(cgroup) {
	struct doca d;
};

static bool write_to(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, word, strlen(word)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

static bool group_take(pid_t pid)
{
	char word[16];

	snprintf(word, sizeof(word), "%d", pid);
	return write_to(GROUP "/cgroup.procs", word);
}

static bool group_freeze(void)
{
	uint64_t end = now_ns() + WAIT_NS;

	if (!write_to(GROUP "/cgroup.freeze", "1"))
		return false;
	while (proc_value(GROUP "/cgroup.events", "frozen") != 1) {
		if (now_ns() > end)
			return false;
		pause_us(1000);
	}
	return true;
}

/* There is no more memory than @bytes, swapped or not. */
static bool group_limit(unsigned long bytes)
{
	char word[32];

	snprintf(word, sizeof(word), "%lu", bytes);
	/* Where there is no swap there is no limit to it. */
	write_to(GROUP "/memory.swap.max", "0");
	return write_to(GROUP "/memory.max", word);
}

FIXTURE_SETUP(cgroup)
{
	signal(SIGPIPE, SIG_IGN);
	write_to(CGROUPS "/cgroup.subtree_control", "+memory");
	if (mkdir(GROUP, 0755) || access(GROUP "/memory.max", W_OK))
		SKIP_SETUP("no cgroup of the second version with a limit of memory");
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(cgroup)
{
	uint64_t end = now_ns() + WAIT_NS;

	while (rmdir(GROUP) && errno == EBUSY && now_ns() < end)
		pause_us(1000);
	EXPECT_NE(0, access(GROUP, F_OK));
	DOCA_CLOSE(&self->d);
}

/* More than there may be: pages are found one by one while they are pinned. */
static int register_too_much(struct doca *d)
{
	uint32_t mem;

	return mem_reg(d->fd, pages_alloc(4 * LIMIT), 4 * LIMIT, ACCESS_LOCAL,
		       &mem);
}

/* Rings, whose memory is the kernel's */
static int make_too_many_queues(struct doca *d)
{
	struct queue q;
	int i, err = 0;

	for (i = 0; !err && i < 64; i++)
		err = queue_open(&q, d, 0, 8192, 0);
	return err;
}

/* Its exit status, or 1000 and the signal that killed it */
static int in_group(int (*use)(struct doca *d))
{
	struct doca d;
	pid_t pid = fork();

	if (pid)
		return child_wait(pid);
	if (!group_take(getpid()) || doca_open(&d))
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

/* The exporter is killed for want of memory while what it has pinned is used. */
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
	ASSERT_TRUE(group_take(e.pid));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	EXPECT_EQ(0, copy_in(&q, &buf, in.out_key, e.addr));
	ASSERT_EQ(1, write(e.sock, "m", 1));
	while (!copy_in(&q, &buf, in.out_key, e.addr))
		;
	EXPECT_EQ(DOCA_QUEUE_FLUSH, q.kernel->state);
	EXPECT_EQ(1000 + SIGKILL, child_wait(e.pid));
	EXPECT_EQ(-ENOKEY, mem_import(self->d.fd, self->d.device, &e.blob,
				      NULL));
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

/* What a worker uses is charged to the group of who made it. */
TEST_F(cgroup, worker_is_in_the_group)
{
	pid_t pid = fork(), worker;
	char path[64];
	int status;

	ASSERT_LE(0, pid);
	if (!pid) {
		struct queue q;
		struct doca d;
		uint32_t id;
		int err;

		ASSERT_TRUE(group_take(getpid()));
		ASSERT_EQ(0, doca_open(&d));
		err = worker_create(d.fd, 0, &id);
		if (err == -EOPNOTSUPP)
			_exit(HARNESS_EXIT_SKIP);
		ASSERT_EQ(0, err);
		ASSERT_EQ(0, queue_open(&q, &d, id, 2, 0));
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", q.fd);
		worker = proc_value(path, "doca-worker-pid:");
		snprintf(path, sizeof(path), "/proc/%d/cgroup", worker);
		EXPECT_TRUE(is_in_group(path));
		CHILD_EXIT();
	}
	status = child_wait(pid);
	if (status == HARNESS_EXIT_SKIP)
		SKIP(return, "workers are switched off");
	EXPECT_EQ(0, status);
}

/* A frozen exporter's memory can be used, and it can die. */
TEST_F(cgroup, exporter_is_frozen)
{
	struct doca_mem_import in;
	struct exporter e;
	struct buf buf;
	struct queue q;

	ASSERT_EQ(0, buf_make(&self->d, &buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 16, 0));
	ASSERT_TRUE(exporter_start(&e, &plain));
	ASSERT_TRUE(group_take(e.pid));
	ASSERT_TRUE(group_freeze());
	EXPECT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	EXPECT_EQ(0, copy_in(&q, &buf, in.out_key, e.addr));
	EXPECT_EQ(0, exporter_kill(&e));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY,
		  copy_in(&q, &buf, in.out_key, e.addr));
	close(e.sock);
	queue_close(&q);
}

/* Uses the parent's memory until it is killed */
static void import_and_copy(const struct doca_blob *blob, bool worker, int sock)
{
	struct mode mode = { .worker = worker, .idle_us = DOCA_IDLE_NEVER };
	struct doca_mem_import in;
	struct buf buf;
	struct queue q;
	struct doca d;
	uint32_t id;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (doca_open(&d) || mode_worker(&d, &mode, &id) ||
	    buf_make(&d, &buf, LENGTH, ACCESS_LOCAL) ||
	    queue_open(&q, &d, id, 16, 0) ||
	    mem_import(d.fd, d.device, blob, &in))
		_exit(1);
	while (!queue_status(&q, sqe_copy(seg_of(&buf, 0, PAGE),
					  seg_at(in.out_key,
						 (void *)in.out_addr, PAGE))))
		if (sock >= 0 && write(sock, "x", 1) == 1)
			sock = -1;
	for (;;)
		pause();
}

/* A frozen importer does not keep the owner of the memory from ending it. */
static void freeze_importer(struct __test_metadata *_metadata, struct doca *d,
			    bool worker)
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
		import_and_copy(&blob, worker, pipe_fds[1]);
	close(pipe_fds[1]);
	ASSERT_EQ(1, read(pipe_fds[0], &c, 1));
	ASSERT_TRUE(group_take(pid));
	ASSERT_TRUE(group_freeze());
	EXPECT_EQ(0, mem_dereg(d->fd, buf.mem));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	close(pipe_fds[0]);
}

TEST_F(cgroup, importer_is_frozen)
{
	freeze_importer(_metadata, &self->d, false);
}

TEST_F(cgroup, importer_with_a_worker_is_frozen)
{
	struct doca_query q;

	ASSERT_EQ(0, query(self->d.fd, &q));
	if (!(q.out_features & DOCA_FEATURE_WORKER))
		SKIP(return, "workers are switched off");
	freeze_importer(_metadata, &self->d, true);
}

TEST_HARNESS_MAIN
