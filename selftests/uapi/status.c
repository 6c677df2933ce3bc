// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Every way in which an entry can be wrong. Each is tried with a good entry before it,
 * which must succeed, and good ones after it, which must be canceled.
 */
#include <stddef.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define LENGTH (2 * PAGE)
#define MAX_LIST 64

FIXTURE(status) {
	struct doca d;
	struct doca_query limits;
	uint32_t worker;
	struct buf buf;
	uint32_t read_key, write_key;
	struct doca_sqe good;
	struct queue q;
};

FIXTURE_VARIANT(status) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(status, enter) {};
FIXTURE_VARIANT_ADD(status, worker) { .mode = { true, 50 } };

FIXTURE_SETUP(status)
{
	struct buf *b = &self->buf;

	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, query(self->d.fd, &self->limits));
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, b, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, mem_map(self->d.fd, b->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &self->read_key));
	ASSERT_EQ(0, mem_map(self->d.fd, b->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_WRITE, &self->write_key));
	self->good = sqe_copy(seg_of(b, PAGE, 100), seg_of(b, 0, 100));
}

FIXTURE_TEARDOWN(status)
{
	DOCA_CLOSE(&self->d);
}

/* Return the status of @bad; negative if its neighbours did not end as they should */
static int judge(struct queue *q, struct doca_sqe good, struct doca_sqe bad)
{
	static const uint32_t before = DOCA_STATUS_SUCCESS,
			      after = DOCA_STATUS_CANCELED;
	struct doca_cqe cqe[4];
	int i, err;

	good.user_data = 0;
	bad.user_data = 1;
	queue_push(q, good);
	queue_push(q, bad);
	good.user_data = 2;
	queue_push(q, good);
	queue_push(q, sqe_nop(3));
	err = queue_publish(q);
	for (i = 0; i < 4 && !err; i++) {
		err = queue_wait(q, &cqe[i]);
		if (!err && cqe[i].user_data != (uint64_t)i)
			err = -EILSEQ;
	}
	if (err)
		return err;
	if (q->kernel->state != DOCA_QUEUE_FLUSH ||
	    cqe[0].status != before || cqe[2].status != after ||
	    cqe[3].status != after || cqe[2].length || cqe[3].length)
		return -EPROTO;
	/* Later entries are flushed too, and the index words follow */
	if (queue_status(q, sqe_nop(4)) != DOCA_STATUS_CANCELED)
		return -ENODATA;
	WAIT_UNTIL(ring_load(&q->kernel->sq_head) == 5 && ring_load(&q->kernel->cq_tail) == 5);
	return cqe[1].status;
}

/* A queue lasts for one error, so each has a queue of its own */
#define EXPECT_STATUS(expected, sqe)                                           \
	do {                                                                   \
		ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 8,   \
					2 * MAX_LIST + 2));                    \
		set_segments(&self->q, &self->buf);                            \
		EXPECT_EQ(expected, judge(&self->q, self->good, sqe));         \
		queue_close(&self->q);                                         \
	} while (0)

static void set_segments(struct queue *q, const struct buf *b)
{
	for (uint32_t i = 0; i < q->geo.nr_segments; i++)
		q->segs[i] = seg_of(b, 0, 1);
}

/* Opcodes that are assigned or reserved, but not executed, are bad, too */
TEST_F(status, bad_opcode)
{
	struct doca_sqe sqe = self->good;
	uint16_t opcode;

	for (opcode = 0; opcode < DOCA_OP_LAST; opcode++) {
		sqe.opcode = opcode;
		if (!(self->limits.out_opcodes >> opcode & 1)) {
			EXPECT_STATUS(DOCA_STATUS_BAD_OPCODE, sqe);
		}
	}
	sqe.opcode = DOCA_OP_LAST;
	EXPECT_STATUS(DOCA_STATUS_BAD_OPCODE, sqe);
	sqe.opcode = UINT16_MAX;
	EXPECT_STATUS(DOCA_STATUS_BAD_OPCODE, sqe);
	sqe = sqe_nop(0);
	sqe.opcode = 64;
	EXPECT_STATUS(DOCA_STATUS_BAD_OPCODE, sqe);
}

/* On both sides: number and length of a list, and a key where there must be none */
TEST_F(status, bad_list)
{
	uint32_t table = 2 * MAX_LIST + 2;
	const struct doca_seg bad[] = {
		seg_list(0, 0),
		seg_list(0, self->limits.out_max_segments + 1),
		seg_list(0, UINT32_MAX),
		seg_list(table, 1),
		seg_list(table - 1, 2),
		seg_list(UINT32_MAX, 1),
		{ .length = 1, .address = 1ULL << 32 },
		{ .length = 2, .address = UINT64_MAX },
		{ .length = 1, .address = 1ULL << 60 },
		{ .length = 1, .address = 0, .key = self->buf.key },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_STATUS(DOCA_STATUS_BAD_ENTRY,
			      sqe_copy_list(self->good.dst, bad[i],
					    DOCA_SQE_SRC_LIST));
		EXPECT_STATUS(DOCA_STATUS_BAD_ENTRY,
			      sqe_copy_list(bad[i], self->good.src,
					    DOCA_SQE_DST_LIST));
		EXPECT_TRUE(_metadata->passed) {
			TH_LOG("list %zu", i);
		}
	}
}

TEST_F(status, list_without_a_table)
{
	ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 8, 0));
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY,
		  judge(&self->q, self->good,
			sqe_copy_list(self->good.dst, seg_list(0, 1),
				      DOCA_SQE_SRC_LIST)));
	queue_close(&self->q);
}

TEST_F(status, bad_key)
{
	const uint32_t keys[] = { 0, self->buf.key + 1000,
				  self->buf.key ^ 1U << 20,
				  self->buf.key ^ 1U << 31,
				  self->buf.mem | 1U << 19, UINT32_MAX };
	struct doca_sqe sqe;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		sqe = self->good;
		sqe.src.key = keys[i];
		EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
		sqe = self->good;
		sqe.dst.key = keys[i];
		EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
		EXPECT_TRUE(_metadata->passed) {
			TH_LOG("key %#x", keys[i]);
		}
	}
}

TEST_F(status, retired_key)
{
	uint32_t retired = self->read_key;
	struct doca_sqe sqe = self->good;

	ASSERT_EQ(0, mem_unmap(self->d.fd, retired));
	sqe.src.key = retired;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
	/* even if its slot has a new key */
	ASSERT_EQ(0, mem_map(self->d.fd, self->buf.mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &self->read_key));
	EXPECT_NE(retired, self->read_key);
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
}

TEST_F(status, key_of_another_device)
{
	uint32_t other = device_next(self->d.fd, self->d.device);
	struct doca_sqe sqe = self->good;

	if (!other)
		SKIP(return, "there is one device only");
	ASSERT_EQ(0, mem_map(self->d.fd, self->buf.mem, other, ACCESS_LOCAL, &sqe.src.key));
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
	sqe.dst.key = sqe.src.key;
	sqe.src.key = self->buf.key;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
}

TEST_F(status, key_of_another_file)
{
	struct doca_sqe sqe = self->good;
	struct doca other;
	uint32_t mem, key;
	int i;

	ASSERT_EQ(0, doca_open(&other));
	ASSERT_EQ(0, mem_reg(other.fd, self->buf.addr, PAGE, ACCESS_LOCAL, &mem));
	/* Make a key that this file does not have */
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, mem_map(other.fd, mem, other.device, ACCESS_LOCAL, &key));
	}
	sqe.src.key = key;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
	close(other.fd);
}

TEST_F(status, bad_range)
{
	const struct buf *b = &self->buf;
	const struct doca_seg bad[] = {
		seg_at(b->key, b->addr - 1, 2),
		seg_at(b->key, b->addr - 1, 1),
		seg_at(b->key, b->addr + LENGTH, 1),
		seg_at(b->key, b->addr + LENGTH - 1, 2),
		seg_at(b->key, b->addr, LENGTH + 1),
		seg_at(b->key, NULL, 1),
		seg_at(b->key, (void *)UINT64_MAX, 1),
		seg_at(b->key, (void *)UINT64_MAX, 2),
		seg_at(b->key, (void *)(1ULL << 63), 1),
		seg_at(b->key, b->addr + (1ULL << 32), 1),
	};
	struct doca_sqe sqe;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		sqe = sqe_copy(seg_of(b, 0, LENGTH), bad[i]);
		/* At most as long as the destination, to be wrong in one way alone */
		if (bad[i].length <= LENGTH) {
			EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe);
		}
		sqe = sqe_copy(bad[i], seg_of(b, 0, 1));
		EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe);
		EXPECT_TRUE(_metadata->passed) {
			TH_LOG("range %zu", i);
		}
	}
}

TEST_F(status, bad_access)
{
	struct doca_sqe sqe = self->good;

	sqe.src.key = self->write_key;
	EXPECT_STATUS(DOCA_STATUS_BAD_ACCESS, sqe);
	sqe = self->good;
	sqe.dst.key = self->read_key;
	EXPECT_STATUS(DOCA_STATUS_BAD_ACCESS, sqe);
	/* while the opposite direction is right */
	self->good.src.key = self->read_key;
	self->good.dst.key = self->write_key;
	EXPECT_STATUS(DOCA_STATUS_BAD_ACCESS, sqe);
}

TEST_F(status, bad_length)
{
	const struct buf *b = &self->buf;

	EXPECT_STATUS(DOCA_STATUS_BAD_LENGTH, sqe_copy(seg_of(b, PAGE, 99), seg_of(b, 0, 100)));
	EXPECT_STATUS(DOCA_STATUS_BAD_LENGTH,
		      sqe_copy_list(seg_list(0, 63), seg_list(0, 64),
				    DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST));
}

/* The place is checked before the length, even if nothing is copied */
TEST_F(status, place_before_length)
{
	const struct buf *b = &self->buf;
	struct doca_seg none = seg_of(b, 0, 0);
	struct doca_seg bad = seg_of(b, 0, 0);

	bad.key = 0;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe_copy(none, bad));
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe_copy(bad, none));
	bad.length = 1;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe_copy(none, bad));
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe_copy(bad, none));
	EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe_copy(none, seg_of(b, LENGTH - 50, 100)));
	EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe_copy(seg_of(b, LENGTH - 50, 100), none));
}

/* A list that is longer than any operation, or than 32 bits can hold */
TEST_F(status, longer_than_the_limit)
{
	const uint16_t both = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
	size_t length = self->limits.out_max_length / MAX_LIST + 1;
	struct buf big;
	uint32_t i;

	if (length > 256 << 20)
		SKIP(return, "it takes %zu MiB in a segment", length >> 20);
	ASSERT_EQ(0, buf_make(&self->d, &big, length, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 8, MAX_LIST));
	for (i = 0; i < MAX_LIST; i++)
		self->q.segs[i] = seg_of(&big, 0, length);
	EXPECT_EQ(DOCA_STATUS_BAD_LENGTH,
		  judge(&self->q, self->good,
			sqe_copy_list(seg_list(0, MAX_LIST),
				      seg_list(0, MAX_LIST), both)));
	queue_close(&self->q);
}

/* A bad segment anywhere in a list, on either side */
TEST_F(status, bad_segment)
{
	static const struct {
		uint32_t key, length;
		int64_t offset;
		int status;
	} bad[] = {
		{ 0, 1, 0, DOCA_STATUS_BAD_KEY },
		{ 1, LENGTH + 1, 0, DOCA_STATUS_BAD_RANGE },
		{ 1, 1, -1, DOCA_STATUS_BAD_RANGE },
		{ 1, 1, LENGTH, DOCA_STATUS_BAD_RANGE },
	};
	const uint16_t both = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
	const uint32_t places[] = { 0, 31, 63 };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		for (j = 0; j < ARRAY_SIZE(places); j++) {
			struct doca_seg *segs;

			ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 8, 2 * MAX_LIST));
			set_segments(&self->q, &self->buf);
			segs = self->q.segs;
			segs[MAX_LIST] = seg_of(&self->buf, 0, LENGTH);
			segs[MAX_LIST + 1] = seg_of(&self->buf, 0, LENGTH);
			segs[places[j]] = seg_at(
				bad[i].key ? self->buf.key : 0,
				self->buf.addr + bad[i].offset, bad[i].length);
			EXPECT_EQ(bad[i].status,
				  judge(&self->q, self->good, sqe_copy_list(
					seg_list(MAX_LIST, 64), seg_list(0, 64),
					both))) {
				TH_LOG("case %zu at %u", i, places[j]);
			}
			queue_close(&self->q);
		}
	}
}

/* A copy that is wrong in any way does not touch the memory it names */
TEST_F(status, a_refused_copy_writes_nothing)
{
	struct doca_sqe sqe = self->good;

	fill_random(self->buf.addr, PAGE, 41);
	sqe.dst = seg_of(&self->buf, PAGE + 200, 50);
	EXPECT_STATUS(DOCA_STATUS_BAD_LENGTH, sqe);
	EXPECT_EQ(0, self->buf.addr[PAGE + 200]);
	sqe = self->good;
	sqe.dst = seg_of(&self->buf, PAGE + 200, 100);
	sqe.src = seg_of(&self->buf, LENGTH - 50, 100);
	EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe);
	EXPECT_EQ(0, self->buf.addr[PAGE + 200]);
}

TEST_HARNESS_MAIN
