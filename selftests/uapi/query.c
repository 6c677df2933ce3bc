// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The general rules of the calls, one by one for every call, and DOCA_QUERY.
 *
 * Each call has a variant with a function that makes a correct argument for it; each test
 * spoils one part of it.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

/* An argument with room behind it */
union arg {
	uint32_t size;
	uint32_t word[3 * PAGE / 4];
	uint8_t byte[3 * PAGE];
	struct doca_query query;
	struct doca_device_query device_query;
	struct doca_mem_reg reg;
	struct doca_object_create object_create;
	struct doca_object_destroy destroy;
	struct doca_mem_map map;
	struct doca_mem_unmap unmap;
	struct doca_mem_export export;
	struct doca_mem_import import;
	struct doca_worker_create worker_create;
	struct doca_queue_create queue_create;
	struct doca_queue_enter enter;
	struct doca_queue_stop stop;
};

/* Objects that correct arguments name */
struct world {
	struct doca d;
	struct buf buf;
	struct doca_blob blob, spare;
	struct queue queue;
};

static int fill_query(struct world *w, union arg *arg)
{
	(void)w;
	(void)arg;
	return 0;
}

static int fill_device_query(struct world *w, union arg *arg)
{
	arg->device_query.device_id = w->d.device;
	arg->device_query.opcode = DOCA_OP_MEMCPY;
	return 0;
}

static int fill_reg(struct world *w, union arg *arg)
{
	arg->reg.addr = (uintptr_t)w->buf.addr;
	arg->reg.length = PAGE;
	arg->reg.access = DOCA_ACCESS_LOCAL_READ;
	return 0;
}

static int fill_dereg(struct world *w, union arg *arg)
{
	arg->destroy.type = DOCA_OBJECT_MEMORY;
	return mem_reg(w->d.fd, w->buf.addr, PAGE, DOCA_ACCESS_LOCAL_READ, &arg->destroy.id);
}

static int fill_object_create(struct world *w, union arg *arg)
{
	arg->object_create.device_id = w->d.device;
	arg->object_create.type = DOCA_OBJECT_GF_MATRIX;
	arg->object_create.data = (uintptr_t)w->buf.addr;
	arg->object_create.length = 2;
	arg->object_create.rows = 1;
	arg->object_create.columns = 2;
	return 0;
}

static int fill_map(struct world *w, union arg *arg)
{
	arg->map.mem_id = w->buf.mem;
	arg->map.device_id = w->d.device;
	arg->map.access = DOCA_ACCESS_LOCAL_READ;
	return 0;
}

static int fill_unmap(struct world *w, union arg *arg)
{
	return mem_map(w->d.fd, w->buf.mem, w->d.device, DOCA_ACCESS_LOCAL_READ, &arg->unmap.key);
}

static int fill_export(struct world *w, union arg *arg)
{
	arg->export.key = w->buf.key;
	arg->export.blob_size = sizeof(w->spare);
	arg->export.blob = (uintptr_t)&w->spare;
	return 0;
}

static int fill_revoke(struct world *w, union arg *arg)
{
	arg->destroy.type = DOCA_OBJECT_EXPORT;
	return mem_export(w->d.fd, w->buf.key, 0, &w->spare, &arg->destroy.id);
}

static int fill_import(struct world *w, union arg *arg)
{
	arg->import.device_id = w->d.device;
	arg->import.blob_size = sizeof(w->blob);
	arg->import.blob = (uintptr_t)&w->blob;
	return 0;
}

static int fill_worker_create(struct world *w, union arg *arg)
{
	uint32_t worker;
	int err = worker_create(w->d.fd, 0, &worker);

	(void)arg;
	return err ? err : worker_destroy(w->d.fd, worker);
}

static int fill_worker_destroy(struct world *w, union arg *arg)
{
	arg->destroy.type = DOCA_OBJECT_WORKER;
	return worker_create(w->d.fd, 0, &arg->destroy.id);
}

static int fill_queue_create(struct world *w, union arg *arg)
{
	arg->queue_create.device_id = w->d.device;
	arg->queue_create.sq_entries = 2;
	arg->queue_create.cq_entries = 2;
	return 0;
}

static int fill_enter(struct world *w, union arg *arg)
{
	(void)w;
	arg->enter.max_entries = 1;
	return 0;
}

FIXTURE(call) {
	struct world w;
	union arg *arg;
	int fd;
	int next_fd;
};

/*
 * @fill makes the argument, but for its size; @out says that the kernel writes
 * into it; @flags that the second word holds flags, of which the lowest @known
 * exist; @reserved is the offset of a reserved word, or 0. @first is the size of
 * the structure as it was introduced, 0 if it has not grown.
 */
FIXTURE_VARIANT(call) {
	unsigned long cmd;
	uint32_t size;
	int (*fill)(struct world *w, union arg *arg);
	bool on_queue, out, flags;
	uint32_t known;
	size_t reserved;
	uint32_t first;
};

#define CALL(name, nr, type, ...)                                              \
	FIXTURE_VARIANT_ADD(call, name) {                                      \
		.cmd = nr, .size = sizeof(struct type), __VA_ARGS__            \
	}

CALL(query, DOCA_QUERY, doca_query, .fill = fill_query, .out = true,
     .flags = true,
     .first = offsetof(struct doca_query, out_max_queue_ops));
CALL(device_query, DOCA_DEVICE_QUERY, doca_device_query,
     .fill = fill_device_query, .out = true,
     .first = offsetof(struct doca_device_query, out_variants));
CALL(object_create, DOCA_OBJECT_CREATE, doca_object_create,
     .fill = fill_object_create, .out = true, .flags = true,
     .reserved = offsetof(struct doca_object_create, __reserved));
CALL(mem_reg, DOCA_MEM_REG, doca_mem_reg, .fill = fill_reg, .out = true,
     .flags = true, .known = 2,
     .first = offsetof(struct doca_mem_reg, dmabuf_fd));
CALL(mem_dereg, DOCA_OBJECT_DESTROY, doca_object_destroy, .fill = fill_dereg);
CALL(mem_map, DOCA_MEM_MAP, doca_mem_map, .fill = fill_map, .out = true,
     .flags = true, .reserved = offsetof(struct doca_mem_map, __reserved),
     .first = offsetof(struct doca_mem_map, out_flags));
CALL(mem_unmap, DOCA_MEM_UNMAP, doca_mem_unmap, .fill = fill_unmap);
CALL(mem_export, DOCA_MEM_EXPORT, doca_mem_export, .fill = fill_export,
     .out = true, .flags = true, .known = 1,
     .reserved = offsetof(struct doca_mem_export, __reserved));
CALL(export_revoke, DOCA_OBJECT_DESTROY, doca_object_destroy, .fill = fill_revoke);
CALL(mem_import, DOCA_MEM_IMPORT, doca_mem_import, .fill = fill_import,
     .out = true, .flags = true,
     .reserved = offsetof(struct doca_mem_import, __reserved),
     .first = offsetof(struct doca_mem_import, out_flags));
CALL(worker_create, DOCA_WORKER_CREATE, doca_worker_create,
     .fill = fill_worker_create, .out = true, .flags = true);
CALL(worker_destroy, DOCA_OBJECT_DESTROY, doca_object_destroy, .fill = fill_worker_destroy);
CALL(queue_create, DOCA_QUEUE_CREATE, doca_queue_create,
     .fill = fill_queue_create, .out = true, .flags = true,
     .first = offsetof(struct doca_queue_create, opcodes));
CALL(queue_enter, DOCA_QUEUE_ENTER, doca_queue_enter, .fill = fill_enter,
     .on_queue = true, .out = true, .flags = true, .known = 1);
CALL(queue_stop, DOCA_QUEUE_STOP, doca_queue_stop, .fill = fill_query,
     .on_queue = true, .flags = true);

static int next_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

FIXTURE_SETUP(call)
{
	struct world *w = &self->w;
	int err;

	DOCA_OPEN(&w->d);
	ASSERT_EQ(0, buf_make(&w->d, &w->buf, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(w->d.fd, w->buf.key, 0, &w->blob, NULL));
	ASSERT_EQ(0, queue_open(&w->queue, &w->d, 0, 2, 0));
	self->fd = variant->on_queue ? w->queue.fd : w->d.fd;
	self->arg = pages_alloc(sizeof(*self->arg));
	ASSERT_NE(NULL, self->arg);
	err = variant->fill(w, self->arg);
	if (err == -EOPNOTSUPP && (variant->fill == fill_worker_create ||
				   variant->fill == fill_worker_destroy))
		SKIP_SETUP("workers are switched off");
	ASSERT_EQ(0, err);
	self->arg->size = variant->size;
	self->next_fd = next_fd();
}

FIXTURE_TEARDOWN(call)
{
	queue_close(&self->w.queue);
	DOCA_CLOSE(&self->w.d);
}

/* The argument that all other tests spoil is correct */
TEST_F(call, correct)
{
	EXPECT_EQ(0, doca_call(self->fd, variant->cmd, self->arg));
	EXPECT_EQ(variant->size, self->arg->size);
	if (variant->cmd == DOCA_QUEUE_CREATE) {
		int fd = self->arg->queue_create.out_fd;

		EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
		EXPECT_EQ(0, close(fd));
	}
}

TEST_F(call, size_too_small)
{
	uint32_t first = variant->first ? variant->first : variant->size;
	const uint32_t sizes[] = { 0, 1, 4, 7, first - 1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		self->arg->size = sizes[i];
		EXPECT_EQ(-EINVAL, doca_call(self->fd, variant->cmd, self->arg))
			TH_LOG("size %u", sizes[i]);
	}
}

TEST_F(call, size_longer_with_zeros)
{
	self->arg->size = variant->size + 8;
	EXPECT_EQ(0, doca_call(self->fd, variant->cmd, self->arg));
	EXPECT_EQ(0, self->arg->word[variant->size / 4]);
	EXPECT_EQ(0, self->arg->word[variant->size / 4 + 1]);
}

TEST_F(call, size_longer_with_a_bit)
{
	self->arg->size = variant->size + 8;
	self->arg->byte[variant->size + 7] = 0x80;
	EXPECT_EQ(-E2BIG, doca_call(self->fd, variant->cmd, self->arg));
	self->arg->byte[variant->size + 7] = 0;
	self->arg->byte[variant->size] = 1;
	EXPECT_EQ(-E2BIG, doca_call(self->fd, variant->cmd, self->arg));
	/* Also where it is pages away */
	self->arg->byte[variant->size] = 0;
	self->arg->size = sizeof(*self->arg);
	self->arg->byte[sizeof(*self->arg) - 1] = 1;
	EXPECT_EQ(-E2BIG, doca_call(self->fd, variant->cmd, self->arg));
	EXPECT_EQ(self->next_fd, next_fd());
}

/* Larger than anything: refused one way or the other, and nothing is done */
TEST_F(call, size_huge)
{
	int err;

	self->arg->size = UINT32_MAX;
	err = doca_call(self->fd, variant->cmd, self->arg);
	EXPECT_TRUE(err == -E2BIG || err == -EFAULT) TH_LOG("%d", err);
	EXPECT_EQ(self->next_fd, next_fd());
}

TEST_F(call, argument_not_accessible)
{
	uint8_t *edge = (uint8_t *)self->arg + 2 * PAGE;
	uint32_t half = variant->size / 2;

	EXPECT_EQ(-EFAULT, doca_call(self->fd, variant->cmd, NULL));
	EXPECT_EQ(-EFAULT, doca_call(self->fd, variant->cmd, (void *)-PAGE));
	ASSERT_EQ(0, munmap(edge, PAGE));
	EXPECT_EQ(-EFAULT, doca_call(self->fd, variant->cmd, edge));
	memcpy(edge - half, self->arg, half);
	EXPECT_EQ(-EFAULT, doca_call(self->fd, variant->cmd, edge - half));
	if (!variant->out)
		return;
	/* If the new object's name cannot be written, the object is destroyed */
	ASSERT_EQ(0, mprotect(self->arg, PAGE, PROT_READ));
	EXPECT_EQ(-EFAULT, doca_call(self->fd, variant->cmd, self->arg));
	EXPECT_EQ(self->next_fd, next_fd());
}

/* Words that must be zero: unknown flags, and reserved fields */
TEST_F(call, not_zero)
{
	uint32_t bit = variant->known;

	if (!variant->flags)
		SKIP(return, "the argument has nothing that must be zero");
	for (; bit < 32; bit++) {
		self->arg->word[1] = 1U << bit;
		EXPECT_EQ(-EOPNOTSUPP, doca_call(self->fd, variant->cmd, self->arg)) {
			TH_LOG("flag %u", bit);
		}
	}
	self->arg->word[1] = 0;
	for (bit = 0; variant->reserved && bit < 32; bit++) {
		self->arg->word[variant->reserved / 4] = 1U << bit;
		EXPECT_EQ(-EINVAL, doca_call(self->fd, variant->cmd, self->arg)) {
			TH_LOG("reserved bit %u", bit);
		}
	}
	EXPECT_EQ(self->next_fd, next_fd());
}

/* A file belongs to the address space that opened it */
TEST_F(call, other_address_space)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		EXPECT_EQ(-EPERM, doca_call(self->fd, variant->cmd, self->arg));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(0, doca_call(self->fd, variant->cmd, self->arg));
}

/* The process has closed its last descriptor of the file, and gets one back from a child */
TEST_F(call, ended_file)
{
	pid_t pid;
	int fd;

	if (variant->on_queue)
		SKIP(return, "queues do not tell");
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	ASSERT_EQ(0, close(self->fd));
	fd = fd_of(pid, self->fd);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENODEV, doca_call(fd, variant->cmd, self->arg));
	EXPECT_EQ(self->fd, next_fd());
	EXPECT_NO_LEAK(self->w.d.pins);
	self->w.d.fd = fd;
	kill(pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
}

/* Calls of the file are unknown on a queue, and vice versa */
TEST_F(call, wrong_kind_of_fd)
{
	int fd = variant->on_queue ? self->w.d.fd : self->w.queue.fd;

	EXPECT_EQ(-ENOTTY, doca_call(fd, variant->cmd, self->arg));
}

FIXTURE(node) {
	struct doca d;
};

FIXTURE_SETUP(node)
{
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(node)
{
	DOCA_CLOSE(&self->d);
}

TEST_F(node, query)
{
	struct doca_query q;
	uint64_t usual;

	memset(&q, 0xff, sizeof(q));
	q.size = sizeof(q);
	q.flags = 0;
	ASSERT_EQ(0, doca_call(self->d.fd, DOCA_QUERY, &q));
	EXPECT_EQ(DOCA_ABI_VERSION, q.out_abi_version);
	EXPECT_EQ(DOCA_RING_VERSION, q.out_ring_version);
	EXPECT_EQ(0, q.out_features &
			     ~(uint64_t)(DOCA_FEATURE_WORKER |
					 DOCA_FEATURE_RDMA |
					 DOCA_FEATURE_DMABUF |
					 DOCA_FEATURE_EXECUTE |
					 DOCA_FEATURE_CHANNEL));
#ifndef __x86_64__
	EXPECT_EQ(0, q.out_features & DOCA_FEATURE_DMABUF);
#endif
	/* All operations that queues execute by default, and none without a number */
	usual = (1 << (DOCA_OP_SYNC_WAIT_NE + 1)) - 1;
	EXPECT_EQ(usual, q.out_opcodes & usual);
	EXPECT_EQ(0, q.out_opcodes >> DOCA_OP_LAST);
	EXPECT_LE(4096, q.out_max_queue_entries);
	EXPECT_EQ(0, q.out_max_queue_entries & (q.out_max_queue_entries - 1));
	EXPECT_LE(64, q.out_max_segments);
	EXPECT_LE(q.out_max_segments, q.out_max_queue_segments);
	EXPECT_EQ(DOCA_BLOB_SIZE, q.out_blob_size);
	EXPECT_LT(0, q.out_step_length);
	EXPECT_LE(q.out_step_length, q.out_max_length);
	EXPECT_LE(q.out_max_length, UINT32_MAX);
	EXPECT_LE(64, q.out_max_queue_waits);
	EXPECT_LE(64, q.out_max_queue_ops);
}

TEST_F(node, worker_feature_is_true)
{
	struct doca_query q;
	uint32_t worker;
	int err;

	ASSERT_EQ(0, query(self->d.fd, &q));
	err = worker_create(self->d.fd, 0, &worker);
	EXPECT_EQ(q.out_features & DOCA_FEATURE_WORKER ? 0 : -EOPNOTSUPP, err);
}

TEST_F(node, largest_rings)
{
	struct doca_query q;
	struct queue queue;
	int err;

	ASSERT_EQ(0, query(self->d.fd, &q));
	err = queue_open(&queue, &self->d, 0, q.out_max_queue_entries, q.out_max_queue_segments);
	if (err == -EDQUOT)
		SKIP(return, "one queue of the largest size is over a limit");
	ASSERT_EQ(0, err);
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&queue, sqe_nop(1)));
	queue_close(&queue);
}

TEST_F(node, unknown_command)
{
	/* MEM_DEREG, EXPORT_REVOKE, WORKER_DESTROY, DM_FREE */
	const uint32_t gone = 1 << 2 | 1 << 6 | 1 << 9 | 1 << 13;
	struct doca_queue_create arg = { .size = sizeof(arg) };
	struct queue queue;
	int nr;

	ASSERT_EQ(0, queue_open(&queue, &self->d, 0, 2, 0));
	for (nr = 0; nr < 256; nr++) {
		unsigned long cmd = _IO(DOCA_IOCTL_TYPE, nr);

		if (nr < DOCA_CMD_BASE || nr > DOCA_CMD_OBJECT_CREATE ||
		    gone >> (nr - DOCA_CMD_BASE) & 1) {
			EXPECT_EQ(-ENOTTY, doca_call(self->d.fd, cmd, &arg))
				TH_LOG("file, command %#x", nr);
		}
		if (nr < DOCA_CMD_QUEUE_BASE || nr > DOCA_CMD_QUEUE_ANNOUNCE) {
			EXPECT_EQ(-ENOTTY, doca_call(queue.fd, cmd, &arg))
				TH_LOG("queue, command %#x", nr);
		}
	}
	/* The right number, but another type, or a size in the command */
	EXPECT_EQ(-ENOTTY, doca_call(self->d.fd, _IO(0xdb, DOCA_CMD_QUERY), &arg));
	EXPECT_EQ(-ENOTTY,
		  doca_call(self->d.fd,
			    _IOWR(DOCA_IOCTL_TYPE, DOCA_CMD_QUERY, arg), &arg));
	queue_close(&queue);
}

/* An id names one kind of object */
TEST_F(node, ids_of_the_wrong_kind)
{
	static uint8_t page[PAGE];
	uint32_t mem, worker, key;
	struct queue q;
	int err;

	ASSERT_EQ(0, mem_reg(self->d.fd, page, PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-ENOENT, worker_destroy(self->d.fd, mem));
	EXPECT_EQ(-ENOENT, export_revoke(self->d.fd, mem));
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, mem));
	EXPECT_EQ(-ENOENT, queue_open(&q, &self->d, mem, 2, 0));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));

	err = worker_create(self->d.fd, 0, &worker);
	if (err == -EOPNOTSUPP)
		SKIP(return, "workers are switched off");
	ASSERT_EQ(0, err);
	EXPECT_EQ(-ENOENT, mem_dereg(self->d.fd, worker));
	EXPECT_EQ(-ENOENT, export_revoke(self->d.fd, worker));
	EXPECT_EQ(-ENOENT, mem_map(self->d.fd, worker, self->d.device,
				   DOCA_ACCESS_LOCAL_READ, &key));
	EXPECT_EQ(0, worker_destroy(self->d.fd, worker));
}

TEST_F(node, ids_that_do_not_exist)
{
	const uint32_t ids[] = { 0, 1, 4711, 1U << 31, UINT32_MAX };
	uint32_t key;
	struct queue q;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		EXPECT_EQ(-ENOENT, mem_dereg(self->d.fd, ids[i]));
		EXPECT_EQ(-ENOENT, mem_map(self->d.fd, ids[i], self->d.device,
					   DOCA_ACCESS_LOCAL_READ, &key));
		EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, ids[i]));
		EXPECT_EQ(-ENOENT, mem_export(self->d.fd, ids[i], 0,
					      &(struct doca_blob){}, NULL));
		EXPECT_EQ(-ENOENT, export_revoke(self->d.fd, ids[i]));
		EXPECT_EQ(-ENOENT, worker_destroy(self->d.fd, ids[i]));
		if (ids[i]) {
			EXPECT_EQ(-ENOENT, queue_open(&q, &self->d, ids[i], 2, 0));
		}
	}
}

/* A file does not know the ids of another one of the same process */
TEST_F(node, ids_of_another_file)
{
	struct doca other;
	struct buf b;

	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, doca_open(&other));
	EXPECT_EQ(-ENOENT, mem_dereg(other.fd, b.mem));
	EXPECT_EQ(-ENOENT, mem_unmap(other.fd, b.key));
	EXPECT_EQ(-ENOENT, mem_export(other.fd, b.key, 0,
				      &(struct doca_blob){}, NULL));
	close(other.fd);
	EXPECT_EQ(0, mem_unmap(self->d.fd, b.key));
}

TEST_HARNESS_MAIN
