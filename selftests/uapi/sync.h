/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A value of 64 bits, a queue that may wait for it, and one that may not */
#ifndef DOCA_SYNC_H
#define DOCA_SYNC_H

#include "exporter.h"
#include "kselftest_harness.h"

#define WAITS 8
#define ENTRIES 16
#define MASK UINT64_MAX

FIXTURE(sync) {
	struct doca d;
	struct doca_query limits;
	uint32_t worker;
	struct buf buf;
	uint64_t *value;
	struct doca_seg seg;
	uint32_t read_key, write_key;
	struct queue q, other;
};

FIXTURE_VARIANT(sync) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(sync, enter) {};
FIXTURE_VARIANT_ADD(sync, sleeps) { .mode = { true, 0 } };
FIXTURE_VARIANT_ADD(sync, spins_a_while) { .mode = { true, 50 } };
FIXTURE_VARIANT_ADD(sync, polls) { .mode = { true, DOCA_IDLE_NEVER } };

FIXTURE_SETUP(sync)
{
	struct buf *b = &self->buf;

	signal(SIGPIPE, SIG_IGN);
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, query(self->d.fd, &self->limits));
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, b, 2 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, mem_map(self->d.fd, b->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &self->read_key));
	ASSERT_EQ(0, mem_map(self->d.fd, b->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_WRITE, &self->write_key));
	self->seg = seg_of(b, PAGE - 8, 8);
	self->value = (void *)(b->addr + PAGE - 8);
	ASSERT_EQ(0, queue_open_waits(&self->q, &self->d, self->worker, ENTRIES, WAITS));
	ASSERT_EQ(0, queue_open_waits(&self->other, &self->d, 0, ENTRIES, 0));
}

FIXTURE_TEARDOWN(sync)
{
	queue_close(&self->other);
	queue_close(&self->q);
	while (wait(NULL) > 0)
		;
	DOCA_CLOSE(&self->d);
}

static inline void put(uint64_t *value, uint64_t to)
{
	__atomic_store_n(value, to, __ATOMIC_RELEASE);
}

static inline int submit(struct queue *q, struct doca_sqe sqe, uint64_t user_data)
{
	sqe.user_data = user_data;
	queue_push(q, sqe);
	return queue_publish(q);
}

/* Return true if only an entry submitted here completes, and nothing before it */
static inline bool quiet(struct queue *q)
{
	struct doca_cqe cqe;

	return !submit(q, sqe_nop(4711), 4711) && !queue_wait(q, &cqe) &&
	       cqe.user_data == 4711 && !queue_reap(q, &cqe);
}

static inline struct doca_sqe wait_gt(const struct doca_seg *seg, uint64_t comparand)
{
	return sqe_sync_wait(DOCA_OP_SYNC_WAIT_GT, *seg, comparand, MASK);
}

/* An exporter's value: its address is @e's, rounded up to a multiple of 8 */
static inline struct doca_seg exported(const struct exporter *e, uint32_t key)
{
	return (struct doca_seg){ key, 8, ((uintptr_t)e->addr + 7) & ~7UL };
}

#endif /* DOCA_SYNC_H */
