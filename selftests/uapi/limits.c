// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What one user may have of everything, by the module's parameters, which are root's;
 * and whose CPU time a worker takes.
 */
#include <sched.h>
#include <sys/resource.h>

#include "dm.h"
#include "exporter.h"
#include "kselftest_harness.h"

#define PARAMETERS "/sys/module/doca/parameters/"
#define LIMIT 2

/* The smallest queue: one page for each area */
static int make_queue(struct doca *d, uint32_t waits)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = d->device,
		.sq_entries = 1,
		.cq_entries = 1,
		.nr_waits = waits,
	};

	return doca_call(d->fd, DOCA_QUEUE_CREATE, &arg);
}

/* Each makes one more; what it needs was made before there was a limit */
struct stock {
	struct doca d;
	struct buf buf;
	struct doca_blob blob;
	struct doca_dm_alloc dm;
};

static int one_file(struct stock *s)
{
	(void)s;
	return open(DOCA_NODE, O_RDWR | O_CLOEXEC) < 0 ? -errno : 0;
}

static int one_memory(struct stock *s)
{
	uint32_t mem;

	return mem_reg(s->d.fd, s->buf.addr, PAGE, ACCESS_LOCAL, &mem);
}

static int one_mapping(struct stock *s)
{
	uint32_t key;

	return mem_map(s->d.fd, s->buf.mem, s->d.device, ACCESS_LOCAL, &key);
}

static int one_worker(struct stock *s)
{
	uint32_t worker;

	return worker_create(s->d.fd, 0, &worker);
}

static int one_queue(struct stock *s)
{
	return make_queue(&s->d, 0);
}

static int one_wait(struct stock *s)
{
	return make_queue(&s->d, 1);
}

static int one_export(struct stock *s)
{
	struct doca_blob blob;

	return mem_export(s->d.fd, s->buf.key, 0, &blob, NULL);
}

static int one_import(struct stock *s)
{
	return mem_import(s->d.fd, s->d.device, &s->blob, NULL);
}

static int one_dm(struct stock *s)
{
	struct doca_dm_alloc a;

	return dm_alloc(s->d.fd, s->d.device, 1, &a);
}

static int one_dm_import(struct stock *s)
{
	struct doca_dm_import i;

	return dm_import(s->d.fd, s->d.device, s->dm.out_handle, &i);
}

static int stock_up(struct stock *s)
{
	int err = doca_open(&s->d);

	if (!err)
		err = buf_make(&s->d, &s->buf, PAGE, ACCESS_LOCAL | ACCESS_PCI);
	if (!err)
		err = mem_export(s->d.fd, s->buf.key, 0, &s->blob, NULL);
	if (!err)
		err = dm_alloc(s->d.fd, s->d.device, PAGE, &s->dm);
	return err;
}

FIXTURE(limits) {
	struct stock s;
	char was[32];
};

FIXTURE_VARIANT(limits) {
	const char *path;
	int (*one)(struct stock *s);
	int had; /* of the stock */
	unsigned long unit;
};

#define LIMITED(what, ...) \
	FIXTURE_VARIANT_ADD(limits, what) { PARAMETERS "max_" #what, __VA_ARGS__ }
/* Where the limit of others holds, too */
#define LIMITED_AS(what, limit, ...)                                           \
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
LIMITED_AS(dm_imports, imports, one_dm_import, 0, 1);

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

static bool set_limit(const char *path, unsigned long limit)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", limit);
	return write_text(path, text);
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
	EXPECT_TRUE(write_text(variant->path, self->was));
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

		/* The real user is charged; the effective one may still do all */
		ASSERT_EQ(0, setresuid(SOMEBODY, 0, 0));
		ASSERT_EQ(0, stock_up(&s));
		ASSERT_TRUE(set_limit(variant->path, LIMIT * variant->unit));
		while (!(err = variant->one(&s)))
			n++;
		EXPECT_EQ(-EDQUOT, err);
		EXPECT_EQ(LIMIT, n);
		/* Another user has its own account, and the limit is root's */
		ASSERT_TRUE(set_limit(variant->path,
				      (LIMIT + 1) * variant->unit));
		EXPECT_EQ(0, variant->one(&s));
		EXPECT_EQ(-EDQUOT, variant->one(&s));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		EXPECT_FALSE(set_limit(variant->path, 1000 * variant->unit));
		EXPECT_EQ(EACCES, errno);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	/* One was made before, and there may be three by now */
	EXPECT_EQ(0, variant->one(&self->s));
}

/* Where all that a user has takes as much memory as it may, no call makes more. */
TEST(bytes_of_all_objects)
{
	int (*const ones[])(struct stock *s) = {
		one_file, one_memory, one_mapping, one_worker, one_queue,
		one_wait, one_export, one_import, one_dm, one_dm_import,
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
		ASSERT_EQ(0, stock_up(&s));
		ASSERT_TRUE(write_text(PARAMETERS "max_object_bytes", "1"));
		for (i = 0; i < ARRAY_SIZE(ones); i++) {
			int err = ones[i](&s);

			EXPECT_TRUE(err == -EDQUOT || err == -EOPNOTSUPP)
				TH_LOG("%zu: %d", i, err);
		}
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_TRUE(write_text(PARAMETERS "max_object_bytes", was));
	DOCA_CLOSE(&d);
}

/* A worker runs where who made it does, and no more urgently */
TEST(workers_are_of_their_maker)
{
	uint32_t worker;
	struct queue q;
	cpu_set_t cpus, of_worker;
	struct doca d;
	pid_t pid;
	int err;

	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpus), &cpus));
	ASSERT_EQ(0, setpriority(PRIO_PROCESS, 0, 7));
	DOCA_OPEN(&d);
	err = worker_create(d.fd, 0, &worker);
	if (err == -EOPNOTSUPP)
		SKIP(goto out, "workers are switched off");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, queue_open(&q, &d, worker, 2, 0));
	pid = worker_pid(&q);
	ASSERT_LT(0, pid);
	EXPECT_EQ(7, getpriority(PRIO_PROCESS, pid));
	ASSERT_EQ(0, sched_getaffinity(pid, sizeof(of_worker), &of_worker));
	EXPECT_TRUE(CPU_EQUAL(&cpus, &of_worker));
	queue_close(&q);
out:
	DOCA_CLOSE(&d);
}

TEST_HARNESS_MAIN
