// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What one user without privilege can have the kernel keep, by every call, over and
 * over until it is refused: no more than the documents say, all of it charged to its
 * control group, and none of it more than the driver counts.
 */
#include <sys/resource.h>

#include "../lib/cgroup.h"
#include "dm.h"
#include "exporter.h"
#include "kselftest_harness.h"

#define GROUP CGROUPS "/doca-greedy"
#define MIB (1L << 20)
#define BOUND (64 * MIB) /* beside rings */
#define MEMLOCK (8 * MIB)
/* Counters of the control group are exact to some pages for each CPU. */
#define NOISE (2 * MIB)

struct greed {
	struct doca d;
	struct buf buf;
	struct doca_blob blob;
	struct doca_dm_alloc dm;
	long rings; /* bytes, and those of device memory, which have limits of their own */
	int refused; /* negative errno */
};

static int more_files(struct greed *g)
{
	(void)g;
	return open(DOCA_NODE, O_RDWR | O_CLOEXEC) < 0 ? -errno : 0;
}

static int more_memories(struct greed *g)
{
	uint32_t mem;

	return mem_reg(g->d.fd, g->buf.addr, PAGE, ACCESS_LOCAL, &mem);
}

static int more_mappings(struct greed *g)
{
	uint32_t key;

	return mem_map(g->d.fd, g->buf.mem, g->d.device, ACCESS_LOCAL, &key);
}

static int more_exports(struct greed *g)
{
	struct doca_blob blob;

	return mem_export(g->d.fd, g->buf.key, 0, &blob, NULL);
}

static int more_imports(struct greed *g)
{
	return mem_import(g->d.fd, g->d.device, &g->blob, NULL);
}

static int more_workers(struct greed *g)
{
	uint32_t worker;

	return worker_create(g->d.fd, 0, &worker);
}

static int more_queues(struct greed *g, uint32_t entries, uint32_t waits)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = g->d.device,
		.sq_entries = entries,
		.cq_entries = entries,
		.nr_waits = waits,
	};
	int err = doca_call(g->d.fd, DOCA_QUEUE_CREATE, &arg);

	if (!err)
		g->rings += arg.out_user_size + arg.out_kernel_size;
	return err;
}

static int more_small_queues(struct greed *g)
{
	return more_queues(g, 1, 0);
}

static int more_large_queues(struct greed *g)
{
	return more_queues(g, 16384, 0);
}

static int more_waits(struct greed *g)
{
	return more_queues(g, 1, 1024);
}

static int more_dms(struct greed *g)
{
	struct doca_dm_alloc a;
	int err = dm_alloc(g->d.fd, g->d.device, 1, &a);

	if (!err)
		g->rings += PAGE;
	return err;
}

static int more_dm_imports(struct greed *g)
{
	struct doca_dm_import i;

	return dm_import(g->d.fd, g->d.device, g->dm.out_handle, &i);
}

/* Another file, with a table of keys that was filled once and has one key now */
static int more_tables(struct greed *g)
{
	struct doca d = { .device = g->d.device };
	uint32_t mem = 0, key;
	int err, i;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0)
		return -errno;
	err = mem_reg(d.fd, g->buf.addr, PAGE, ACCESS_LOCAL, &mem);
	for (i = 0; !err && i < 3000; i++)
		err = mem_map(d.fd, mem, d.device, ACCESS_LOCAL, &key);
	return mem_dereg(d.fd, mem) ?: err;
}

/* Another file, of whose exports one of 64 is left, each beside nothing */
static int more_lonely_exports(struct greed *g)
{
	enum { EXPORTS = 8192 };
	struct doca d = { .device = g->d.device };
	uint32_t *ids = calloc(EXPORTS, sizeof(*ids));
	struct doca_blob blob;
	struct buf b = {};
	int err, n = 0, i;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	err = d.fd < 0 ? -errno :
			 buf_make(&d, &b, PAGE, ACCESS_LOCAL | ACCESS_PCI);
	while (!err && n < EXPORTS) {
		err = mem_export(d.fd, b.key, 0, &blob, &ids[n]);
		n += !err;
	}
	for (i = 0; i < n; i++)
		if (i % 64)
			export_revoke(d.fd, ids[i]);
	free(ids);
	return err;
}

/* Of everything one, until none of them can be had */
static int more_of_all(struct greed *g)
{
	int (*const all[])(struct greed *g) = {
		more_files,   more_memories, more_mappings,	more_exports,
		more_imports, more_workers,  more_small_queues, more_waits,
		more_dms,     more_dm_imports,
	};
	int err = -EDQUOT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!all[i](g))
			err = 0;
	return err;
}

/* What the control group is charged; a process cannot be charged for less */
static long group_bytes(void)
{
	FILE *f = fopen(GROUP "/memory.current", "r");
	long bytes = -1;

	if (f) {
		if (fscanf(f, "%ld", &bytes) != 1)
			bytes = -1;
		fclose(f);
	}
	return bytes;
}

/* What the kernel has taken for itself in the whole machine */
static long kernel_bytes(void)
{
	return 1024 * (proc_value("/proc/meminfo", "Slab:") +
		       proc_value("/proc/meminfo", "KernelStack:"));
}

static long counted_bytes(const struct greed *g)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", g->d.fd);
	return proc_value(path, "doca-user-object-bytes:");
}

FIXTURE(greedy) {
	struct doca d;
};

FIXTURE_VARIANT(greedy) {
	int (*more)(struct greed *g);
	int times; /* 0: until it is refused */
};

#define GREEDY(what, ...) \
	FIXTURE_VARIANT_ADD(greedy, what) { more_##what, __VA_ARGS__ }

GREEDY(files, 0);
GREEDY(memories, 0);
GREEDY(mappings, 0);
GREEDY(exports, 0);
GREEDY(imports, 0);
GREEDY(workers, 0);
GREEDY(small_queues, 0);
GREEDY(large_queues, 0);
GREEDY(waits, 0);
GREEDY(dms, 0);
GREEDY(dm_imports, 0);
GREEDY(tables, 50);
GREEDY(lonely_exports, 4);
GREEDY(of_all, 0);

FIXTURE_SETUP(greedy)
{
	if (!group_make(GROUP, "+memory") || access(GROUP "/memory.current", R_OK))
		SKIP_SETUP("no cgroup of the second version that counts memory");
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(greedy)
{
	EXPECT_EQ(0, group_remove(GROUP));
	DOCA_CLOSE(&self->d);
}

/* In the control group, without privilege */
static int greed_begin(struct greed *g)
{
	const struct rlimit files = { 100000, 100000 };
	const struct rlimit locked = { MEMLOCK, MEMLOCK };

	if (!group_take(GROUP, getpid()) ||
	    setrlimit(RLIMIT_NOFILE, &files) ||
	    setrlimit(RLIMIT_MEMLOCK, &locked) || become_user(SOMEBODY))
		return -errno;
	return doca_open(&g->d) ?:
	       buf_make(&g->d, &g->buf, PAGE, ACCESS_LOCAL | ACCESS_PCI) ?:
	       mem_export(g->d.fd, g->buf.key, 0, &g->blob, NULL) ?:
	       dm_alloc(g->d.fd, g->d.device, PAGE, &g->dm);
}

/* Until it is refused, or it is clear that it would not be */
static int greed_go(struct greed *g, int (*more)(struct greed *g), int times)
{
	long begin = group_bytes();
	int err = 0, n;

	for (n = 0; !times || n < times; n++) {
		err = more(g);
		if (err)
			break;
		if (n % 256 == 255 &&
		    group_bytes() - begin > 3 * BOUND + g->rings)
			return n;
	}
	g->refused = err;
	return n;
}

/*
 * A kernel that checks itself adds to each object what it checks it by, of which the
 * driver knows nothing.
 */
static bool is_exact(void)
{
	return patiently(1) == 1;
}

TEST_F_TIMEOUT(greedy, has_a_bound, 120)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		long counted, charged, all;
		struct greed g = {};
		int n;

		ASSERT_EQ(0, greed_begin(&g));
		counted = counted_bytes(&g);
		charged = group_bytes();
		all = kernel_bytes();
		n = greed_go(&g, variant->more, variant->times);
		counted = counted_bytes(&g) - counted;
		charged = group_bytes() - charged;
		all = kernel_bytes() - all;
		TH_LOG("%d times: %ld KiB charged, %ld more in all, %ld counted, %ld of rings",
		       n, charged / 1024, (all + g.rings - charged) / 1024,
		       counted / 1024, g.rings / 1024);
		EXPECT_TRUE(g.refused || variant->times);
		/* By what there is, not by what it may do */
		EXPECT_NE(-EPERM, g.refused);
		if (is_exact()) {
			EXPECT_GT(BOUND + g.rings, charged);
			EXPECT_GT(charged + 4 * NOISE, all + g.rings);
			EXPECT_GT(counted + NOISE, charged - g.rings);
		}
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_HARNESS_MAIN
