/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A driver for tests: the functions of core/driver.h over rings in the process's
 * own memory, executed when a test says so. What it answers is what the kernel's
 * interface promises, and what a test makes go wrong. As thread safe as driver.c,
 * without ordering threads that use queues of their own. Included by one file of a
 * program, in place of driver.c.
 */
#ifndef DOCA_TESTS_FAKE_DRIVER_H
#define DOCA_TESTS_FAKE_DRIVER_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/debug.h"
#include "core/dev.h"
#include "core/driver.h"

#define FAKE_DEVICE_ID 7
#define FAKE_LIST_MAX 64
#define FAKE_MAX_WAITS 16
#define FAKE_MAX_LENGTH (1U << 20)

struct fake {
	/* For a test to set */
	bool workers; /* else entries are executed by calls */
	bool asleep; /* workers want to be called */
	bool enter_fails;
	uint32_t enter_budget; /* entries of one call, 0: all */
	int get_error; /* of the driver, an errno */
	int queue_error; /* of the next queues, an errno */
	int worker_error;
	int mem_error;
	int import_error;
	uint32_t status; /* of the next entry, which is not executed */
	const struct doca_query *caps; /* instead of the usual */

	/* For a test to look at */
	unsigned int refs; /* on the driver */
	unsigned int workers_made, workers_gone;
	uint32_t idle_us;
	unsigned int queues; /* that exist */
	unsigned int enters, stops;
	struct doca_seg invalidated; /* last */
};

#define MAX_OBJECTS 256
#define MAX_QUEUES 64

static struct fake fake;
static struct doca_dev fake_dev = {
	.info = { .id = FAKE_DEVICE_ID, .name = "fake0" },
	.opens = 1,
	.refs = 1,
};

uint32_t driver_forks;

static const struct doca_query caps = {
	.size = sizeof(caps),
	.out_abi_version = DOCA_ABI_VERSION,
	.out_ring_version = DOCA_RING_VERSION,
	.out_opcodes = (1 << DOCA_OP_LAST) - 1,
	.out_max_queue_entries = 1024,
	.out_max_queue_segments = 512 * 2 * FAKE_LIST_MAX,
	.out_max_segments = FAKE_LIST_MAX,
	.out_blob_size = DOCA_BLOB_SIZE,
	.out_max_length = FAKE_MAX_LENGTH,
	.out_max_queue_waits = FAKE_MAX_WAITS,
};

/* Index and key are the same; 0 is neither. */
static struct {
	uint64_t addr, length;
	uint32_t access;
	uint32_t mem; /* of a key */
} mems[MAX_OBJECTS], keys[MAX_OBJECTS];

static struct fake_queue {
	struct driver_queue *queue; /* NULL: free */
	char *memory;
	size_t size;
	struct doca_ring_kernel *kernel;
	struct doca_cqe *cqes;
	uint32_t nr_segs;
	int peer; /* other end of the queue's fd */
	uint32_t sq_head, cq_tail;
	struct doca_sqe waits[FAKE_MAX_WAITS];
	uint32_t nr_waits, max_waits;
	bool wake;
} queues[MAX_QUEUES];

static bool removed;
static uint32_t next_mem, next_key;

/* Of the tables above, while they change. */
static pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;

#define FAKE_COUNT(counter, n) \
	__atomic_fetch_add(&(counter), n, __ATOMIC_RELAXED)

int driver_get(void)
{
	if (fake.get_error)
		return fake.get_error;
	FAKE_COUNT(fake.refs, 1);
	return 0;
}

void driver_put(void)
{
	FAKE_COUNT(fake.refs, -1);
}

const struct doca_query *driver_caps(void)
{
	return fake.caps ? fake.caps : &caps;
}

int driver_mem_reg(void *addr, size_t len, uint32_t access, uint32_t *mem_id,
		   struct driver_mem_limit *limit)
{
	*limit = (struct driver_mem_limit){ .limit = UINT64_MAX };
	if (fake.mem_error)
		return fake.mem_error;
	pthread_mutex_lock(&fake_lock);
	*mem_id = ++next_mem % MAX_OBJECTS;
	mems[*mem_id].addr = (uintptr_t)addr;
	mems[*mem_id].length = len;
	mems[*mem_id].access = access;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_reg_dmabuf(int fd, size_t offset, void *addr, size_t len,
			  uint32_t access, uint32_t *mem_id,
			  struct driver_mem_limit *limit)
{
	(void)fd, (void)offset, (void)addr, (void)len, (void)access;
	(void)mem_id, (void)limit;
	return -EOPNOTSUPP;
}

int driver_mem_dereg(uint32_t mem_id)
{
	pthread_mutex_lock(&fake_lock);
	memset(&mems[mem_id], 0, sizeof(mems[mem_id]));
	for (uint32_t i = 0; i < MAX_OBJECTS; i++)
		if (keys[i].mem == mem_id)
			memset(&keys[i], 0, sizeof(keys[i]));
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_map(uint32_t mem_id, uint32_t device_id, uint32_t access,
		   uint32_t *key)
{
	if (device_id != FAKE_DEVICE_ID || removed)
		return -ENODEV;
	pthread_mutex_lock(&fake_lock);
	*key = ++next_key % MAX_OBJECTS;
	keys[*key].addr = mems[mem_id].addr;
	keys[*key].length = mems[mem_id].length;
	keys[*key].access = access;
	keys[*key].mem = mem_id;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_unmap(uint32_t key)
{
	memset(&keys[key], 0, sizeof(keys[key]));
	return 0;
}

int driver_mem_export(uint32_t key, bool any_user, void *blob, size_t size)
{
	struct doca_blob out = { .magic = DOCA_BLOB_MAGIC };

	(void)any_user;
	if (size != sizeof(out))
		return -EMSGSIZE;
	if (!(mems[keys[key].mem].access & DOCA_ACCESS_PCI_READ))
		return -EACCES;
	out.export_id = keys[key].mem;
	memcpy(blob, &out, sizeof(out));
	return 0;
}

int driver_mem_import(uint32_t device_id, const void *blob, size_t size,
		      struct doca_mem_import *out)
{
	struct doca_blob in;
	uint32_t access, mem;
	int err;

	if (fake.import_error)
		return fake.import_error;
	if (size != sizeof(in))
		return -EINVAL;
	memcpy(&in, blob, sizeof(in));
	if (in.magic != DOCA_BLOB_MAGIC)
		return -EINVAL;
	mem = in.export_id;
	if (mem >= MAX_OBJECTS || !mems[mem].length)
		return -ENOKEY;
	access = DOCA_ACCESS_LOCAL_READ;
	if (mems[mem].access & DOCA_ACCESS_PCI_WRITE)
		access |= DOCA_ACCESS_LOCAL_WRITE;
	err = driver_mem_map(mem, device_id, access, &out->out_key);
	if (err)
		return err;
	out->out_access = access;
	out->out_addr = mems[mem].addr;
	out->out_length = mems[mem].length;
	return 0;
}

int driver_worker_create(uint32_t idle_us, uint32_t *worker_id)
{
	if (!fake.workers)
		return -EOPNOTSUPP;
	if (fake.worker_error)
		return fake.worker_error;
	pthread_mutex_lock(&fake_lock);
	fake.idle_us = idle_us;
	*worker_id = ++fake.workers_made;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_worker_destroy(uint32_t worker_id)
{
	(void)worker_id;
	FAKE_COUNT(fake.workers_gone, 1);
	return 0;
}

/* The fake has another use for a field than driver.c. */
#define queue_number user_size

static struct fake_queue *find(const struct driver_queue *queue)
{
	return &queues[queue->queue_number];
}

static struct fake_queue *find_free(const struct driver_queue *queue)
{
	struct fake_queue *q = queues;

	pthread_mutex_lock(&fake_lock);
	while (q->queue)
		q++;
	*q = (struct fake_queue){ .queue = (struct driver_queue *)queue };
	fake.queues++;
	pthread_mutex_unlock(&fake_lock);
	return q;
}

int driver_queue_create(struct driver_queue *queue,
			const struct driver_queue_attr *attr)
{
	size_t user = 4096, kernel = 4096;
	size_t seg_off, cq_off, size;
	struct fake_queue *q;
	int fds[2];

	if (fake.queue_error)
		return fake.queue_error;
	if (removed)
		return -ENODEV;
	if (!attr->entries || attr->entries & (attr->entries - 1) ||
	    attr->entries > caps.out_max_queue_entries ||
	    attr->segments > caps.out_max_queue_segments ||
	    attr->waits > caps.out_max_queue_waits)
		return -EINVAL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds))
		return -errno;

	seg_off = user + attr->entries * sizeof(struct doca_sqe);
	cq_off = seg_off + attr->segments * sizeof(struct doca_seg) + kernel;
	cq_off = (cq_off + 63) & ~63UL;
	size = cq_off + attr->entries * sizeof(struct doca_cqe);
	q = find_free(queue);
	q->size = size;
	q->memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	q->kernel = (void *)(q->memory + cq_off - kernel);
	q->cqes = (void *)(q->memory + cq_off);
	q->nr_segs = attr->segments;
	q->max_waits = attr->waits;
	q->peer = fds[1];
	q->kernel->need_wakeup = !attr->worker_id || fake.asleep;

	*queue = (struct driver_queue){
		.ring = {
			.user = (void *)q->memory,
			.kernel = q->kernel,
			.sqes = (void *)(q->memory + user),
			.segs = (void *)(q->memory + seg_off),
			.cqes = q->cqes,
			.sq_mask = attr->entries - 1,
			.cq_mask = attr->entries - 1,
			.sq_order = __builtin_ctz(attr->entries),
			.cq_order = __builtin_ctz(attr->entries),
		},
		.fd = fds[0],
		.worker_id = attr->worker_id,
		.generation = driver_generation(),
		.queue_number = q - queues,
	};
	return 0;
}

void driver_queue_destroy(struct driver_queue *queue)
{
	struct fake_queue *q;

	if (!driver_current(queue->generation))
		return;
	q = find(queue);
	munmap(q->memory, q->size);
	close(queue->fd);
	if (q->peer >= 0)
		close(q->peer);
	pthread_mutex_lock(&fake_lock);
	q->queue = NULL;
	fake.queues--;
	pthread_mutex_unlock(&fake_lock);
}

static const struct doca_seg *list_of(const struct fake_queue *q,
				      const struct doca_seg *seg, uint32_t *n)
{
	if (seg->key || !seg->length || seg->length > FAKE_LIST_MAX ||
	    seg->address + seg->length > q->nr_segs)
		return NULL;
	*n = seg->length;
	return q->queue->ring.segs + seg->address;
}

static enum doca_status check(const struct doca_seg *segs, uint32_t n,
			      uint32_t access, uint64_t *bytes)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t key = segs[i].key;

		if (!key || key >= MAX_OBJECTS || !keys[key].length)
			return DOCA_STATUS_BAD_KEY;
		if (segs[i].address < keys[key].addr ||
		    segs[i].address + segs[i].length >
			    keys[key].addr + keys[key].length)
			return DOCA_STATUS_BAD_RANGE;
		if (!(keys[key].access & access))
			return DOCA_STATUS_BAD_ACCESS;
		*bytes += segs[i].length;
	}
	return DOCA_STATUS_SUCCESS;
}

static void copy(const struct doca_seg *src, const struct doca_seg *dst,
		 uint64_t bytes)
{
	uint32_t s = 0, d = 0;

	while (bytes) {
		uint32_t n = src->length - s;

		if (n > dst->length - d)
			n = dst->length - d;
		memcpy((char *)dst->address + d, (char *)src->address + s, n);
		bytes -= n;
		s += n;
		d += n;
		if (s == src->length)
			src++, s = 0;
		if (d == dst->length)
			dst++, d = 0;
	}
}

static uint32_t state_of(const struct fake_queue *q)
{
	return __atomic_load_n(&q->kernel->state, __ATOMIC_RELAXED);
}

static void set_state(struct fake_queue *q, enum doca_queue_state state)
{
	__atomic_store_n(&q->kernel->state, state, __ATOMIC_RELEASE);
}

static enum doca_status invalidate(const struct doca_sqe *sqe)
{
	uint64_t bytes = 0;
	enum doca_status status;

	if (sqe->__reserved || sqe->flags || sqe->src.key || sqe->src.length ||
	    sqe->src.address || sqe->op[0] || sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	status = check(&sqe->dst, 1, DOCA_ACCESS_LOCAL_WRITE, &bytes);
	if (!status && bytes > FAKE_MAX_LENGTH)
		status = DOCA_STATUS_BAD_LENGTH;
	fake.invalidated = sqe->dst;
	return status;
}

#include "fake_sync.h"

static uint32_t execute(struct fake_queue *q, const struct doca_sqe *sqe,
			uint32_t *length, uint64_t *result)
{
	const struct doca_seg *src = &sqe->src, *dst = &sqe->dst;
	uint64_t src_bytes = 0, dst_bytes = 0;
	uint32_t nr_src = 1, nr_dst = 1;
	enum doca_status status;

	if (state_of(q) != DOCA_QUEUE_RUN)
		return DOCA_STATUS_CANCELED;
	if (sqe->opcode == DOCA_OP_INVALIDATE)
		return invalidate(sqe);
	if (sqe->opcode >= DOCA_OP_SYNC_GET &&
	    sqe->opcode <= DOCA_OP_SYNC_WAIT_NE)
		return execute_sync(q, sqe, length, result);
	if (sqe->opcode != DOCA_OP_MEMCPY)
		return DOCA_STATUS_BAD_OPCODE;
	if (sqe->__reserved || sqe->op[0] || sqe->op[1] ||
	    sqe->flags & ~(DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST))
		return DOCA_STATUS_BAD_ENTRY;
	if (sqe->flags & DOCA_SQE_SRC_LIST)
		src = list_of(q, src, &nr_src);
	if (sqe->flags & DOCA_SQE_DST_LIST)
		dst = list_of(q, dst, &nr_dst);
	if (!src || !dst)
		return DOCA_STATUS_BAD_ENTRY;
	status = check(src, nr_src, DOCA_ACCESS_LOCAL_READ, &src_bytes);
	if (!status)
		status =
			check(dst, nr_dst, DOCA_ACCESS_LOCAL_WRITE, &dst_bytes);
	if (status)
		return status;
	if (src_bytes > dst_bytes || src_bytes > FAKE_MAX_LENGTH)
		return DOCA_STATUS_BAD_LENGTH;
	copy(src, dst, src_bytes);
	*length = src_bytes;
	return DOCA_STATUS_SUCCESS;
}

static void complete(struct fake_queue *q, uint64_t user_data, uint32_t status,
		     uint32_t length, uint64_t result)
{
	const struct ring *ring = &q->queue->ring;
	struct doca_cqe *cqe = &q->cqes[q->cq_tail & ring->cq_mask];

	if (q->cq_tail -
		    __atomic_load_n(&ring->user->cq_head, __ATOMIC_ACQUIRE) >
	    ring->cq_mask)
		abort();
	cqe->user_data = user_data;
	cqe->status = status;
	cqe->length = length;
	cqe->result[0] = result;
	__atomic_store_n(&cqe->lap, DOCA_RING_LAP(q->cq_tail, ring->cq_order),
			 __ATOMIC_SEQ_CST);
	q->kernel->cq_tail = ++q->cq_tail;
	if (q->cq_tail ==
	    __atomic_load_n(&ring->user->notify_at, __ATOMIC_RELAXED))
		q->wake = true;
}

static bool has_work(const struct fake_queue *q)
{
	const struct ring *ring = &q->queue->ring;
	const uint16_t *lap = &ring->sqes[q->sq_head & ring->sq_mask].lap;

	return __atomic_load_n(lap, __ATOMIC_ACQUIRE) ==
	       DOCA_RING_LAP(q->sq_head, ring->sq_order);
}

static void finish(struct fake_queue *q, uint64_t user_data, uint32_t status,
		   uint32_t length, uint64_t result)
{
	if (status)
		set_state(q, DOCA_QUEUE_FLUSH);
	complete(q, user_data, status, length, status ? 0 : result);
}

static void look_at_waits(struct fake_queue *q)
{
	uint32_t i = 0;

	while (i < q->nr_waits) {
		struct doca_sqe sqe = q->waits[i];
		uint32_t status = DOCA_STATUS_CANCELED;
		uint64_t result = 0;

		if (state_of(q) == DOCA_QUEUE_RUN)
			status = look(&sqe, &result);
		if (status == FAKE_PENDING) {
			i++;
			continue;
		}
		q->nr_waits--;
		memmove(&q->waits[i], &q->waits[i + 1],
			(q->nr_waits - i) * sizeof(sqe));
		finish(q, sqe.user_data, status, 0, result);
	}
}

static void run(struct fake_queue *q, uint32_t n)
{
	const struct ring *ring = &q->queue->ring;

	if (state_of(q) == DOCA_QUEUE_BROKEN)
		return;
	while (n-- && has_work(q)) {
		struct doca_sqe *slot = &ring->sqes[q->sq_head & ring->sq_mask];
		struct doca_sqe sqe = *slot;
		uint32_t status, length = 0;
		uint64_t result = 0;

		memset(slot, 0xee, sizeof(*slot)); /* it must be filled anew */
		slot->lap = sqe.lap;
		__atomic_store_n(&q->kernel->sq_head, ++q->sq_head,
				 __ATOMIC_RELEASE);
		status = fake.status;
		fake.status = DOCA_STATUS_SUCCESS;
		if (!status)
			status = execute(q, &sqe, &length, &result);
		if (status != FAKE_PENDING)
			finish(q, sqe.user_data, status, length, result);
	}
	look_at_waits(q);
}

int driver_queue_enter(struct driver_queue *queue)
{
	struct fake_queue *q = find(queue);

	FAKE_COUNT(fake.enters, 1);
	if (fake.enter_fails)
		return -ENODEV;
	if (queue->worker_id)
		__atomic_store_n(&q->kernel->need_wakeup, 0, __ATOMIC_SEQ_CST);
	else
		run(q, fake.enter_budget ? fake.enter_budget : UINT32_MAX);
	return 0;
}

int driver_queue_stop(struct driver_queue *queue)
{
	struct fake_queue *q = find(queue);

	FAKE_COUNT(fake.stops, 1);
	if (state_of(q) == DOCA_QUEUE_RUN)
		set_state(q, DOCA_QUEUE_FLUSH);
	return 0;
}

#define for_each_queue(q)                              \
	for (q = queues; q < queues + MAX_QUEUES; q++) \
		if (q->queue)

/* Have the workers execute up to @n entries of each queue. */
static inline void fake_work(unsigned int n)
{
	struct fake_queue *q;

	for_each_queue(q) if (q->queue->worker_id && !q->kernel->need_wakeup)
		run(q, n);
}

/* Remove the device: all queues die, and flush. */
static inline void fake_remove_device(void)
{
	struct fake_queue *q;

	removed = true;
	for_each_queue(q)
	{
		q->kernel->dead = 1;
		if (q->kernel->state == DOCA_QUEUE_RUN)
			q->kernel->state = DOCA_QUEUE_FLUSH;
		close(q->peer);
		q->peer = -1;
	}
}

static inline void fake_break_queues(void)
{
	struct fake_queue *q;

	for_each_queue(q) q->kernel->state = DOCA_QUEUE_BROKEN;
}

/* Publish a completion of a submission that never was. */
static inline void fake_stray_completion(uint64_t user_data)
{
	struct fake_queue *q;

	for_each_queue(q) complete(q, user_data, DOCA_STATUS_SUCCESS, 0, 0);
}

/* What the child of a fork sees. fake_reset() goes back. */
static inline void fake_fork(void)
{
	struct fake_queue *q;

	for_each_queue(q)
	{
		mprotect(q->memory, q->size, PROT_NONE);
		close(q->queue->fd);
		close(q->peer);
		q->queue = NULL;
		fake.queues--;
	}
	driver_forks++;
}

/* A device that was not opened; debug mode would not know it. */
static inline void fake_add_dev(const struct doca_dev *dev)
{
	doca_priv_debug_add(dev, DEBUG_DEV, sizeof(*dev), 1);
}

/* As at the start, with workers or without. */
static inline void fake_reset(bool workers)
{
	fake = (struct fake){ .workers = workers };
	removed = false;
	driver_forks = 0;
	fake_add_dev(&fake_dev);
}

/* A queue is readable from a wake-up until its completions are consumed. */
static void sync_queue(struct fake_queue *q)
{
	char c;

	while (recv(q->queue->fd, &c, 1, MSG_DONTWAIT) > 0)
		;
	if (q->cq_tail == q->queue->ring.user->cq_head)
		q->wake = false;
	if (q->wake && q->peer >= 0)
		send(q->peer, "", 1, MSG_NOSIGNAL);
}

/* Would a wait for @fd end? */
static inline bool fake_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct fake_queue *q;

	for_each_queue(q) sync_queue(q);
	return poll(&p, 1, 0) > 0;
}

#endif /* DOCA_TESTS_FAKE_DRIVER_H */
