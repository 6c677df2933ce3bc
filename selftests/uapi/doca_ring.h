/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Operations on the rings: the protocol of linux/doca_ring.h in its plainest form */
#ifndef DOCA_RING_H
#define DOCA_RING_H

#include <poll.h>
#include <sched.h>

#include "doca_uapi.h"

#define WAIT_NS 10000000000ULL

/* The executor of a queue: the caller in ENTER, or a worker */
struct mode {
	bool worker;
	uint32_t idle_us;
};

struct queue {
	int fd;
	struct doca_queue_create geo;
	struct doca_ring_user *user;
	const struct doca_ring_kernel *kernel;
	struct doca_sqe *sq;
	struct doca_seg *segs;
	const struct doca_cqe *cq;
	uint32_t tail; /* entries written */
	uint32_t published;
	uint32_t head;
};

static inline int queue_map(struct queue *q)
{
	char *user, *kernel;

	user = mmap(NULL, q->geo.out_user_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, q->fd, DOCA_MMAP_USER);
	if (user == MAP_FAILED)
		return -errno;
	kernel = mmap(NULL, q->geo.out_kernel_size, PROT_READ, MAP_SHARED, q->fd, DOCA_MMAP_KERNEL);
	if (kernel == MAP_FAILED) {
		int err = -errno;

		munmap(user, q->geo.out_user_size);
		return err;
	}
	q->user = (void *)user;
	q->kernel = (void *)kernel;
	q->sq = (void *)(user + q->geo.out_sq_off);
	q->segs = (void *)(user + q->geo.out_seg_off);
	q->cq = (void *)(kernel + q->geo.out_cq_off);
	return 0;
}

static inline int queue_create(struct queue *q, const struct doca *d, struct doca_queue_create geo)
{
	int err;

	*q = (struct queue){ .fd = -1, .geo = geo };
	q->geo.size = sizeof(q->geo);
	q->geo.device_id = d->device;
	err = doca_call(d->fd, DOCA_QUEUE_CREATE, &q->geo);
	if (err)
		return err;
	q->fd = q->geo.out_fd;
	err = queue_map(q);
	if (err) {
		close(q->fd);
		q->fd = -1;
	}
	return err;
}

static inline int queue_open_cq(struct queue *q, const struct doca *d,
				uint32_t worker, uint32_t sq_entries,
				uint32_t cq_entries, uint32_t segments)
{
	return queue_create(q, d, (struct doca_queue_create){
					  .worker_id = worker,
					  .sq_entries = sq_entries,
					  .cq_entries = cq_entries,
					  .nr_segments = segments,
				  });
}

/* Open a queue for up to @waits pending waits */
static inline int queue_open_waits(struct queue *q, const struct doca *d,
				   uint32_t worker, uint32_t entries,
				   uint32_t waits)
{
	return queue_create(q, d, (struct doca_queue_create){
					  .worker_id = worker,
					  .sq_entries = entries,
					  .cq_entries = entries,
					  .nr_waits = waits,
				  });
}

static inline int queue_open(struct queue *q, const struct doca *d,
			     uint32_t worker, uint32_t entries,
			     uint32_t segments)
{
	return queue_open_cq(q, d, worker, entries, entries, segments);
}

static inline void queue_close(struct queue *q)
{
	if (q->fd < 0)
		return;
	munmap(q->user, q->geo.out_user_size);
	munmap((void *)q->kernel, q->geo.out_kernel_size);
	close(q->fd);
	q->fd = -1;
}

#define ring_load(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define ring_store(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define ring_barrier() __atomic_thread_fence(__ATOMIC_SEQ_CST)

static inline uint16_t ring_phase(uint32_t index, uint32_t entries)
{
	return DOCA_RING_PHASE(index, __builtin_ctz(entries));
}

/* Write an entry; it is not visible before queue_announce() */
static inline void queue_push(struct queue *q, struct doca_sqe sqe)
{
	sqe.phase = 0;
	q->sq[q->tail++ & (q->geo.sq_entries - 1)] = sqe;
}

static inline void queue_set_phase(struct queue *q, uint32_t index)
{
	ring_store(&q->sq[index & (q->geo.sq_entries - 1)].phase,
		   ring_phase(index, q->geo.sq_entries));
}

/* Make pushed entries visible, without a call */
static inline void queue_announce(struct queue *q)
{
	uint32_t i;

	if (q->published == q->tail)
		return;
	for (i = q->published + 1; i != q->tail; i++)
		queue_set_phase(q, i);
	queue_set_phase(q, q->published);
	q->published = q->tail;
}

static inline int queue_wake(struct queue *q)
{
	ring_barrier();
	if (!__atomic_load_n(&q->kernel->need_wakeup, __ATOMIC_RELAXED))
		return 0;
	return queue_enter(q->fd, UINT32_MAX, NULL);
}

static inline int queue_publish(struct queue *q)
{
	queue_announce(q);
	return queue_wake(q);
}

static inline bool queue_reap(struct queue *q, struct doca_cqe *cqe)
{
	const struct doca_cqe *next =
		&q->cq[q->head & (q->geo.cq_entries - 1)];

	if (ring_load(&next->phase) != ring_phase(q->head, q->geo.cq_entries))
		return false;
	*cqe = *next;
	q->head++;
	ring_store(&q->user->cq_head, q->head);
	return true;
}

/* Wait for a completion; -EPIPE if none can come any more */
static inline int queue_wait(struct queue *q, struct doca_cqe *cqe)
{
	while (!queue_reap(q, cqe)) {
		if (ring_load(&q->kernel->dead) ||
		    ring_load(&q->kernel->state) == DOCA_QUEUE_BROKEN)
			return queue_reap(q, cqe) ? 0 : -EPIPE;
		sched_yield();
	}
	return 0;
}

/* Submit one entry to an idle queue and wait for its completion */
static inline int queue_do(struct queue *q, struct doca_sqe sqe, struct doca_cqe *cqe)
{
	int err;

	queue_push(q, sqe);
	err = queue_publish(q);
	return err ? err : queue_wait(q, cqe);
}

/* Like queue_do(), if only the status matters; negative if no completion came */
static inline int queue_status(struct queue *q, struct doca_sqe sqe)
{
	struct doca_cqe cqe;
	int err = queue_do(q, sqe, &cqe);

	return err ? err : (int)cqe.status;
}

#define FOREVER -1

static inline int queue_revents(const struct queue *q, short events, int ms)
{
	struct pollfd p = { .fd = q->fd, .events = events };

	return poll(&p, 1, ms) < 0 ? -errno : p.revents;
}

static inline struct doca_sqe sqe_nop(uint64_t user_data)
{
	return (struct doca_sqe){ .opcode = DOCA_OP_NOP,
				  .user_data = user_data };
}

static inline struct doca_seg seg_at(uint32_t key, const void *addr, uint32_t length)
{
	return (struct doca_seg){ .key = key,
				  .length = length,
				  .address = (uintptr_t)addr };
}

static inline struct doca_seg seg_of(const struct buf *b, size_t offset, uint32_t length)
{
	return seg_at(b->key, b->addr + offset, length);
}

static inline struct doca_seg seg_list(uint32_t first, uint32_t count)
{
	return (struct doca_seg){ .length = count, .address = first };
}

static inline struct doca_sqe sqe_copy(struct doca_seg dst, struct doca_seg src)
{
	return (struct doca_sqe){ .opcode = DOCA_OP_MEMCPY,
				  .dst = dst,
				  .src = src };
}

static inline struct doca_sqe sqe_copy_list(struct doca_seg dst,
					    struct doca_seg src, uint16_t flags)
{
	struct doca_sqe sqe = sqe_copy(dst, src);

	sqe.flags = flags;
	return sqe;
}

/* Write, or read, a value of 64 bits at @seg */
static inline struct doca_sqe sqe_sync_write(uint16_t opcode, struct doca_seg seg, uint64_t operand)
{
	return (struct doca_sqe){ .opcode = opcode,
				  .dst = seg,
				  .op = { operand } };
}

static inline struct doca_sqe sqe_sync_get(struct doca_seg seg)
{
	return (struct doca_sqe){ .opcode = DOCA_OP_SYNC_GET, .src = seg };
}

static inline struct doca_sqe sqe_sync_wait(uint16_t opcode,
					    struct doca_seg seg,
					    uint64_t comparand, uint64_t mask)
{
	return (struct doca_sqe){ .opcode = opcode,
				  .src = seg,
				  .op = { comparand, mask } };
}

/* Make a worker for the mode; 0 if the mode has none */
static inline int mode_worker(const struct doca *d, const struct mode *m, uint32_t *worker)
{
	*worker = 0;
	return m->worker ? worker_create(d->fd, m->idle_us, worker) : 0;
}

#define MODE_WORKER(d, m, worker)                                              \
	do {                                                                   \
		int err_ = mode_worker(d, m, worker);                          \
                                                                               \
		if (err_ == -EOPNOTSUPP)                                       \
			SKIP_SETUP("workers are switched off");                \
		ASSERT_EQ(0, err_);                                            \
	} while (0)

/* Return the thread of a queue's worker */
static inline pid_t worker_pid(const struct queue *q)
{
	return fdinfo_value(q->fd, "doca-worker-pid");
}

/* Return true if workers are threads of their process, and not of the kernel */
static inline bool worker_is_member(const struct queue *q)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d", worker_pid(q));
	return !access(path, F_OK);
}

#endif /* DOCA_RING_H */
