// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Limits of one user, set by the module's parameters, which belong to root */
#include "exporter.h"
#include "namespace.h"
#include "stock.h"
#include "kselftest_harness.h"

#define PARAMETERS "/sys/module/doca/parameters/"
#define LIMIT 2

FIXTURE(limits) {
	struct stock s;
	char was[32];
};

FIXTURE_VARIANT(limits) {
	const char *path;
	int (*one)(struct stock *s);
	int had; /* number in the stock */
	unsigned long unit;
};

#define LIMITED(what, ...) \
	FIXTURE_VARIANT_ADD(limits, what) { PARAMETERS "max_" #what, __VA_ARGS__ }
/* Objects that share the limit of others */
#define LIMITED_AS(what, limit, ...) \
	FIXTURE_VARIANT_ADD(limits, what) { PARAMETERS "max_" #limit, __VA_ARGS__ }

LIMITED(files, one_file, 1, 1);
LIMITED(memories, one_memory, 1, 1);
LIMITED(mappings, one_mapping, 1, 1);
LIMITED(workers, one_worker, 0, 1);
LIMITED(queues, one_queue, 0, 1);
LIMITED(ring_bytes, one_queue, 0, 2 * PAGE);
LIMITED(waits, one_wait, 0, 1);
LIMITED(exports, one_export, 1, 1);
LIMITED(imports, one_import, 0, 1);
LIMITED(dm_bytes, one_dm, 1, PAGE);
LIMITED(objects, one_object, 0, 1);
LIMITED_AS(dm_imports, imports, one_dm_import, 0, 1);

static bool set_limit(const char *path, unsigned long limit)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", limit);
	return write_to(path, text);
}

FIXTURE_SETUP(limits)
{
	FILE *f;

	DOCA_OPEN(&self->s.d);
	close(self->s.d.fd);
	ASSERT_EQ(0, stock_up(&self->s));
	f = fopen(variant->path, "r");
	ASSERT_NE(NULL, f);
	ASSERT_NE(NULL, fgets(self->was, sizeof(self->was), f));
	fclose(f);
}

FIXTURE_TEARDOWN(limits)
{
	EXPECT_TRUE(write_to(variant->path, self->was));
	DOCA_CLOSE(&self->s.d);
}

TEST_F(limits, of_each_user)
{
	int err = variant->one(&self->s);
	pid_t pid;

	if (err == -EOPNOTSUPP)
		SKIP(return, "workers are switched off");
	ASSERT_EQ(0, err);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct stock s;
		int n = variant->had;

		/* The real user is charged; the effective one still has all rights */
		ASSERT_EQ(0, setresuid(SOMEBODY, 0, 0));
		ASSERT_EQ(0, stock_up_alone(&s));
		ASSERT_TRUE(set_limit(variant->path, LIMIT * variant->unit));
		while (!(err = variant->one(&s)))
			n++;
		EXPECT_EQ(-EDQUOT, err);
		EXPECT_EQ(LIMIT, n);
		/* Another user has its own account, and root sets the limit */
		ASSERT_TRUE(set_limit(variant->path, (LIMIT + 1) * variant->unit));
		EXPECT_EQ(0, variant->one(&s));
		EXPECT_EQ(-EDQUOT, variant->one(&s));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		EXPECT_FALSE(set_limit(variant->path, 1000 * variant->unit));
		EXPECT_EQ(EACCES, errno);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	/* One was made before, and the limit is three by now */
	EXPECT_EQ(0, variant->one(&self->s));
}

/* When all objects of a user take as much memory as they may, no call makes more. */
TEST(bytes_of_all_objects)
{
	int (*const ones[])(struct stock *s) = {
		one_file, one_memory, one_mapping, one_worker, one_queue,
		one_wait, one_export, one_import, one_dm, one_dm_import,
		one_object,
	};
	char was[32] = "";
	struct doca d;
	FILE *f;
	pid_t pid;
	size_t i;

	DOCA_OPEN(&d);
	f = fopen(PARAMETERS "max_object_bytes", "r");
	ASSERT_NE(NULL, f);
	ASSERT_NE(NULL, fgets(was, sizeof(was), f));
	fclose(f);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct stock s;

		ASSERT_EQ(0, setresuid(SOMEBODY, 0, 0));
		ASSERT_EQ(0, stock_up_alone(&s));
		ASSERT_TRUE(set_limit(PARAMETERS "max_object_bytes", 1));
		for (i = 0; i < ARRAY_SIZE(ones); i++) {
			int err = ones[i](&s);

			EXPECT_TRUE(err == -EDQUOT || err == -EOPNOTSUPP)
				TH_LOG("%zu: %d", i, err);
		}
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_TRUE(write_to(PARAMETERS "max_object_bytes", was));
	DOCA_CLOSE(&d);
}

/* A user has one account, in whatever user namespace it opens files */
TEST(of_each_user_in_all_namespaces)
{
	struct doca d;
	long before;
	pid_t pid;

	DOCA_OPEN(&d);
	/* Files of the case before may just be ending */
	WAIT_UNTIL(fdinfo_value(d.fd, "doca-user-files") == 1);
	before = 1;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca inner;

		if (become_root_of_a_namespace())
			_exit(HARNESS_EXIT_SKIP);
		ASSERT_EQ(0, doca_open(&inner));
		EXPECT_EQ(before + 1, fdinfo_value(d.fd, "doca-user-files"));
		EXPECT_EQ(before + 1, fdinfo_value(inner.fd, "doca-user-files"));
		CHILD_EXIT();
	}
	CHILD_MAY_SKIP(pid, "no user namespaces");
	DOCA_CLOSE(&d);
}

TEST_HARNESS_MAIN
