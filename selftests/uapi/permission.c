// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Imports of another process's export: allowed by the user, by capabilities, and across user
 * namespaces. The maker of a namespace has all rights in there, and no more than before outside.
 */
#include "exporter.h"
#include "namespace.h"
#include "kselftest_harness.h"

FIXTURE(permission) {
	struct doca d;
	struct exporter e, any;
	struct buf buf;
};

FIXTURE_SETUP(permission)
{
	signal(SIGPIPE, SIG_IGN);
	self->e.sock = -1;
	self->any.sock = -1;
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(permission)
{
	EXPECT_EQ(0, setresuid(0, 0, 0));
	close(self->e.sock);
	close(self->any.sock);
	while (wait(NULL) > 0)
		;
	DOCA_CLOSE(&self->d);
}

static const struct role any_user = { .access = ACCESS_LOCAL | ACCESS_PCI,
				      .flags = DOCA_EXPORT_ANY_USER };
static const struct role somebody = { .access = ACCESS_LOCAL | ACCESS_PCI, .uid = SOMEBODY };
static const struct role apart = { .access = ACCESS_LOCAL | ACCESS_PCI,
				   .uid = SOMEBODY,
				   .unshared = true };

static int import_from(const struct doca *d, const struct doca_blob *blob)
{
	return mem_import(d->fd, d->device, blob, NULL);
}

/* Import as an effective user; the real one is root, and can go back */
static int import_as(FIXTURE_DATA(permission) *self, const struct doca_blob *blob, uid_t euid)
{
	int err;

	if (setresuid(-1, euid, 0))
		return -errno;
	err = import_from(&self->d, blob);
	return setresuid(-1, 0, 0) ? -errno : err;
}

TEST_F(permission, another_user)
{
	ASSERT_TRUE(exporter_start(&self->e, &plain));
	EXPECT_EQ(-EACCES, import_as(self, &self->e.blob, SOMEBODY));
	EXPECT_EQ(0, exporter_end(&self->e));
}

TEST_F(permission, same_user)
{
	ASSERT_TRUE(exporter_start(&self->e, &somebody));
	EXPECT_EQ(0, import_as(self, &self->e.blob, SOMEBODY));
	EXPECT_EQ(-EACCES, import_as(self, &self->e.blob, SOMEBODY + 1));
	EXPECT_EQ(0, exporter_end(&self->e));
}

TEST_F(permission, any_user)
{
	ASSERT_TRUE(exporter_start(&self->e, &any_user));
	EXPECT_EQ(0, import_as(self, &self->e.blob, SOMEBODY));
	EXPECT_EQ(0, exporter_end(&self->e));
}

TEST_F(permission, capability)
{
	ASSERT_TRUE(exporter_start(&self->e, &somebody));
	EXPECT_EQ(0, import_as(self, &self->e.blob, 0));
	ASSERT_EQ(0, drop_capability(CAP_SYS_PTRACE));
	EXPECT_EQ(-EACCES, import_as(self, &self->e.blob, 0));
	EXPECT_EQ(0, exporter_end(&self->e));
}

static bool namespaces_work(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(setresuid(SOMEBODY, SOMEBODY, SOMEBODY) || unshare(CLONE_NEWUSER));
	return !child_wait(pid);
}

/* The parent's user, and root, but in another namespace than the exporter */
TEST_F(permission, importer_is_root_of_its_own_namespace)
{
	pid_t pid;

	ASSERT_TRUE(exporter_start(&self->e, &plain));
	ASSERT_TRUE(exporter_start(&self->any, &any_user));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		if (become_root_of_a_namespace())
			_exit(HARNESS_EXIT_SKIP);
		EXPECT_EQ(-EACCES, import_from(&d, &self->e.blob));
		EXPECT_EQ(0, import_from(&d, &self->any.blob));
		CHILD_EXIT();
	}
	CHILD_MAY_SKIP(pid, "no user namespaces");
}

/* Processes that may trace the exporter may import: the namespace's owner, and capabilities */
TEST_F(permission, exporter_is_in_its_own_namespace)
{
	if (!namespaces_work())
		SKIP(return, "no user namespaces");
	ASSERT_TRUE(exporter_start(&self->e, &apart));
	EXPECT_EQ(0, import_as(self, &self->e.blob, 0));
	EXPECT_EQ(0, import_as(self, &self->e.blob, SOMEBODY));
	EXPECT_EQ(-EACCES, import_as(self, &self->e.blob, SOMEBODY + 1));
	ASSERT_EQ(0, drop_capability(CAP_SYS_PTRACE));
	EXPECT_EQ(-EACCES, import_as(self, &self->e.blob, 0));
	EXPECT_EQ(0, exporter_end(&self->e));
}

/* One user in two namespaces, neither within the other */
TEST_F(permission, siblings)
{
	pid_t pid;

	if (!namespaces_work())
		SKIP(return, "no user namespaces");
	ASSERT_TRUE(exporter_start(&self->e, &apart));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		ASSERT_EQ(0, import_from(&d, &self->e.blob));
		ASSERT_EQ(0, unshare(CLONE_NEWUSER));
		EXPECT_EQ(-EACCES, import_from(&d, &self->e.blob));
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

/* If its namespace is gone, users of the namespaces above may import the export */
TEST_F(permission, namespace_is_gone)
{
	static uint8_t stack[16 * PAGE] __attribute__((aligned(16)));
	struct offer o = { .d = &self->d, .buf = &self->buf };
	struct doca *d = &self->d;
	pid_t pid;

	if (!namespaces_work())
		SKIP(return, "no user namespaces");
	ASSERT_EQ(0, buf_make(d, &self->buf, LENGTH, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, setresuid(-1, SOMEBODY, 0));
	/* A process that shares the address space, which lives on */
	pid = clone(export_in_there, stack + sizeof(stack), CLONE_VM | CLONE_NEWUSER | SIGCHLD, &o);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, child_wait(pid));
	EXPECT_EQ(0, import_as(self, &o.blob, SOMEBODY));
	EXPECT_EQ(0, import_as(self, &o.blob, 0));
	EXPECT_EQ(-EACCES, import_as(self, &o.blob, SOMEBODY + 1));
	EXPECT_EQ(0, mem_dereg(d->fd, self->buf.mem));
}

TEST_HARNESS_MAIN
