// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory that must not be read, and memory that must not be written */
#include <grp.h>
#include <sys/stat.h>

#include "exporter.h"
#include "kselftest_harness.h"

FIXTURE(secrets) {
	struct doca d;
	struct buf buf;
	struct queue q;
};

FIXTURE_SETUP(secrets)
{
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, 2 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open_waits(&self->q, &self->d, 0, 16, 1));
}

FIXTURE_TEARDOWN(secrets)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* The node belongs to root and its group alone */
TEST_F(secrets, node)
{
	struct stat st;
	pid_t pid;

	ASSERT_EQ(0, stat(DOCA_NODE, &st));
	EXPECT_EQ(S_IFCHR | 0660, st.st_mode);
	EXPECT_EQ(0, st.st_uid);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		ASSERT_EQ(0, setgroups(0, NULL));
		ASSERT_EQ(0, setresgid(SOMEBODY, SOMEBODY, SOMEBODY));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		EXPECT_EQ(-1, open(DOCA_NODE, O_RDWR));
		EXPECT_EQ(EACCES, errno);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

static ssize_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, text, size - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return n < 0 ? -errno : n;
}

static bool tells(const char *text, const void *addr)
{
	char hex[32], decimal[32];

	snprintf(hex, sizeof(hex), "%lx", (uintptr_t)addr);
	snprintf(decimal, sizeof(decimal), "%lu", (uintptr_t)addr);
	return strcasestr(text, hex) || strstr(text, decimal) ||
	       strcasestr(text, "ffff8") || strcasestr(text, "ffffc9");
}

/* It reveals addresses neither of the process nor of the kernel */
TEST_F(secrets, fdinfo_has_no_addresses)
{
	const int fds[] = { self->d.fd, self->q.fd };
	char path[64], text[4096];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fds[i]);
		ASSERT_LT(0, read_text(path, text, sizeof(text)));
		EXPECT_NE(NULL, strstr(text, "doca-file:"));
		EXPECT_FALSE(tells(text, self->buf.addr));
		EXPECT_FALSE(tells(text, self->q.user));
		EXPECT_FALSE(tells(text, self->q.kernel));
	}
}

TEST_F(secrets, fdinfo_is_not_for_others)
{
	char path[64], text[4096];
	pid_t pid;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", getpid(), self->q.fd);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		ASSERT_LT(0, read_text(path, text, sizeof(text)));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		EXPECT_EQ(-EACCES, read_text(path, text, sizeof(text)));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

/*
 * A program cannot write what the kernel writes for it, neither as a debugger does nor
 * through the driver itself.
 */
TEST_F(secrets, kernel_area_cannot_be_written)
{
	struct doca_ring_kernel before = *self->q.kernel;
	void *kernel = (void *)self->q.kernel;
	struct buf ring = { .addr = kernel };
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	uint32_t word = 4711;

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, pwrite(fd, &word, sizeof(word), (uintptr_t)kernel));
	close(fd);
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, kernel, PAGE, ACCESS_LOCAL, &ring.mem));
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, kernel, PAGE,
				   DOCA_ACCESS_LOCAL_READ |
					   DOCA_ACCESS_PCI_WRITE, &ring.mem));
	if (!mem_reg(self->d.fd, kernel, PAGE, DOCA_ACCESS_LOCAL_READ, &ring.mem)) {
		EXPECT_EQ(-EACCES, mem_map(self->d.fd, ring.mem, self->d.device,
					   ACCESS_LOCAL, &ring.key));
		ASSERT_EQ(0, mem_map(self->d.fd, ring.mem, self->d.device,
				     DOCA_ACCESS_LOCAL_READ, &ring.key));
		EXPECT_EQ(0, memcmp(&before, kernel, sizeof(before)));
		EXPECT_EQ(DOCA_STATUS_BAD_ACCESS,
			  queue_status(&self->q,
				       sqe_copy(seg_of(&ring, 0, 64),
						seg_of(&self->buf, 0, 64))));
	} else {
		EXPECT_EQ(0, memcmp(&before, kernel, sizeof(before)));
	}
}

/* A refused operation does not reveal the value that was there */
TEST_F(secrets, refused_operations_tell_nothing)
{
	const uint16_t waits[] = { DOCA_OP_SYNC_WAIT_GT, DOCA_OP_SYNC_WAIT_EQ,
				   DOCA_OP_SYNC_WAIT_NE };
	struct doca_seg seg = seg_of(&self->buf, 0, 8);
	struct doca_sqe sqe[2 + ARRAY_SIZE(waits)];
	struct doca_cqe cqe;
	size_t i;

	memset(self->buf.addr, 0xff, 64);
	ASSERT_EQ(0, mem_map(self->d.fd, self->buf.mem, self->d.device,
			     DOCA_ACCESS_LOCAL_WRITE, &seg.key));
	sqe[0] = sqe_sync_get(seg);
	sqe[1] = sqe_sync_write(DOCA_OP_SYNC_ADD, seg, 1);
	for (i = 0; i < ARRAY_SIZE(waits); i++)
		sqe[2 + i] = sqe_sync_wait(waits[i], seg, 1, UINT64_MAX);
	for (i = 0; i < ARRAY_SIZE(sqe); i++) {
		struct queue q;

		ASSERT_EQ(0, queue_open_waits(&q, &self->d, 0, 2, 1));
		ASSERT_EQ(0, queue_do(&q, sqe[i], &cqe));
		EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, cqe.status);
		EXPECT_EQ(0, cqe.length);
		EXPECT_EQ(0, cqe.result[0]);
		EXPECT_EQ(0, cqe.result[1]);
		queue_close(&q);
	}
	EXPECT_EQ(0xff, self->buf.addr[0]);
}

TEST_HARNESS_MAIN
