// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The only way to /dev/doca: the calls that go through it, with a fake kernel. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "core/driver/driver.h"
#include "ktap.h"

#define RING_SIZE 8192

static struct {
	/* Calls that shall fail: errnos, and versions. */
	int open_err;
	int call_err;
	uint32_t abi_version;
	uint32_t ring_version;
	uint32_t max_queue_ops;
	uint32_t features;
	int map_err; /* fail for the queue's first or second area */

	int opens;
	int fd; /* descriptor of the queue */
	unsigned long request; /* the last call */
	union { /* and its argument, as it was called */
		uint32_t size;
		struct doca_query query;
		struct doca_device_query device_query;
		struct doca_mem_reg reg;
		struct doca_object_destroy destroy;
		struct doca_mem_map map;
		struct doca_mem_unmap unmap;
		struct doca_mem_export export;
		struct doca_mem_import import;
		struct doca_worker_create worker;
		struct doca_queue_create queue;
		struct doca_queue_enter enter;
		struct doca_queue_stop stop;
	} arg;
} kernel;

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (!strcmp(path, "/dev/doca")) {
		if (kernel.open_err) {
			errno = kernel.open_err;
			return -1;
		}
		kernel.opens++;
		return memfd_create("doca", MFD_CLOEXEC);
	}
	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* A sparse file has memory at both offsets, unless a test wants none. */
static int queue_fd(void)
{
	int fd;

	if (kernel.map_err == 1)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = memfd_create("queue", MFD_CLOEXEC);
	if (ftruncate(fd, DOCA_MMAP_KERNEL + RING_SIZE))
		abort();
	return fd;
}

static void answer_queue(struct doca_queue_create *queue)
{
	queue->out_fd = kernel.fd = queue_fd();
	queue->out_user_size = RING_SIZE;
	/* An area of size 0 cannot be mapped. */
	queue->out_kernel_size = kernel.map_err == 2 ? 0 : RING_SIZE;
	queue->out_sq_off = 512;
	queue->out_seg_off = 1024;
	queue->out_cq_off = 2048;
}

static void answer(unsigned long request, void *arg)
{
	typeof(kernel.arg) *a = arg;

	switch (request) {
	case DOCA_QUERY:
		a->query.out_abi_version = kernel.abi_version;
		a->query.out_ring_version = kernel.ring_version;
		a->query.out_blob_size = DOCA_BLOB_SIZE;
		a->query.out_features = kernel.features;
		a->query.out_max_queue_ops = kernel.max_queue_ops;
		break;
	case DOCA_MEM_REG:
		a->reg.out_mem_id = 5;
		a->reg.out_access = 1;
		a->reg.out_limit = 100;
		a->reg.out_used = 60;
		break;
	case DOCA_MEM_MAP:
		a->map.out_key = 6;
		break;
	case DOCA_MEM_IMPORT:
		a->import.out_key = 7;
		a->import.out_length = 8;
		break;
	case DOCA_WORKER_CREATE:
		a->worker.out_worker_id = 9;
		break;
	case DOCA_QUEUE_CREATE:
		answer_queue(&a->queue);
		break;
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (fcntl(fd, F_GETFD) < 0)
		return -1;
	kernel.request = request;
	memcpy(&kernel.arg, arg, *(uint32_t *)arg);
	if (request != DOCA_QUERY && kernel.call_err) {
		errno = kernel.call_err;
		return -1;
	}
	answer(request, arg);
	return 0;
}

#define EXPECT_CALLED(name, member)                                    \
	do {                                                           \
		EXPECT_EQ(kernel.request, DOCA_##name);                \
		EXPECT_EQ(kernel.arg.size, sizeof(kernel.arg.member)); \
	} while (0)

static void set_up_as(uint32_t features, uint32_t max_queue_ops)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.abi_version = DOCA_ABI_VERSION;
	kernel.ring_version = DOCA_RING_VERSION;
	kernel.features = features;
	kernel.max_queue_ops = max_queue_ops;
	EXPECT_EQ(driver_get(), 0);
}

static void set_up(void)
{
	set_up_as(0, 0);
}

TEST(the_node_is_opened_once_for_all)
{
	set_up();
	EXPECT_EQ(driver_get(), 0);
	EXPECT_EQ(kernel.opens, 1);
	EXPECT_EQ(driver_caps()->out_blob_size, DOCA_BLOB_SIZE);
	driver_put();
	EXPECT_EQ(driver_mem_dereg(1), 0);
	driver_put();
	EXPECT_EQ(driver_mem_dereg(1), -EBADF);
	driver_put(); /* one too many does no harm */
	EXPECT_EQ(driver_get(), 0);
	EXPECT_EQ(kernel.opens, 2);
	driver_put();
}

TEST(a_node_that_cannot_be_opened_says_why)
{
	static const int errs[] = { ENOENT, EACCES, EDQUOT };

	set_up();
	driver_put();
	for (int i = 0; i < 3; i++) {
		kernel.open_err = errs[i];
		EXPECT_EQ(driver_get(), -errs[i]);
	}
	kernel.open_err = 0;
	kernel.ring_version = DOCA_RING_VERSION + 1;
	EXPECT_EQ(driver_get(), -EPROTO);
	EXPECT_EQ(driver_mem_dereg(1), -EBADF);
	kernel.ring_version = DOCA_RING_VERSION;
	/* Additional calls alone do not matter. */
	kernel.abi_version = DOCA_ABI_VERSION - 1;
	EXPECT_EQ(driver_get(), -EPROTO);
	kernel.abi_version = DOCA_ABI_VERSION + 1;
	EXPECT_EQ(driver_get(), 0);
	driver_put();
}

TEST(memory_is_registered_and_mapped)
{
	struct driver_mem_limit limit;
	uint32_t id = 0, key = 0, access = 3;
	char mem[16];

	set_up();
	EXPECT_EQ(driver_mem_reg(mem, 16, &access, &id, &limit), 0);
	EXPECT_CALLED(MEM_REG, reg);
	EXPECT_EQ(kernel.arg.reg.addr, (uintptr_t)mem);
	EXPECT_EQ(kernel.arg.reg.length, 16);
	EXPECT_EQ(kernel.arg.reg.access, 3);
	EXPECT_EQ(access, 1);
	EXPECT_EQ(id, 5);
	EXPECT_EQ(limit.limit, 100);
	EXPECT_EQ(limit.used, 60);

	EXPECT_EQ(driver_mem_reg_dmabuf(9, 4096, mem, 16, &access, &id, &limit), 0);
	EXPECT_CALLED(MEM_REG, reg);
	EXPECT_EQ(kernel.arg.reg.flags, DOCA_MEM_REG_DMABUF);
	EXPECT_EQ(kernel.arg.reg.dmabuf_fd, 9);
	EXPECT_EQ(kernel.arg.reg.dmabuf_offset, 4096);
	EXPECT_EQ(kernel.arg.reg.access, 1);

	EXPECT_EQ(driver_mem_map(id, 2, 1, &key), 0);
	EXPECT_CALLED(MEM_MAP, map);
	EXPECT_EQ(kernel.arg.map.mem_id, 5);
	EXPECT_EQ(kernel.arg.map.device_id, 2);
	EXPECT_EQ(kernel.arg.map.access, 1);
	EXPECT_EQ(key, 6);

	EXPECT_EQ(driver_mem_unmap(key), 0);
	EXPECT_CALLED(MEM_UNMAP, unmap);
	EXPECT_EQ(kernel.arg.unmap.key, 6);
	EXPECT_EQ(driver_mem_dereg(id), 0);
	EXPECT_CALLED(OBJECT_DESTROY, destroy);
	EXPECT_EQ(kernel.arg.destroy.type, DOCA_OBJECT_MEMORY);
	EXPECT_EQ(kernel.arg.destroy.id, 5);
	driver_put();
}

TEST(memory_is_exported_and_imported)
{
	struct doca_mem_import import;
	char blob[DOCA_BLOB_SIZE];

	set_up();
	EXPECT_EQ(driver_mem_export(6, false, blob, sizeof(blob)), 0);
	EXPECT_CALLED(MEM_EXPORT, export);
	EXPECT_EQ(kernel.arg.export.flags, 0);
	EXPECT_EQ(kernel.arg.export.key, 6);
	EXPECT_EQ(kernel.arg.export.blob, (uintptr_t)blob);
	EXPECT_EQ(kernel.arg.export.blob_size, sizeof(blob));
	EXPECT_EQ(driver_mem_export(6, true, blob, sizeof(blob)), 0);
	EXPECT_EQ(kernel.arg.export.flags, DOCA_EXPORT_ANY_USER);

	EXPECT_EQ(driver_mem_import(2, blob, sizeof(blob), &import), 0);
	EXPECT_CALLED(MEM_IMPORT, import);
	EXPECT_EQ(kernel.arg.import.device_id, 2);
	EXPECT_EQ(kernel.arg.import.blob, (uintptr_t)blob);
	EXPECT_EQ(import.out_key, 7);
	EXPECT_EQ(import.out_length, 8);
	driver_put();
}

TEST(workers_are_made_and_destroyed)
{
	uint32_t id = 0;

	set_up();
	EXPECT_EQ(driver_worker_create(30, &id), 0);
	EXPECT_CALLED(WORKER_CREATE, worker);
	EXPECT_EQ(kernel.arg.worker.idle_us, 30);
	EXPECT_EQ(id, 9);
	EXPECT_EQ(driver_worker_destroy(id), 0);
	EXPECT_CALLED(OBJECT_DESTROY, destroy);
	EXPECT_EQ(kernel.arg.destroy.type, DOCA_OBJECT_WORKER);
	EXPECT_EQ(kernel.arg.destroy.id, 9);
	driver_put();
}

TEST(errors_of_the_kernel_come_back)
{
	struct driver_queue queue;
	struct driver_queue_attr attr = { .entries = 1 };
	struct driver_mem_limit limit;
	struct doca_mem_import import;
	struct doca_device_query op;
	uint32_t id, access = 1;
	char mem[1];

	set_up();
	kernel.call_err = EDQUOT;
	EXPECT_EQ(driver_device_query(1, 2, &op), -EDQUOT);
	EXPECT_EQ(op.device_id, 1);
	EXPECT_EQ(op.opcode, 2);
	EXPECT_EQ(driver_mem_reg(mem, 1, &access, &id, &limit), -EDQUOT);
	EXPECT_EQ(driver_mem_dereg(1), -EDQUOT);
	EXPECT_EQ(driver_mem_map(1, 1, 1, &id), -EDQUOT);
	EXPECT_EQ(driver_mem_unmap(1), -EDQUOT);
	EXPECT_EQ(driver_mem_export(1, false, mem, 1), -EDQUOT);
	EXPECT_EQ(driver_mem_import(1, mem, 1, &import), -EDQUOT);
	EXPECT_EQ(driver_worker_create(0, &id), -EDQUOT);
	EXPECT_EQ(driver_worker_destroy(1), -EDQUOT);
	EXPECT_EQ(driver_queue_create(&queue, &attr), -EDQUOT);
	driver_put();
}

static const struct driver_queue_attr attr = {
	.device_id = 2,
	.worker_id = 9,
	.entries = 4,
	.segments = 16,
	.sessions = 5,
};

TEST(a_queue_is_mapped_where_the_kernel_says)
{
	struct driver_queue queue;
	int fd;

	set_up();
	EXPECT_EQ(driver_queue_create(&queue, &attr), 0);
	EXPECT_CALLED(QUEUE_CREATE, queue);
	EXPECT_EQ(kernel.arg.queue.device_id, 2);
	EXPECT_EQ(kernel.arg.queue.worker_id, 9);
	EXPECT_EQ(kernel.arg.queue.sq_entries, 4);
	EXPECT_EQ(kernel.arg.queue.cq_entries, 4);
	EXPECT_EQ(kernel.arg.queue.nr_segments, 16);
	EXPECT_EQ(kernel.arg.queue.nr_sessions, 5);
	EXPECT_EQ(queue.ring.sq_mask, 3);
	EXPECT_EQ((char *)queue.ring.sqes - (char *)queue.ring.user, 512);
	EXPECT_EQ((char *)queue.ring.segs - (char *)queue.ring.user, 1024);
	EXPECT_EQ((char *)queue.ring.cqes - (char *)queue.ring.kernel, 2048);
	queue.ring.user->cq_head = 1; /* crashes unless it is writable */

	EXPECT_EQ(driver_queue_enter(&queue), 0);
	EXPECT_CALLED(QUEUE_ENTER, enter);
	EXPECT_EQ(kernel.arg.enter.max_entries, 4);
	EXPECT_EQ(driver_queue_stop(&queue), 0);
	EXPECT_CALLED(QUEUE_STOP, stop);

	fd = queue.fd;
	driver_queue_destroy(&queue);
	EXPECT(fcntl(fd, F_GETFD) < 0);
	driver_put();
}

static uint32_t ops_of_a_queue(uint32_t wanted, uint32_t most)
{
	struct driver_queue_attr other = attr;
	struct driver_queue queue;

	set_up_as(0, most);
	other.ops = wanted;
	EXPECT_EQ(driver_queue_create(&queue, &other), 0);
	driver_queue_destroy(&queue);
	driver_put();
	return kernel.arg.queue.nr_ops;
}

TEST(a_queue_has_no_more_operations_than_there_may_be)
{
	EXPECT_EQ(ops_of_a_queue(32, 256), 32);
	EXPECT_EQ(ops_of_a_queue(32, 16), 16);
	EXPECT_EQ(ops_of_a_queue(32, 0), 0); /* the driver has none */
}

/* Return the flags of a call after patience with the worker has ended, if it can end. */
static uint32_t flags_of_calls(uint32_t features, uint32_t worker_id, bool patient)
{
	struct driver_queue_attr other = attr;
	struct driver_queue queue;

	set_up_as(features, 0);
	other.worker_id = worker_id;
	other.patient = patient;
	EXPECT_EQ(driver_queue_create(&queue, &other), 0);
	queue.patience.span = 1000;
	EXPECT_EQ(driver_queue_enter(&queue), 0);
	driver_queue_destroy(&queue);
	driver_put();
	return kernel.arg.enter.flags;
}

TEST(a_worker_that_does_nothing_is_replaced_where_that_can_be)
{
	uint32_t execute = DOCA_FEATURE_EXECUTE;

	EXPECT_EQ(flags_of_calls(execute, 9, false), DOCA_ENTER_EXECUTE);
	EXPECT_EQ(flags_of_calls(execute, 9, true), 0);
	EXPECT_EQ(flags_of_calls(execute, 0, false), 0);
	EXPECT_EQ(flags_of_calls(0, 9, false), 0);
}

/* Make a queue whose calls may execute instead of its worker. */
static void set_up_queue_of_worker(struct driver_queue *queue)
{
	set_up_as(DOCA_FEATURE_EXECUTE, 0);
	EXPECT_EQ(driver_queue_create(queue, &attr), 0);
}

TEST(a_worker_that_takes_nothing_is_late_after_a_while)
{
	const uint64_t ms = 1000000;
	struct driver_queue queue;

	set_up_queue_of_worker(&queue);
	clock_stop(0);
	EXPECT(!driver_queue_is_late(&queue));
	clock_advance(ms);
	EXPECT(!driver_queue_is_late(&queue));
	clock_advance(ms);
	EXPECT(driver_queue_is_late(&queue));
	EXPECT_EQ(driver_queue_enter(&queue), 0);
	EXPECT_EQ(kernel.arg.enter.flags, DOCA_ENTER_EXECUTE);
	clock_go_on();
	driver_queue_destroy(&queue);
	driver_put();
}

/* Lists count with all their segments; only sources count. */
TEST(what_entries_move_is_known)
{
	struct driver_queue queue;
	struct ring *ring = &queue.ring;

	set_up();
	EXPECT_EQ(driver_queue_create(&queue, &attr), 0);
	ring->sqes[0] = (struct doca_sqe){
		.flags = DOCA_SQE_DST_LIST,
		.src.length = 100,
		.dst = { .address = 1, .length = 3 },
	};
	ring->sqes[1] = (struct doca_sqe){
		.flags = DOCA_SQE_SRC_LIST,
		.src = { .address = 1, .length = 3 },
		.dst.length = 7,
	};
	for (int i = 1; i < 4; i++)
		ring->segs[i].length = UINT32_MAX;
	EXPECT_EQ(ring_bytes(ring, 0), 100);
	EXPECT_EQ(ring_bytes(ring, 1), 100 + 3ull * UINT32_MAX);
	EXPECT_EQ(ring_bytes(ring, 2), 3ull * UINT32_MAX);
	EXPECT_EQ(ring_bytes(ring, 3), 0);
	/* Across the ring's end. */
	EXPECT_EQ(ring_bytes(ring, 4), 100);
	driver_queue_destroy(&queue);
	driver_put();
}

TEST(a_queue_that_cannot_be_mapped_is_closed)
{
	struct driver_queue queue;

	set_up();
	for (kernel.map_err = 1; kernel.map_err <= 2; kernel.map_err++) {
		EXPECT(driver_queue_create(&queue, &attr) < 0);
		EXPECT(fcntl(kernel.fd, F_GETFD) < 0);
	}
	driver_put();
}

/* In the child the parent's queue is closed, and it can open its own driver. */
static int child(struct driver_queue *queue)
{
	if (driver_generation() == queue->generation)
		return 1;
	if (fcntl(queue->fd, F_GETFD) >= 0)
		return 2;
	if (!ring_refuses(&queue->ring) || ring_peek(&queue->ring))
		return 5;
	driver_queue_destroy(queue); /* must not touch the addresses */
	queue->ring.user->cq_head = 7;
	if (driver_mem_dereg(1) != -EBADF)
		return 3;
	if (driver_get() || kernel.opens != 2)
		return 4;
	driver_put();
	return 0;
}

TEST(the_child_of_a_fork_has_no_driver)
{
	struct driver_queue queue;
	int status = -1;
	pid_t pid;

	set_up();
	EXPECT_EQ(driver_queue_create(&queue, &attr), 0);
	ring_admit(&queue.ring);
	pid = fork();
	if (!pid)
		exit(child(&queue));
	EXPECT(waitpid(pid, &status, 0) == pid);
	EXPECT_EQ(status, 0);
	EXPECT(driver_current(queue.generation));
	EXPECT(fcntl(queue.fd, F_GETFD) >= 0);
	driver_queue_destroy(&queue);
	driver_put();
}

/*
 * Each function makes a call in which a cancelled thread would end. Keep nothing on the
 * stack: a sanitizer expects this function to return.
 */
static void *use_while_cancelled(void *arg)
{
	static struct driver_queue queue;

	pthread_cancel(pthread_self());
	if (driver_get() || driver_queue_create(&queue, &attr))
		return arg;
	driver_queue_destroy(&queue);
	driver_put();
	pthread_testcancel();
	return arg;
}

TEST(a_thread_is_not_cancelled_with_the_lock)
{
	void *result = NULL;
	pthread_t thread;

	set_up();
	driver_put();
	EXPECT(!pthread_create(&thread, NULL, use_while_cancelled, NULL));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	alarm(20);
	EXPECT_EQ(driver_get(), 0);
	EXPECT_EQ(kernel.opens, 3);
	driver_put();
	alarm(0);
}
