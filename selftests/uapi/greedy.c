// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One unprivileged user makes the kernel keep as much as it can, by every call, over and
 * over until it is refused: it gets no more than documented, all of it charged to its
 * control group, and no more than the driver counts.
 */
#include <sys/resource.h>

#include "../lib/cgroup.h"
#include "../lib/first_byte.h"
#include "exporter.h"
#include "pair.h"
#include "stock.h"
#include "kselftest_harness.h"

#define GROUP CGROUPS "/doca-greedy"
#define MIB (1L << 20)
#define BOUND (64 * MIB) /* besides rings */
#define MEMLOCK (8 * MIB)
/* Counters of the control group are exact to some pages for each CPU. */
#define NOISE (2 * MIB)

static int large_queue(struct stock *s)
{
	return one_queue_of(s, 16384, 0);
}

static int many_waits(struct stock *s)
{
	return one_queue_of(s, 1, 1024);
}

/* Open another file, with a table of keys that was full once and has one key now */
static int one_table(struct stock *s)
{
	struct doca d = { .device = s->d.device };
	uint32_t mem = 0, key;
	int err, i;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0)
		return -errno;
	err = mem_reg(d.fd, s->buf.addr, PAGE, ACCESS_LOCAL, &mem);
	for (i = 0; !err && i < 3000; i++)
		err = mem_map(d.fd, mem, d.device, ACCESS_LOCAL, &key);
	return mem_dereg(d.fd, mem) ?: err;
}

/* Open another file, and keep only one of 64 exports, so that its neighbours are free */
static int lonely_exports(struct stock *s)
{
	enum { EXPORTS = 8192 };
	struct doca d = { .device = s->d.device };
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

/* Queues of a server and a client, with as much room for events as there can be */
static struct {
	struct pair pair;
	int server, client;
} channel;

static int large_inbox(struct stock *s, uint32_t device, int *fd)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = device,
		.sq_entries = 1,
		.cq_entries = 1,
		.opcodes = 1 << DOCA_OP_MSG_SEND,
		.inbox_entries = 32768,
		.recv_slots = 1,
		.slot_size = 64,
	};
	int err = doca_call(s->d.fd, DOCA_QUEUE_CREATE, &arg);

	*fd = arg.out_fd;
	if (!err)
		s->rings += arg.out_user_size + arg.out_kernel_size;
	return err;
}

static int one_inbox(struct stock *s)
{
	int fd;

	return large_inbox(s, channel.pair.dpu, &fd);
}

static int one_connection(struct stock *s)
{
	uint32_t connection;
	int err = 0;

	if (!channel.client)
		err = large_inbox(s, channel.pair.dpu, &channel.server) ?:
		      queue_listen(channel.server, channel.pair.function, "greedy", 64) ?:
		      large_inbox(s, channel.pair.host, &channel.client);
	return err ?: queue_connect(channel.client, "greedy", 64, &connection);
}

/* Each has a queue, with the smallest inbox, and an endpoint that is a producer */
static int one_producer(struct stock *s)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = channel.pair.dpu,
		.sq_entries = 1,
		.cq_entries = 1,
		.opcodes = 1 << DOCA_OP_SEND_TO,
		.inbox_entries = 2,
	};
	int err = channel.client ? 0 : one_connection(s);

	err = err ?: doca_call(s->d.fd, DOCA_QUEUE_CREATE, &arg);
	if (err)
		return err;
	s->rings += arg.out_user_size + arg.out_kernel_size;
	return queue_attach(arg.out_fd, channel.server, 1, DOCA_ATTACH_PRODUCER, 0, 0, NULL);
}

/* Make one of everything, until all are refused */
static int one_of_all(struct stock *s)
{
	int (*const all[])(struct stock *s) = {
		one_file,   one_memory, one_mapping, one_export, one_import,
		one_worker, one_queue,	many_waits,  one_dm,	 one_dm_import,
		one_inbox,  one_connection, one_object,
	};
	int err = -EDQUOT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!all[i](s))
			err = 0;
	return err;
}

/* Return the bytes charged to the control group; a process cannot be charged for less */
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

/* Return the bytes that the kernel uses for itself in the whole machine */
static long kernel_bytes(void)
{
	return 1024 * (proc_value("/proc/meminfo", "Slab:") +
		       proc_value("/proc/meminfo", "KernelStack:"));
}

static long counted_bytes(const struct stock *s)
{
	return fdinfo_value(s->d.fd, "doca-user-object-bytes");
}

FIXTURE(greedy) {
	struct doca d;
};

FIXTURE_VARIANT(greedy) {
	int (*more)(struct stock *s);
	int times; /* 0: until it is refused */
};

#define GREEDY(what, ...) FIXTURE_VARIANT_ADD(greedy, what) { __VA_ARGS__ }

GREEDY(files, one_file, 0);
GREEDY(memories, one_memory, 0);
GREEDY(mappings, one_mapping, 0);
GREEDY(exports, one_export, 0);
GREEDY(imports, one_import, 0);
GREEDY(workers, one_worker, 0);
GREEDY(small_queues, one_queue, 0);
GREEDY(large_queues, large_queue, 0);
GREEDY(waits, many_waits, 0);
GREEDY(dms, one_dm, 0);
GREEDY(dm_imports, one_dm_import, 0);
GREEDY(objects, one_object, 0);
GREEDY(tables, one_table, 50);
GREEDY(lonely_exports, lonely_exports, 4);
GREEDY(inboxes, one_inbox, 0);
GREEDY(connections, one_connection, 0);
GREEDY(producers, one_producer, DOCA_MAX_ATTACHED);
GREEDY(of_all, one_of_all, 0);

FIXTURE_SETUP(greedy)
{
	if (!group_make(GROUP, "+memory") || access(GROUP "/memory.current", R_OK))
		SKIP_SETUP("no cgroup of the second version that counts memory");
	ASSERT_EQ(0, pair_make(&channel.pair, true));
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(greedy)
{
	EXPECT_EQ(0, group_remove(GROUP));
	EXPECT_EQ(0, pair_end());
	DOCA_CLOSE(&self->d);
}

/* Enter the control group, and drop privileges */
static int greed_begin(struct stock *s)
{
	const struct rlimit files = { 100000, 100000 };
	const struct rlimit locked = { MEMLOCK, MEMLOCK };

	if (!group_take(GROUP, getpid()) || setrlimit(RLIMIT_NOFILE, &files) ||
	    setrlimit(RLIMIT_MEMLOCK, &locked) || become_user(SOMEBODY))
		return -errno;
	return stock_up_alone(s);
}

/* Go on until it is refused, or obviously never will be; return how often, and the error */
static int greed_go(struct stock *s, int (*more)(struct stock *s), int times, int *refused)
{
	long begin = group_bytes();
	int n;

	for (n = 0; !times || n < times; n++) {
		*refused = more(s);
		if (*refused || (n % 256 == 255 && group_bytes() - begin > 3 * BOUND + s->rings))
			break;
	}
	return n;
}

/* A kernel with checks, or red zones, adds data to each object that the driver does not know of. */
static bool is_exact(void)
{
	return access("/sys/kernel/debug/kmemleak", F_OK) &&
	       access("/sys/kernel/debug/kcsan", F_OK) &&
	       first_byte("/sys/kernel/slab/kmalloc-64/red_zone") != '1';
}

TEST_F_TIMEOUT(greedy, has_a_bound, 120)
{
	bool exact = is_exact(); /* the child may not look */
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		long counted, charged, all;
		struct stock s = {};
		int n, refused = 0;

		ASSERT_EQ(0, greed_begin(&s));
		counted = counted_bytes(&s);
		charged = group_bytes();
		all = kernel_bytes();
		n = greed_go(&s, variant->more, variant->times, &refused);
		counted = counted_bytes(&s) - counted;
		charged = group_bytes() - charged;
		all = kernel_bytes() - all;
		TH_LOG("%d times: %ld KiB charged, %ld more in all, %ld counted, %ld of rings",
		       n, charged / 1024, (all + s.rings - charged) / 1024,
		       counted / 1024, s.rings / 1024);
		EXPECT_TRUE(refused || variant->times);
		/* The refusal is for the amount, not for a missing permission */
		EXPECT_NE(-EPERM, refused);
		if (exact) {
			EXPECT_GT(BOUND + s.rings, charged);
			EXPECT_GT(charged + 4 * NOISE, all + s.rings);
			EXPECT_GT(counted + NOISE, charged - s.rings);
		}
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_HARNESS_MAIN
