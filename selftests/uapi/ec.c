// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * GF_MATRIX by the instructions that the kernel lets the driver use: as products byte by byte say.
 * process/tests/test_gf_matrix.c has what does not depend on the kernel.
 */
#include <stdlib.h>

#include "../lib/rounds.h"
#include "cut.h"
#include "kselftest_harness.h"

#define LENGTH (2UL << 20) /* either side */
#define MAX_ROWS 32
#define MAX_COLUMNS 128
#define UNIT 64

FIXTURE(ec)
{
	struct doca d;
	struct queue q;
	struct buf buf; /* sources; results are in its second half */
	uint32_t worker;
	uint8_t *out;
	uint8_t *expected;
	uint8_t coefficients[MAX_ROWS * MAX_COLUMNS];
};

FIXTURE_VARIANT(ec)
{
	struct mode mode;
};

FIXTURE_VARIANT_ADD(ec, enter){};
FIXTURE_VARIANT_ADD(ec, worker){ .mode = { true, 50 } };

static struct doca_queue_create queue_for(uint32_t worker)
{
	return (struct doca_queue_create){
		.worker_id = worker,
		.sq_entries = 8,
		.cq_entries = 8,
		.nr_segments = 2 * SEGMENTS,
		.opcodes = 1 << DOCA_OP_NOP | 1 << DOCA_OP_GF_MATRIX,
	};
}

FIXTURE_SETUP(ec)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, 2 * LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker)));
	self->out = self->buf.addr + LENGTH;
	self->expected = malloc(LENGTH);
	ASSERT_TRUE(self->expected);
	fill_random(self->buf.addr, LENGTH, 1);
	fill_random(self->coefficients, sizeof(self->coefficients), 2);
}

FIXTURE_TEARDOWN(ec)
{
	free(self->expected);
	queue_close(&self->q);
	munmap(self->buf.addr, 2 * LENGTH);
	DOCA_CLOSE(&self->d);
}

static uint8_t product(uint8_t a, uint8_t b)
{
	uint8_t sum = 0;

	for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x1d : 0))
		sum ^= b & 1 ? a : 0;
	return sum;
}

/* A matrix, and blocks of so many bytes that it multiplies */
struct shape {
	uint32_t rows, columns, length;
};

static void multiply(const struct shape *s, const uint8_t *coefficients, const uint8_t *src,
		     uint8_t *dst)
{
	uint8_t times[256];
	uint32_t r, c, i;

	memset(dst, 0, s->rows * s->length);
	for (r = 0; r < s->rows; r++, dst += s->length)
		for (c = 0; c < s->columns; c++) {
			for (i = 0; i < 256; i++)
				times[i] = product(coefficients[r * s->columns + c], i);
			for (i = 0; i < s->length; i++)
				dst[i] ^= times[src[c * s->length + i]];
		}
}

static struct doca_sqe entry(const struct buf *buf, const struct shape *s, uint32_t object,
			     uint32_t offset)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_GF_MATRIX,
		.aux = object,
		.src = seg_of(buf, offset, s->columns * s->length),
		.dst = seg_of(buf, LENGTH + offset, s->rows * s->length),
	};
}

/* The result is right in one piece and in many, at an address that is not aligned */
#define EXPECT_PRODUCT(s, seed)                                                            \
	do {                                                                               \
		uint32_t offset_ = prng(seed) % 100, size_ = (s)->rows * (s)->length;      \
		uint8_t *out_ = self->out + offset_;                                       \
		struct doca_cqe cqe_;                                                      \
		uint32_t object_, cut_;                                                    \
                                                                                           \
		ASSERT_EQ(0, matrix_create(self->d.fd, self->d.device, self->coefficients, \
					   (s)->rows, (s)->columns, &object_));            \
		multiply(s, self->coefficients, self->buf.addr + offset_, self->expected); \
		for (cut_ = 0; cut_ < 2; cut_++) {                                         \
			struct doca_sqe sqe_ = entry(&self->buf, s, object_, offset_);     \
                                                                                           \
			memset(out_, 0x5a, size_ + 1);                                     \
			if (cut_)                                                          \
				sqe_ = in_pieces(&self->q, &self->buf, sqe_, seed);        \
			ASSERT_EQ(0, queue_do(&self->q, sqe_, &cqe_));                     \
			ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe_.status);                       \
			ASSERT_EQ(size_, cqe_.length);                                     \
			ASSERT_EQ((s)->columns *(s)->length, cqe_.result[1]);              \
			ASSERT_EQ(0, memcmp(self->expected, out_, size_));                 \
			ASSERT_EQ(0x5a, out_[size_]);                                      \
		}                                                                          \
		ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GF_MATRIX, object_));  \
	} while (0)

TEST_F(ec, the_same_however_it_is_cut)
{
	uint32_t seed = 7, round;
	struct shape s;

	for (round = 0; round < cuts_at_night(60); round++) {
		s.rows = 1 + prng(&seed) % (round % 8 ? 5 : MAX_ROWS);
		s.columns = 1 + prng(&seed) % (round % 8 ? 12 : MAX_COLUMNS);
		s.length = UNIT * (1 + prng(&seed) % 60);
		EXPECT_PRODUCT(&s, &seed);
	}
}

/* Their steps end within blocks */
TEST_F(ec, large_matrices_and_blocks)
{
	static const struct shape shapes[] = {
		{ MAX_ROWS, MAX_COLUMNS, 8192 },
		{ MAX_ROWS, 1, 32768 },
		{ 1, 1, LENGTH - 4096 },
		{ 4, 10, 131072 },
		{ 5, 15, 131072 },
	};
	uint32_t seed = 3, i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		EXPECT_PRODUCT(&shapes[i], &seed);
}

/* Registers are the caller's again, and other matrices' tables are left */
TEST_F(ec, every_coefficient)
{
	const struct shape s = { 1, 1, 256 };
	uint32_t seed = 5, i;

	for (i = 0; i < 1024; i++)
		self->buf.addr[i] = i;
	for (i = 0; i < 256; i++) {
		self->coefficients[0] = i;
		EXPECT_PRODUCT(&s, &seed);
	}
}

TEST_F(ec, objects_that_cannot_be)
{
	static const struct {
		uint16_t rows, columns;
		int err;
	} rows[] = {
		{ 0, 1, -EINVAL },
		{ 1, 0, -EINVAL },
		{ MAX_ROWS + 1, 1, -ERANGE },
		{ 1, MAX_COLUMNS + 1, -ERANGE },
		{ MAX_ROWS, MAX_COLUMNS, 0 },
	};
	uint32_t i, object;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		EXPECT_EQ(rows[i].err, matrix_create(self->d.fd, self->d.device, self->coefficients,
						     rows[i].rows, rows[i].columns, &object));
	/* Not any more, or of another type */
	ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GF_MATRIX, object));
	EXPECT_EQ(-ENOENT, object_destroy(self->d.fd, DOCA_OBJECT_GF_MATRIX, object));
	ASSERT_EQ(0, matrix_create(self->d.fd, self->d.device, self->coefficients, 1, 1, &object));
	EXPECT_EQ(-ENOENT, object_destroy(self->d.fd, DOCA_OBJECT_GCM_KEY, object));
}

TEST_F(ec, wrong_entries)
{
	const struct shape s = { 2, 3, UNIT };
	struct doca_sqe good, bad[4];
	static const int statuses[] = { DOCA_STATUS_BAD_OBJECT, DOCA_STATUS_BAD_LENGTH,
					DOCA_STATUS_BAD_LENGTH, DOCA_STATUS_BAD_KEY };
	uint32_t object, i;

	ASSERT_EQ(0, matrix_create(self->d.fd, self->d.device, self->coefficients, s.rows,
				   s.columns, &object));
	good = entry(&self->buf, &s, object, 0);
	for (i = 0; i < 4; i++)
		bad[i] = good;
	bad[0].aux++;
	bad[1].src.length -= UNIT;
	bad[2].dst.length--;
	bad[3].src.key++;
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, good));
		EXPECT_EQ(statuses[i], queue_status(&self->q, bad[i]));
		queue_close(&self->q);
		ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker)));
	}
}

TEST_HARNESS_MAIN
