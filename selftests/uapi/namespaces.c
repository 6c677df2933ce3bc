// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Exports and limits across user namespaces: who has made one is all-powerful in
 * there, and no more than before out here.
 */
#include <sched.h>
#include <sys/resource.h>

#include "exporter.h"
#include "kselftest_harness.h"

FIXTURE(namespaces) {
	struct doca d;
	struct exporter e, any;
	struct buf buf;
};

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

/* With all capabilities, in a namespace of one's own where one is root */
static bool become_root_of_ones_own(void)
{
	char map[32];

	snprintf(map, sizeof(map), "0 %d 1", geteuid());
	return !unshare(CLONE_NEWUSER) &&
	       write_file("/proc/self/uid_map", map) && geteuid() == 0;
}

static bool namespaces_work(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(setresuid(SOMEBODY, SOMEBODY, SOMEBODY) ||
		      unshare(CLONE_NEWUSER));
	return !child_wait(pid);
}

FIXTURE_SETUP(namespaces)
{
	signal(SIGPIPE, SIG_IGN);
	self->e.sock = -1;
	self->any.sock = -1;
	if (!namespaces_work())
		SKIP_SETUP("no user namespaces");
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(namespaces)
{
	EXPECT_EQ(0, setresuid(0, 0, 0));
	close(self->e.sock);
	close(self->any.sock);
	while (wait(NULL) > 0)
		;
	DOCA_CLOSE(&self->d);
}

static int import_from(const struct doca *d, const struct exporter *e)
{
	return mem_import(d->fd, d->device, &e->blob, NULL);
}

/* As the parent's user, and root: it is still another namespace than the exporter's */
TEST_F(namespaces, importer_is_root_of_its_own)
{
	const struct role any = { .access = plain.access,
				  .flags = DOCA_EXPORT_ANY_USER };
	pid_t pid;

	ASSERT_TRUE(exporter_start(&self->e, &plain));
	ASSERT_TRUE(exporter_start(&self->any, &any));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_TRUE(become_root_of_ones_own());
		EXPECT_EQ(-EACCES, import_from(&d, &self->e));
		EXPECT_EQ(0, import_from(&d, &self->any));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

/* Processes that may trace the exporter may import: the namespace's owner, and capabilities */
TEST_F(namespaces, exporter_is_in_its_own)
{
	const struct role role = { .access = plain.access,
				   .uid = SOMEBODY,
				   .unshared = true };

	ASSERT_TRUE(exporter_start(&self->e, &role));
	EXPECT_EQ(0, import_from(&self->d, &self->e));
	ASSERT_EQ(0, setresuid(-1, SOMEBODY, 0));
	EXPECT_EQ(0, import_from(&self->d, &self->e));
	ASSERT_EQ(0, setresuid(-1, 0, 0));
	ASSERT_EQ(0, setresuid(-1, SOMEBODY + 1, 0));
	EXPECT_EQ(-EACCES, import_from(&self->d, &self->e));
	ASSERT_EQ(0, setresuid(-1, 0, 0));
	ASSERT_EQ(0, drop_capability(CAP_SYS_PTRACE));
	EXPECT_EQ(-EACCES, import_from(&self->d, &self->e));
	EXPECT_EQ(0, exporter_end(&self->e));
}

/* The same user in two namespaces, neither of which is in the other */
TEST_F(namespaces, siblings)
{
	const struct role role = { .access = plain.access,
				   .uid = SOMEBODY,
				   .unshared = true };
	pid_t pid;

	ASSERT_TRUE(exporter_start(&self->e, &role));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		ASSERT_EQ(0, import_from(&d, &self->e));
		ASSERT_EQ(0, unshare(CLONE_NEWUSER));
		EXPECT_EQ(-EACCES, import_from(&d, &self->e));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

struct offer {
	const struct doca *d;
	const struct buf *buf;
	struct doca_blob blob;
};

static int export_in_there(void *arg)
{
	struct offer *o = arg;

	return -mem_export(o->d->fd, o->buf->key, 0, &o->blob, NULL);
}

/* An export of which the namespace is gone is for those who were above it */
TEST_F(namespaces, gone)
{
	static uint8_t stack[16 * PAGE] __attribute__((aligned(16)));
	struct offer o = { .d = &self->d, .buf = &self->buf };
	struct doca *d = &self->d;
	pid_t pid;

	ASSERT_EQ(0, buf_make(d, &self->buf, LENGTH, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, setresuid(-1, SOMEBODY, 0));
	/* No thread, but of the same address space, which lives on */
	pid = clone(export_in_there, stack + sizeof(stack),
		    CLONE_VM | CLONE_NEWUSER | SIGCHLD, &o);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, child_wait(pid));
	EXPECT_EQ(0, mem_import(d->fd, d->device, &o.blob, NULL));
	ASSERT_EQ(0, setresuid(-1, 0, 0));
	EXPECT_EQ(0, mem_import(d->fd, d->device, &o.blob, NULL));
	ASSERT_EQ(0, setresuid(-1, SOMEBODY + 1, 0));
	EXPECT_EQ(-EACCES, mem_import(d->fd, d->device, &o.blob, NULL));
	ASSERT_EQ(0, setresuid(-1, 0, 0));
	EXPECT_EQ(0, mem_dereg(d->fd, self->buf.mem));
}

/* CAP_IPC_LOCK in there lifts no limit */
TEST_F(namespaces, limit_of_memory)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		const struct rlimit none = {};
		struct buf buf;
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &none));
		ASSERT_EQ(0, buf_make(&d, &buf, PAGE, ACCESS_LOCAL));
		ASSERT_TRUE(become_root_of_ones_own());
		EXPECT_EQ(-ENOMEM, buf_make(&d, &buf, PAGE, ACCESS_LOCAL));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

static long files_of_the_user(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return proc_value(path, "doca-user-files:");
}

/* There is one account of a user, wherever it opens files */
TEST_F(namespaces, limits_of_objects)
{
	long before = files_of_the_user(self->d.fd);
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_TRUE(become_root_of_ones_own());
		ASSERT_EQ(0, doca_open(&d));
		EXPECT_EQ(before + 1, files_of_the_user(self->d.fd));
		EXPECT_EQ(before + 1, files_of_the_user(d.fd));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_HARNESS_MAIN
