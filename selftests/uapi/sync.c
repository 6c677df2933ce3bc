// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Operations on values of 64 bits; wait.c tests how waits go on */
#include <pthread.h>

#include "sync.h"

TEST_F(sync, get_set_add)
{
	struct doca_cqe cqe;

	*self->value = 0x123456789abcdef0;
	ASSERT_EQ(0, queue_do(&self->q, sqe_sync_get(self->seg), &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(0x123456789abcdef0, cqe.result[0]);
	EXPECT_EQ(0, cqe.result[1]);
	EXPECT_EQ(0, cqe.length);

	ASSERT_EQ(0, queue_do(&self->q,
			      sqe_sync_write(DOCA_OP_SYNC_SET, self->seg,
					     UINT64_MAX - 1), &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(UINT64_MAX - 1, *self->value);
	EXPECT_EQ(0, cqe.result[0]);
	EXPECT_EQ(8, cqe.length);

	ASSERT_EQ(0, queue_do(&self->q, sqe_sync_write(DOCA_OP_SYNC_ADD, self->seg, 5), &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(3, *self->value);
	EXPECT_EQ(UINT64_MAX - 1, cqe.result[0]);
	EXPECT_EQ(8, cqe.length);

	/* The completion's slot had a result before: it is gone */
	for (int i = 0; i < ENTRIES; i++) {
		ASSERT_EQ(0, queue_do(&self->q, sqe_nop(0), &cqe));
		EXPECT_EQ(0, cqe.result[0]);
	}
	EXPECT_EQ(0, self->buf.addr[PAGE]);
	EXPECT_EQ(0, self->buf.addr[PAGE - 9]);
}

static const struct {
	uint16_t opcode;
	uint64_t value, comparand, mask;
	bool over;
} comparisons[] = {
	{ DOCA_OP_SYNC_WAIT_GT, 1, 0, MASK, true },
	{ DOCA_OP_SYNC_WAIT_GT, 1, 1, MASK, false },
	{ DOCA_OP_SYNC_WAIT_GT, 0, 1, MASK, false },
	{ DOCA_OP_SYNC_WAIT_GT, 1ULL << 63, 5, MASK, true },
	{ DOCA_OP_SYNC_WAIT_GT, 5, 1ULL << 63, MASK, false },
	{ DOCA_OP_SYNC_WAIT_GT, 0x1234, 0x33, 0xff, true },
	{ DOCA_OP_SYNC_WAIT_GT, 0x1234, 0x34, 0xff, false },
	{ DOCA_OP_SYNC_WAIT_GT, MASK, 0, 0, false },
	{ DOCA_OP_SYNC_WAIT_EQ, 7, 7, MASK, true },
	{ DOCA_OP_SYNC_WAIT_EQ, 8, 7, MASK, false },
	{ DOCA_OP_SYNC_WAIT_EQ, 6, 7, MASK, false },
	{ DOCA_OP_SYNC_WAIT_EQ, 0x107, 7, 0xff, true },
	{ DOCA_OP_SYNC_WAIT_EQ, 0x107, 0x107, 0xff, false },
	{ DOCA_OP_SYNC_WAIT_NE, 8, 7, MASK, true },
	{ DOCA_OP_SYNC_WAIT_NE, 7, 7, MASK, false },
	{ DOCA_OP_SYNC_WAIT_NE, 0x107, 7, 0xff, false },
	{ DOCA_OP_SYNC_WAIT_NE, 0x107, 0x107, 0xff, true },
};

/* Some waits end at once; the others do not end before the queue does */
TEST_F(sync, comparisons)
{
	struct doca_cqe cqe;
	size_t i;

	for (i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
		TH_LOG("comparison %zu", i);
		*self->value = comparisons[i].value;
		EXPECT_EQ(0, submit(&self->q,
				    sqe_sync_wait(comparisons[i].opcode,
						  self->seg,
						  comparisons[i].comparand,
						  comparisons[i].mask), i));
		if (!comparisons[i].over) {
			EXPECT_TRUE(quiet(&self->q));
			EXPECT_EQ(0, queue_stop(self->q.fd));
		}
		ASSERT_EQ(0, queue_wait(&self->q, &cqe));
		EXPECT_EQ(i, cqe.user_data);
		if (comparisons[i].over) {
			EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
			EXPECT_EQ(comparisons[i].value, cqe.result[0]);
			continue;
		}
		EXPECT_EQ(DOCA_STATUS_CANCELED, cqe.status);
		EXPECT_EQ(0, cqe.result[0]);
		queue_close(&self->q);
		ASSERT_EQ(0, queue_open_waits(&self->q, &self->d, self->worker, ENTRIES, WAITS));
	}
}

/* A thread that has seen a set also sees the copy before it */
TEST_F(sync, set_follows_the_copy)
{
	struct doca_cqe cqe;

	fill_random(self->buf.addr + PAGE, 2048, 5);
	queue_push(&self->q, sqe_copy(seg_of(&self->buf, 0, 2048), seg_of(&self->buf, PAGE, 2048)));
	queue_push(&self->q, sqe_sync_write(DOCA_OP_SYNC_SET, self->seg, 1));
	ASSERT_EQ(0, queue_publish(&self->q));
	while (!__atomic_load_n(self->value, __ATOMIC_ACQUIRE))
		sched_yield();
	EXPECT_EQ(0, memcmp(self->buf.addr, self->buf.addr + PAGE, 2048));
	EXPECT_EQ(0, queue_wait(&self->q, &cqe));
	EXPECT_EQ(0, queue_wait(&self->q, &cqe));
}

struct adder {
	uint64_t *value;
	uint32_t times;
};

static void *add_by_cpu(void *arg)
{
	struct adder *a = arg;
	uint32_t i;

	for (i = 0; i < a->times; i++)
		__atomic_fetch_add(a->value, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Additions of the kernel and of the CPU all count */
TEST_F(sync, additions_are_atomic)
{
	struct adder adder = { self->value, 100000 };
	uint32_t done = 0, sent = 0;
	struct doca_cqe cqe;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, add_by_cpu, &adder));
	while (done < 5000) {
		if (sent < 5000 && sent - done < ENTRIES) {
			queue_push(&self->q, sqe_sync_write(DOCA_OP_SYNC_ADD, self->seg, 3));
			sent++;
			ASSERT_EQ(0, queue_publish(&self->q));
		}
		while (queue_reap(&self->q, &cqe))
			done += cqe.status == DOCA_STATUS_SUCCESS;
	}
	pthread_join(thread, NULL);
	EXPECT_EQ(100000 + 3 * 5000, *self->value);
}

/* Return the status of each kind of operation with the value at @seg */
static int sync_status(const struct doca *d, uint32_t worker, uint16_t opcode, struct doca_seg seg)
{
	struct doca_sqe sqe = { .opcode = opcode };
	struct queue q;
	int status;

	if (opcode == DOCA_OP_SYNC_SET || opcode == DOCA_OP_SYNC_ADD)
		sqe.dst = seg;
	else
		sqe.src = seg;
	if (opcode == DOCA_OP_SYNC_WAIT_EQ || opcode == DOCA_OP_SYNC_WAIT_GT)
		sqe.op[1] = MASK;
	if (queue_open_waits(&q, d, worker, 2, 2))
		return -1;
	status = queue_status(&q, sqe);
	queue_close(&q);
	return status;
}

/* Entries are refused in the same way for any worker. */
#define ONCE()                                                          \
	do {                                                            \
		if (variant->mode.idle_us)                              \
			SKIP(return, "as where the worker sleeps");     \
	} while (0)
#define FOR_EACH_OPCODE(op) \
	for (op = DOCA_OP_SYNC_GET; op <= DOCA_OP_SYNC_WAIT_NE; op++)
#define SYNC_STATUS(op, seg) sync_status(&self->d, self->worker, op, seg)

TEST_F(sync, bad_values)
{
	struct doca_seg seg;
	uint16_t op;

	ONCE();
	FOR_EACH_OPCODE(op) {
		TH_LOG("opcode %u", op);
		seg = self->seg;
		for (seg.length = 0; seg.length < 20; seg.length++)
			if (seg.length != 8)
				EXPECT_EQ(DOCA_STATUS_BAD_LENGTH, SYNC_STATUS(op, seg));
		seg.length = UINT32_MAX;
		EXPECT_EQ(DOCA_STATUS_BAD_LENGTH, SYNC_STATUS(op, seg));
		for (seg = self->seg; ++seg.address & 7;)
			EXPECT_EQ(DOCA_STATUS_BAD_ALIGN, SYNC_STATUS(op, seg));
		seg = self->seg;
		seg.address = (uintptr_t)self->buf.addr + 2 * PAGE;
		EXPECT_EQ(DOCA_STATUS_BAD_RANGE, SYNC_STATUS(op, seg));
		seg.address = (uintptr_t)self->buf.addr - 8;
		EXPECT_EQ(DOCA_STATUS_BAD_RANGE, SYNC_STATUS(op, seg));
		seg.address = UINT64_MAX - 7;
		EXPECT_EQ(DOCA_STATUS_BAD_RANGE, SYNC_STATUS(op, seg));
		seg = self->seg;
		seg.key = 0;
		EXPECT_EQ(DOCA_STATUS_BAD_KEY, SYNC_STATUS(op, seg));
		seg.key = self->seg.key + 4096;
		EXPECT_EQ(DOCA_STATUS_BAD_KEY, SYNC_STATUS(op, seg));
	}
}

TEST_F(sync, bad_access)
{
	struct doca_seg ro = self->seg, wo = self->seg;

	ONCE();
	*self->value = 0;
	ro.key = self->read_key;
	wo.key = self->write_key;
	EXPECT_EQ(0, SYNC_STATUS(DOCA_OP_SYNC_GET, ro));
	EXPECT_EQ(0, SYNC_STATUS(DOCA_OP_SYNC_WAIT_EQ, ro));
	EXPECT_EQ(0, SYNC_STATUS(DOCA_OP_SYNC_SET, wo));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, SYNC_STATUS(DOCA_OP_SYNC_GET, wo));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, SYNC_STATUS(DOCA_OP_SYNC_WAIT_EQ, wo));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, SYNC_STATUS(DOCA_OP_SYNC_SET, ro));
	/* It returns the value before */
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, SYNC_STATUS(DOCA_OP_SYNC_ADD, ro));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, SYNC_STATUS(DOCA_OP_SYNC_ADD, wo));
}

TEST_F(sync, of_another_process)
{
	struct doca_mem_import in;
	struct doca_cqe cqe;
	struct exporter e;
	struct doca_seg seg;

	ASSERT_TRUE(exporter_start(&e, &plain));
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &e.blob, &in));
	seg = exported(&e, in.out_key);
	ASSERT_EQ(0, queue_status(&self->q, sqe_sync_write(DOCA_OP_SYNC_SET, seg, 41)));
	ASSERT_EQ(0, queue_do(&self->q, sqe_sync_write(DOCA_OP_SYNC_ADD, seg, 1), &cqe));
	EXPECT_EQ(41, cqe.result[0]);
	ASSERT_EQ(0, queue_do(&self->q, sqe_sync_get(seg), &cqe));
	EXPECT_EQ(42, cqe.result[0]);
	EXPECT_EQ(0, exporter_end(&e));
}

TEST_HARNESS_MAIN
