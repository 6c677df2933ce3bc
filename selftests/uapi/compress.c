// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DEFLATE, INFLATE and LZ4: other programs read and write the same, however it is cut. */
#include <stdlib.h>

#include "cut.h"
#include "tools.h"
#include "../lib/rounds.h"
#include "kselftest_harness.h"

#define LENGTH (1UL << 20)
#define OPCODES (1 << DOCA_OP_NOP | 1 << DOCA_OP_DEFLATE | 1 << DOCA_OP_INFLATE | 1 << DOCA_OP_LZ4)

FIXTURE(compress)
{
	struct doca d;
	struct queue q;
	struct buf buf; /* sources; destinations are in its second half */
	uint32_t worker;
	uint8_t *out;
	uint8_t *data; /* bytes that are compressed, and the output */
	uint8_t *packed;
};

FIXTURE_VARIANT(compress)
{
	struct mode mode;
};

FIXTURE_VARIANT_ADD(compress, enter){};
FIXTURE_VARIANT_ADD(compress, worker){ .mode = { true, 50 } };

static struct doca_queue_create queue_for(uint32_t worker)
{
	return (struct doca_queue_create){
		.worker_id = worker,
		.sq_entries = 8,
		.cq_entries = 8,
		.nr_segments = 2 * SEGMENTS,
		.opcodes = OPCODES,
	};
}

FIXTURE_SETUP(compress)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, 4 * LENGTH, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker)));
	self->out = self->buf.addr + 2 * LENGTH;
	self->data = malloc(LENGTH);
	self->packed = malloc(2 * LENGTH);
	ASSERT_TRUE(self->data && self->packed);
}

FIXTURE_TEARDOWN(compress)
{
	free(self->data);
	free(self->packed);
	queue_close(&self->q);
	munmap(self->buf.addr, 4 * LENGTH);
	DOCA_CLOSE(&self->d);
}

#define REOPEN()                                                                         \
	do {                                                                             \
		queue_close(&self->q);                                                   \
		ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker))); \
	} while (0)

/* Several kinds of data: of words, of runs, random, and all of them in turn */
enum { WORDS, RUNS, RANDOM, MIXED, NR_KINDS };

static void fill_data(uint8_t *data, size_t length, int kind)
{
	uint32_t seed = 11 + kind, i, n;
	size_t at = 0;

	for (n = 0; at < length; n++) {
		uint32_t word = prng(&seed), part = 1 + word % 9;
		int as = kind == MIXED ? at / 9000 % MIXED : kind;

		if (as == RUNS)
			part *= 100;
		for (i = 0; i < part && at < length; i++)
			data[at++] = as == RUNS	  ? word :
				     as == RANDOM ? prng(&seed) :
						    'a' + (word % 300 * 7 + i * i) % 26;
	}
}

/* No data grows by more when it is deflated */
static uint32_t bound_of(uint32_t length)
{
	return length + length / 1024 + 64;
}

static struct doca_sqe sqe_of(uint16_t opcode, struct doca_seg src, struct doca_seg dst)
{
	return (struct doca_sqe){ .opcode = opcode, .src = src, .dst = dst };
}

/* An entry for bytes, which are copied to the source, and a destination of some length */
static struct doca_sqe entry(const struct buf *buf, uint16_t opcode, const void *bytes,
			     uint32_t length, uint32_t room)
{
	memcpy(buf->addr, bytes, length);
	memset(buf->addr + 2 * LENGTH, 0xee, room + 1);
	return sqe_of(opcode, seg_of(buf, 0, length), seg_of(buf, 2 * LENGTH, room));
}

#define RUN(sqe)                                              \
	({                                                    \
		struct doca_cqe cqe_;                         \
                                                              \
		ASSERT_EQ(0, queue_do(&self->q, sqe, &cqe_)); \
		cqe_;                                         \
	})

#define INFLATES(bytes, nr, size)                                                                 \
	do {                                                                                      \
		struct doca_cqe cqe = RUN(entry(&self->buf, DOCA_OP_INFLATE, bytes, nr, LENGTH)); \
		uint64_t sums = crc32_of(self->data, size) |                                      \
				(uint64_t)adler32_of(self->data, size) << 32;                     \
                                                                                                  \
		ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);                                       \
		ASSERT_EQ(size, cqe.length);                                                      \
		EXPECT_EQ(nr, cqe.result[1]);                                                     \
		EXPECT_EQ(0, memcmp(self->data, self->out, size));                                \
		EXPECT_EQ(sums, cqe.result[0]);                                                   \
	} while (0)

/* Have a program compress the data, and take its output without what is around it */
static ssize_t pack(const char *command, const uint8_t *data, size_t length, size_t head,
		    size_t tail, uint8_t *packed)
{
	ssize_t n = run_tool(command, data, length, packed, 2 * LENGTH);

	if (n < (ssize_t)(head + tail))
		return -1;
	memmove(packed, packed + head, n - head);
	return n - head - tail;
}

static const char *const gzips[] = {
	"gzip -1",
	"gzip -2",
	"gzip -3",
	"gzip -4",
	"gzip -5",
	"gzip -6",
	"gzip -7",
	"gzip -8",
	"gzip -9",
	"pigz -6",
	"pigz -11",
	"libdeflate-gzip -1",
	"zopfli -c --i1 /dev/stdin",
	"libdeflate-gzip -12",
};

TEST_F(compress, what_gzip_makes_is_inflated)
{
	const size_t length = 150001;
	ssize_t n;
	size_t i;
	int kind;

	for (kind = RANDOM; kind < NR_KINDS; kind++) {
		fill_data(self->data, length, kind);
		for (i = 0; i < sizeof(gzips) / sizeof(gzips[0]); i++) {
			n = pack(gzips[i], self->data, length, 10, 8, self->packed);
			if (n >= 0)
				INFLATES(self->packed, n, length);
			else if (i < 9)
				SKIP(return, "no gzip");
		}
	}
}

#define PYTHON                                                                                     \
	"python3 -c 'import sys,zlib;c=zlib.compressobj(%d,8,-%d,%d,%d);d=sys.stdin.buffer.read()" \
	";sys.stdout.buffer.write(c.compress(d)+c.flush())'"

TEST_F(compress, what_zlib_makes_with_any_strategy_is_inflated)
{
	const size_t length = 70000;
	char command[256];
	int i, strategy;
	ssize_t n;

	fill_data(self->data, length, MIXED);
	for (i = 0; i < 15; i++) {
		strategy = i % 5;
		snprintf(command, sizeof(command), PYTHON, i == 14 ? 0 : 1 + i % 9, 9 + i % 7,
			 1 + i % 9, strategy);
		n = pack(command, self->data, length, 0, 0, self->packed);
		if (n < 0)
			SKIP(return, "no python3");
		INFLATES(self->packed, n, length);
	}
}

/* Deflate data of some kind; its length, or a negative one if the completion is wrong */
static int deflate(struct queue *q, const struct buf *buf, const uint8_t *data, uint32_t length,
		   uint8_t level)
{
	const uint64_t sums = crc32_of(data, length) | (uint64_t)adler32_of(data, length) << 32;
	struct doca_sqe sqe = entry(buf, DOCA_OP_DEFLATE, data, length, bound_of(length));
	struct doca_cqe cqe;
	int err;

	sqe.deflate.level = level;
	err = queue_do(q, sqe, &cqe);
	if (err || cqe.status)
		return err ? err : -(int)cqe.status;
	if (cqe.result[0] != sums || cqe.result[1] != length)
		return -EILSEQ;
	return cqe.length;
}

/* It runs gzip a hundred times, each of which takes long in a machine that is emulated. */
TEST_F_TIMEOUT(compress, gzip_reads_what_is_deflated, 120)
{
	static const uint32_t lengths[] = { 0, 1, 100, 65535, 65536, LENGTH - 3 };
	uint8_t *back = malloc(LENGTH + 1), level;
	int n, kind;
	size_t i;

	for (i = 0; i < 6 * NR_KINDS * 10; i++) {
		uint32_t length = lengths[i % 6];

		kind = i / 6 % NR_KINDS;
		level = i / 6 / NR_KINDS;
		if (level > 1 && level < 9 && level != 4)
			continue;
		fill_data(self->data, length, kind);
		n = deflate(&self->q, &self->buf, self->data, length, level);
		ASSERT_LT(0, n);
		ASSERT_EQ(0xee, self->out[bound_of(length)]);
		n = wrap_gzip(self->packed, self->out, n, self->data, length);
		n = run_tool("gzip -dc", self->packed, n, back, LENGTH + 1);
		if (n < 0)
			SKIP(return, "no gzip");
		ASSERT_EQ(length, n);
		ASSERT_EQ(0, memcmp(back, self->data, length));
	}
	free(back);
}

TEST_F(compress, nothing_is_an_empty_block)
{
	ASSERT_EQ(2, deflate(&self->q, &self->buf, self->data, 0, 0));
	EXPECT_EQ(0, memcmp(self->out, "\x03\x00", 2));
	INFLATES("\x03\x00", 2, 0);
}

/* An entry makes the same in one piece and in any */
#define SAME_IN_PIECES(sqe, seed)                                            \
	do {                                                                 \
		struct doca_sqe whole_ = sqe;                                \
		struct doca_cqe one_ = RUN(whole_), other_;                  \
                                                                             \
		ASSERT_EQ(DOCA_STATUS_SUCCESS, one_.status);                 \
		memcpy(self->packed, self->out, one_.length);                \
		whole_.dst.length = one_.length + prng(seed) % 3;            \
		memset(self->out, 0xee, one_.length + 3);                    \
		other_ = RUN(in_pieces(&self->q, &self->buf, whole_, seed)); \
		ASSERT_EQ(DOCA_STATUS_SUCCESS, other_.status);               \
		ASSERT_EQ(one_.length, other_.length);                       \
		ASSERT_EQ(one_.result[0], other_.result[0]);                 \
		ASSERT_EQ(one_.result[1], other_.result[1]);                 \
		ASSERT_EQ(0, memcmp(self->packed, self->out, one_.length));  \
		ASSERT_EQ(0xee, self->out[one_.length]);                     \
	} while (0)

TEST_F(compress, the_same_however_it_is_cut)
{
	uint32_t seed = 7, round, length;

	for (round = 0; round < cuts(); round++) {
		length = prng(&seed) % (round % 8 ? 9000 : 300000);
		fill_data(self->data, length, round % NR_KINDS);
		SAME_IN_PIECES(entry(&self->buf, DOCA_OP_DEFLATE, self->data, length,
				     2 * LENGTH - 1),
			       &seed);
		length = RUN(entry(&self->buf, DOCA_OP_DEFLATE, self->data, length, 2 * LENGTH - 1))
				 .length;
		memcpy(self->packed, self->out, length);
		SAME_IN_PIECES(entry(&self->buf, DOCA_OP_INFLATE, self->packed, length,
				     2 * LENGTH - 1),
			       &seed);
	}
}

#define LZ4(sqe, form)                      \
	({                                  \
		struct doca_sqe sqe_ = sqe; \
                                            \
		sqe_.flags |= form;         \
		sqe_;                       \
	})

static const char *const lz4s[] = {
	"lz4 -1 -B4", "lz4 -9 -B4 -BD",	    "lz4 -1 -B5 -BD -BX", "lz4 -12 -B6",
	"lz4 -3 -B7", "lz4 -1 -B7 -BD -BX", "lz4 -1 -B4 -BX",	  "lz4 -9 -B6 -BD --no-frame-crc",
};

TEST_F(compress, what_lz4_makes_is_decompressed)
{
	const size_t length = LENGTH - 5;
	struct lz4_frame frame;
	struct doca_cqe cqe;
	uint32_t seed = 4;
	ssize_t n;
	size_t i;

	for (i = 0; i < sizeof(lz4s) / sizeof(lz4s[0]); i++) {
		fill_data(self->data, length, i % 4 ? MIXED : RUNS);
		n = run_tool(lz4s[i], self->data, length, self->packed, 2 * LENGTH);
		if (n < 0)
			SKIP(return, "no lz4");
		ASSERT_TRUE(lz4_frame_of(self->packed, n, &frame));
		cqe = RUN(LZ4(entry(&self->buf, DOCA_OP_LZ4, frame.blocks, frame.length, length),
			      frame.flags));
		ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		ASSERT_EQ(length, cqe.length);
		EXPECT_EQ(frame.length, cqe.result[1]);
		EXPECT_EQ(0, memcmp(self->data, self->out, length));
		EXPECT_EQ(crc32_of(self->data, length), (uint32_t)cqe.result[0]);
		if (frame.has_sum) {
			EXPECT_EQ(frame.sum, cqe.result[0] >> 32);
		}
		/* Without the end mark, and in pieces */
		SAME_IN_PIECES(LZ4(entry(&self->buf, DOCA_OP_LZ4, frame.blocks, frame.length - 4,
					 length + 4),
				   frame.flags),
			       &seed);
	}
}

TEST_F(compress, one_bare_block)
{
	static const uint8_t block[] = "\x1f"
				       "a\x01\x00\x05\x50"
				       "bcdef";
	const size_t length = sizeof(block) - 1;
	struct doca_cqe cqe;

	cqe = RUN(LZ4(entry(&self->buf, DOCA_OP_LZ4, block, length, 100), DOCA_SQE_LZ4_BLOCK));
	ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(1 + 19 + 5 + 5, cqe.length);
	EXPECT_EQ(0, memcmp(self->out, "aaaaaaaaaaaaaaaaaaaaaaaaabcdef", 30));
	cqe = RUN(LZ4(entry(&self->buf, DOCA_OP_LZ4, block, 0, 100), DOCA_SQE_LZ4_BLOCK));
	EXPECT_EQ(DOCA_STATUS_DATA, cqe.status);
	/* No blocks are not malformed. */
	cqe = RUN(entry(&self->buf, DOCA_OP_LZ4, block, 0, 100));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(0, cqe.length);
}

/* A stream that fails writes nothing behind its room, and the queue executes the next one */
#define FAILS(expected, sqe)                                    \
	do {                                                    \
		struct doca_sqe bad_ = sqe;                     \
		struct doca_cqe cqe_ = RUN(bad_);               \
                                                                \
		EXPECT_EQ(DOCA_STATUS_##expected, cqe_.status); \
		EXPECT_EQ(0, cqe_.result[0]);                   \
		EXPECT_LE(cqe_.length, bad_.dst.length);        \
		EXPECT_EQ(0xee, self->out[bad_.dst.length]);    \
	} while (0)

TEST_F(compress, a_stream_that_is_cut_short)
{
	int kind, level, n, i;

	for (kind = 0; kind < NR_KINDS; kind++)
		for (level = 1; level < 10; level += 4) {
			fill_data(self->data, 400, kind);
			n = deflate(&self->q, &self->buf, self->data, 400, level);
			ASSERT_LT(0, n);
			memcpy(self->packed, self->out, n);
			for (i = 0; i < n; i++)
				FAILS(DATA,
				      entry(&self->buf, DOCA_OP_INFLATE, self->packed, i, 400));
			INFLATES(self->packed, n, 400);
		}
}

TEST_F(compress, a_destination_that_is_too_small)
{
	int kind, n, room;

	for (kind = 0; kind < NR_KINDS; kind++) {
		fill_data(self->data, 400, kind);
		n = deflate(&self->q, &self->buf, self->data, 400, 0);
		ASSERT_LT(0, n);
		memcpy(self->packed, self->out, n);
		for (room = 0; room < n; room += 1 + room / 8)
			FAILS(NO_SPACE, entry(&self->buf, DOCA_OP_DEFLATE, self->data, 400, room));
		for (room = 0; room < 400; room += 1 + room / 8)
			FAILS(NO_SPACE, entry(&self->buf, DOCA_OP_INFLATE, self->packed, n, room));
	}
	fill_data(self->data, LENGTH, RUNS);
	n = deflate(&self->q, &self->buf, self->data, LENGTH, 0);
	memcpy(self->packed, self->out, n);
	for (room = LENGTH - 1; room > 65536; room /= 2)
		FAILS(NO_SPACE, entry(&self->buf, DOCA_OP_INFLATE, self->packed, n, room));
}

/* Whatever comes of them, what is behind the destination stays, and the queue runs on */
TEST_F(compress, streams_with_other_bits)
{
	uint32_t seed = 13, round, n, failed = 0;
	struct doca_cqe cqe;

	for (round = 0; round < rounds(2000); round++) {
		if (round % 50 == 0) {
			fill_data(self->data, 3000, round / 50 % NR_KINDS);
			n = deflate(&self->q, &self->buf, self->data, 3000, 1 + round / 50 % 3);
			memcpy(self->packed, self->out, n);
		}
		self->packed[prng(&seed) % n] ^= 1 << prng(&seed) % 8;
		cqe = RUN(entry(&self->buf, DOCA_OP_INFLATE, self->packed, n, 5000));
		ASSERT_TRUE(!cqe.status || cqe.status == DOCA_STATUS_DATA ||
			    cqe.status == DOCA_STATUS_NO_SPACE);
		ASSERT_EQ(0xee, self->out[5000]);
		failed += !!cqe.status;
	}
	EXPECT_LT(round / 4, failed);
	EXPECT_EQ(2, deflate(&self->q, &self->buf, self->data, 0, 0));
}

TEST_F(compress, what_is_behind_a_stream_is_left)
{
	static const uint8_t pad[70000];
	uint32_t extra;
	int n;

	fill_data(self->data, 100000, RANDOM);
	n = deflate(&self->q, &self->buf, self->data, 100000, 0);
	memcpy(self->packed, self->out, n);
	memcpy(self->packed + n, pad, sizeof(pad));
	for (extra = 1; extra <= sizeof(pad); extra = extra < 20 ? extra + 1 : extra * 2) {
		struct doca_cqe cqe =
			RUN(entry(&self->buf, DOCA_OP_INFLATE, self->packed, n + extra, 100000));

		ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(n, cqe.result[1]);
		EXPECT_EQ(100000, cqe.length);
	}
}

TEST_F(compress, blocks_of_lz4_that_are_wrong)
{
	/* One stored block of 4 bytes and the checksum of "abcd" */
	static const uint8_t stored[] = "\x04\x00\x00\x80"
					"abcd\x05\x37\x64\xa3"
					"\x00\x00\x00";
	static const uint8_t large[] = "\x01\x00\x40\x80"
				       "abcdefgh";
	static const uint8_t far[] = "\x10"
				     "a\x02\x00\x50"
				     "bcdef";
	uint8_t wrong[sizeof(stored)];
	uint32_t i;

	for (i = 1; i < sizeof(stored); i++)
		if (i != 12)
			FAILS(DATA, LZ4(entry(&self->buf, DOCA_OP_LZ4, stored, i, 4),
					DOCA_SQE_LZ4_CHECKSUM));
	for (i = 4; i < 12; i++) {
		memcpy(wrong, stored, sizeof(stored));
		wrong[i] ^= 1;
		FAILS(CHECKSUM,
		      LZ4(entry(&self->buf, DOCA_OP_LZ4, wrong, 16, 4), DOCA_SQE_LZ4_CHECKSUM));
	}
	for (i = 0; i < 4; i++)
		FAILS(NO_SPACE,
		      LZ4(entry(&self->buf, DOCA_OP_LZ4, stored, 16, i), DOCA_SQE_LZ4_CHECKSUM));
	FAILS(DATA, entry(&self->buf, DOCA_OP_LZ4, large, sizeof(large), 100));
	FAILS(DATA,
	      LZ4(entry(&self->buf, DOCA_OP_LZ4, far, sizeof(far) - 1, 100), DOCA_SQE_LZ4_BLOCK));
}

#define EXPECT_STATUS(expected, sqe)                                                 \
	do {                                                                         \
		EXPECT_EQ(DOCA_STATUS_##expected, queue_status(&self->q, sqe));      \
		EXPECT_EQ(DOCA_STATUS_CANCELED, queue_status(&self->q, sqe_nop(0))); \
		REOPEN();                                                            \
	} while (0)

TEST_F(compress, wrong_entries)
{
	struct doca_sqe sqe = entry(&self->buf, DOCA_OP_DEFLATE, "abc", 3, 100);
	uint32_t i;

	sqe.deflate.level = 10;
	EXPECT_STATUS(NOT_SUPPORTED, sqe);
	for (i = 0; i < sizeof(sqe.deflate.zero); i++) {
		sqe.op[0] = sqe.op[1] = 0;
		sqe.deflate.zero[i] = 1;
		EXPECT_STATUS(BAD_ENTRY, sqe);
	}
	for (i = DOCA_OP_DEFLATE; i <= DOCA_OP_LZ4; i++) {
		const struct doca_sqe good = entry(&self->buf, i, "\x03\x00\x00\x00", 4, 100);

		sqe = good;
		sqe.aux = 1;
		EXPECT_STATUS(BAD_ENTRY, sqe);
		sqe = good;
		sqe.flags = i == DOCA_OP_LZ4 ? 1 << 11 : 1 << 8;
		EXPECT_STATUS(BAD_ENTRY, sqe);
		sqe = good;
		sqe.src.key++;
		EXPECT_STATUS(BAD_KEY, sqe);
		sqe = good;
		sqe.dst.key++;
		EXPECT_STATUS(BAD_KEY, sqe);
		sqe = good;
		sqe.dst.length = 3 * LENGTH;
		EXPECT_STATUS(BAD_RANGE, sqe);
	}
	sqe = LZ4(entry(&self->buf, DOCA_OP_LZ4, "", 0, 1),
		  DOCA_SQE_LZ4_BLOCK | DOCA_SQE_LZ4_CHECKSUM);
	EXPECT_STATUS(BAD_ENTRY, sqe);
}

TEST_F(compress, what_the_device_says)
{
	static const uint64_t variants[] = { 0x3ff, 1, 3 };
	struct doca_device_query query;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		query = (struct doca_device_query){
			.size = sizeof(query),
			.device_id = self->d.device,
			.opcode = DOCA_OP_DEFLATE + i,
		};
		ASSERT_EQ(0, doca_call(self->d.fd, DOCA_DEVICE_QUERY, &query));
		EXPECT_EQ(DOCA_OP_EXECUTED | DOCA_OP_SLICED, query.out_flags);
		EXPECT_EQ(128UL << 20, query.out_max_src);
		EXPECT_EQ(UINT32_MAX, query.out_max_dst);
		EXPECT_EQ(SEGMENTS, query.out_max_segments);
		EXPECT_EQ(variants[i], query.out_variants);
		EXPECT_LT(128 << 10, query.out_workspace);
	}
}

TEST_HARNESS_MAIN
