// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* INVALIDATE is checked like an access that writes, but writes nothing */
#include "doca_ring.h"
#include "kselftest_harness.h"

#define LENGTH (4 * PAGE)

FIXTURE(invalidate) {
	struct doca d;
	struct queue q;
	struct buf buf;
	uint32_t worker;
	struct doca_sqe good;
};

FIXTURE_VARIANT(invalidate) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(invalidate, enter) { };
FIXTURE_VARIANT_ADD(invalidate, worker) { .mode = { true, 50 } };

FIXTURE_SETUP(invalidate)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 4, 4));
	self->good = (struct doca_sqe){
		.opcode = DOCA_OP_INVALIDATE,
		.dst = seg_of(&self->buf, 0, LENGTH),
	};
}

FIXTURE_TEARDOWN(invalidate)
{
	queue_close(&self->q);
	munmap(self->buf.addr, LENGTH);
	DOCA_CLOSE(&self->d);
}

TEST_F(invalidate, leaves_the_content)
{
	uint8_t *expected = pages_alloc(LENGTH);
	struct doca_cqe cqe;

	fill_random(expected, LENGTH, 1);
	fill_random(self->buf.addr, LENGTH, 1);
	self->good.user_data = 77;
	ASSERT_EQ(0, queue_do(&self->q, self->good, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(77, cqe.user_data);
	EXPECT_EQ(0, cqe.length);
	EXPECT_EQ(0, memcmp(expected, self->buf.addr, LENGTH));

	self->good.dst = seg_of(&self->buf, LENGTH, 0);
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, self->good));
	munmap(expected, LENGTH);
}

/* A queue lasts for one error */
#define EXPECT_STATUS(expected, sqe)                                           \
	do {                                                                   \
		queue_close(&self->q);                                         \
		ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 4,   \
					4));                                   \
		EXPECT_EQ(expected, queue_status(&self->q, sqe));              \
		EXPECT_EQ(DOCA_STATUS_CANCELED,                                \
			  queue_status(&self->q, self->good));                 \
	} while (0)

TEST_F(invalidate, bad_key_range_and_access)
{
	struct doca_sqe sqe = self->good;
	uint32_t key;

	sqe.dst.key = 0;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
	sqe.dst.key = self->buf.key + 1;
	EXPECT_STATUS(DOCA_STATUS_BAD_KEY, sqe);
	sqe = self->good;
	sqe.dst.length++;
	EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe);
	sqe = self->good;
	sqe.dst.address--;
	EXPECT_STATUS(DOCA_STATUS_BAD_RANGE, sqe);
	sqe = self->good;
	ASSERT_EQ(0, mem_map(self->d.fd, self->buf.mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &key));
	sqe.dst.key = key;
	EXPECT_STATUS(DOCA_STATUS_BAD_ACCESS, sqe);
}

TEST_F(invalidate, bad_length)
{
	struct doca_sqe sqe = self->good;
	struct buf large;
	struct doca_query q;
	size_t length;
	uint8_t *addr;
	int memfd;

	ASSERT_EQ(0, query(self->d.fd, &q));
	length = q.out_max_length + PAGE;
	memfd = memfd_create("large", 0);
	ASSERT_EQ(0, ftruncate(memfd, length));
	addr = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	ASSERT_NE(MAP_FAILED, addr);
	ASSERT_EQ(0, mem_reg(self->d.fd, addr, length, ACCESS_LOCAL, &large.mem));
	ASSERT_EQ(0, mem_map(self->d.fd, large.mem, self->d.device, ACCESS_LOCAL, &large.key));
	large.addr = addr;
	sqe.dst = seg_of(&large, 0, q.out_max_length);
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe));
	sqe.dst.length++;
	EXPECT_STATUS(DOCA_STATUS_BAD_LENGTH, sqe);
	EXPECT_EQ(0, mem_dereg(self->d.fd, large.mem));
	munmap(addr, length);
	close(memfd);
}

TEST_HARNESS_MAIN
