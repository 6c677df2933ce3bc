// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Streams between their steps. selftests/uapi/compress.c has the rest. */
#include <sys/mman.h>

#include "algo.h"
#include "compute.h"
#include "flight.h"
#include "ops/ops.h"
#include "ops/stage.h"
#include "poison.h"
#include "program.h"

#define PIECE DOCA_STAGE_SIZE
#define INFLATED SZ_16K

static void stream_open(struct program *p)
{
	program_open(p);
	open_queue(p, (struct doca_queue_create){
			      .opcodes = BIT_ULL(DOCA_OP_DEFLATE) | BIT_ULL(DOCA_OP_INFLATE) |
					 BIT_ULL(DOCA_OP_LZ4) | BIT_ULL(DOCA_OP_NOP),
		      });
	memset(mem, 0, sizeof(mem));
}

static void stream_close(struct program *p)
{
	program_close(p);
	EXPECT(until(!inproc_pinned()));
}

static struct doca_sqe entry(const struct program *p, u16 opcode, u32 length, u32 room)
{
	return (struct doca_sqe){
		.opcode = opcode,
		.src = seg_at(p->key, mem[0], length),
		.dst = seg_at(p->key, mem[1], room),
	};
}

static enum doca_batch step(struct program *p)
{
	struct doca_budget left = { .entries = ENTRIES, .length = DOCA_BATCH_LENGTH };
	enum doca_batch batch;

	doca_run_lock(p->queue->run);
	batch = doca_queue_batch(p->queue, &left);
	doca_run_unlock(p->queue->run);
	return batch;
}

/* Take all steps; return how many. None reads or writes more than a piece, or than INFLATE may. */
static u32 steps_of(struct program *p, struct doca_sqe sqe)
{
	const struct doca_op *op = &p->queue->op;
	u32 most = sqe.opcode == DOCA_OP_INFLATE ? INFLATED : PIECE;
	u64 read = 0, written = 0;
	u32 nr = 1, before = done(p);

	put(p, sqe);
	while (step(p) == DOCA_BATCH_AGAIN) {
		EXPECT(op->result[1] - read <= most && op->done - written <= most);
		read = op->result[1];
		written = op->done;
		nr++;
	}
	EXPECT_EQ(done(p), before + 1);
	return nr;
}

static struct doca_cqe last(struct program *p)
{
	return completion(p, p->tail - 1);
}

TEST(a_stream_that_does_not_fit_does_not_begin)
{
	static u64 run[DOCA_DEFLATE_RUN / sizeof(u64)];

	EXPECT(doca_algo_has_deflate() && doca_algo_has_inflate());
	EXPECT(compute_get()->deflate->begin(run, sizeof(run), 1));
	EXPECT(compute_get()->inflate->begin(run, sizeof(run), 1));
	EXPECT(!compute_get()->deflate->begin(run, SZ_4K, 1));
	EXPECT(!compute_get()->inflate->begin(run, SZ_4K, 1));
}

TEST(compression_takes_steps)
{
	static const struct {
		u8 level;
		u32 most;
	} rows[] = { { 0, SZ_32K }, { 3, SZ_32K }, { 4, SZ_4K },
		     { 6, SZ_4K },  { 7, SZ_1K },  { 9, SZ_1K } };
	struct doca_sqe sqe;
	struct program p;
	u32 i;

	stream_open(&p);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		sqe = entry(&p, DOCA_OP_DEFLATE, LENGTH, LENGTH);
		sqe.deflate.level = rows[i].level;
		EXPECT(steps_of(&p, sqe) >= LENGTH / rows[i].most);
		EXPECT_EQ(last(&p).status, DOCA_STATUS_SUCCESS);
		EXPECT_EQ(last(&p).result[1], LENGTH);
		smp_store_release(&p.queue->ring.u->cq_head, done(&p));
	}
	stream_close(&p);
}

/* Zeros, which expand a thousandfold, and end at any time for want of room. */
TEST(a_stream_that_expands_takes_steps)
{
	struct program p;
	u32 length;

	stream_open(&p);
	steps_of(&p, entry(&p, DOCA_OP_DEFLATE, LENGTH, LENGTH));
	length = last(&p).length;
	EXPECT(length < LENGTH / 100);
	memcpy(mem[0], mem[1], length);
	EXPECT(steps_of(&p, entry(&p, DOCA_OP_INFLATE, length, LENGTH)) >= LENGTH / INFLATED);
	EXPECT_EQ(last(&p).status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(last(&p).length, LENGTH);
	steps_of(&p, entry(&p, DOCA_OP_INFLATE, length, LENGTH - 1));
	EXPECT_EQ(last(&p).status, DOCA_STATUS_NO_SPACE);
	EXPECT_EQ(last(&p).length, LENGTH - 1);
	stream_close(&p);
}

/* Empty stored blocks are work without output. */
TEST(a_stream_without_output_takes_steps)
{
	struct program p;
	u32 i;

	stream_open(&p);
	for (i = 0; i + 5 <= LENGTH; i += 5)
		memcpy(mem[0] + i, "\x00\x00\x00\xff\xff", 5);
	EXPECT(steps_of(&p, entry(&p, DOCA_OP_INFLATE, i, 100)) >= LENGTH / SZ_4K);
	EXPECT_EQ(last(&p).status, DOCA_STATUS_DATA);
	EXPECT_EQ(last(&p).length, 0);
	stream_close(&p);
}

/* One match, 255 bytes of output for each of the block's. */
static u32 lz4_bomb(u32 length)
{
	memset(mem[0], 0xff, length);
	memcpy(mem[0], "\x1f\x61\x01\x00", 4);
	memcpy(mem[0] + length - 7,
	       "\x00\x50"
	       "bcdef",
	       7);
	return length;
}

TEST(a_block_that_expands_takes_steps)
{
	struct program p;
	struct doca_sqe sqe;

	stream_open(&p);
	sqe = entry(&p, DOCA_OP_LZ4, lz4_bomb(SZ_64K), LENGTH);
	sqe.flags = DOCA_SQE_LZ4_BLOCK;
	EXPECT(steps_of(&p, sqe) >= LENGTH / PIECE);
	EXPECT_EQ(last(&p).status, DOCA_STATUS_NO_SPACE);
	EXPECT_EQ(last(&p).length, LENGTH);
	stream_close(&p);
}

/* A small one ends at once; the turn is charged with its time. */
TEST(small_blocks_are_charged_for_their_time)
{
	struct program p;
	struct doca_sqe sqe;
	u32 turns = 1, i;

	stream_open(&p);
	sqe = entry(&p, DOCA_OP_LZ4, lz4_bomb(4096), SZ_64K);
	sqe.flags = DOCA_SQE_LZ4_BLOCK;
	for (i = 0; i < 12; i++)
		put(&p, sqe);
	while (step(&p) == DOCA_BATCH_AGAIN)
		turns++;
	EXPECT_EQ(done(&p), 12);
	EXPECT(turns >= 6);
	stream_close(&p);
}

/* Take a key away or stop the queue behind each of the steps. */
TEST(an_end_behind_any_step)
{
	static const u16 opcodes[] = { DOCA_OP_DEFLATE, DOCA_OP_INFLATE, DOCA_OP_LZ4 };
	struct program p;
	u32 i, k, steps, length;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++)
		for (k = 0; k < 2; k++)
			for (steps = 1; steps < 4; steps++) {
				struct doca_sqe sqe;
				u32 n = steps;

				stream_open(&p);
				length = LENGTH;
				if (opcodes[i] == DOCA_OP_INFLATE) {
					steps_of(&p, entry(&p, DOCA_OP_DEFLATE, LENGTH, LENGTH));
					length = last(&p).length;
					memcpy(mem[0], mem[1], length);
				}
				sqe = entry(&p, opcodes[i], length, LENGTH);
				if (opcodes[i] == DOCA_OP_LZ4) {
					sqe.src.length = lz4_bomb(SZ_64K);
					sqe.flags = DOCA_SQE_LZ4_BLOCK;
				}
				put(&p, sqe);
				while (n--)
					EXPECT_EQ(step(&p), DOCA_BATCH_AGAIN);
				ASSERT(!(k ? queue_stop(p.queue_fd) : mem_unmap(p.fd, p.key)));
				execute(&p);
				EXPECT_EQ(last(&p).status,
					  k ? DOCA_STATUS_CANCELED : DOCA_STATUS_BAD_KEY);
				stream_close(&p);
			}
}

/* A match before any output, and whatever is behind it. */
TEST(a_malformed_stream_counts_no_more_than_there_is)
{
	struct program p;
	u32 length;

	stream_open(&p);
	memset(mem[1], 0x5a, 100);
	for (length = 2; length < 40; length++) {
		memset(mem[0], 0, length);
		memcpy(mem[0], "\x03\x02", 2);
		steps_of(&p, entry(&p, DOCA_OP_INFLATE, length, 100));
		EXPECT_EQ(last(&p).status, DOCA_STATUS_DATA);
		EXPECT_EQ(last(&p).length, 0);
		EXPECT(last(&p).result[1] <= length);
		EXPECT_EQ(mem[1][0], 0x5a);
	}
	stream_close(&p);
}

TEST(memory_with_an_error)
{
	struct program p;

	stream_open(&p);
	doca_poison_survivable = true;
	inproc_poison = mem[0] + LENGTH / 2;
	steps_of(&p, entry(&p, DOCA_OP_DEFLATE, LENGTH, LENGTH));
	EXPECT_EQ(last(&p).status, DOCA_STATUS_BAD_MEMORY);
	inproc_poison = NULL;
	doca_poison_survivable = false;
	stream_close(&p);
}

/* The page where a step goes on has gone; its first bytes were written. */
TEST(a_destination_that_is_lost)
{
	int fd = memfd_create("output", MFD_CLOEXEC);
	struct doca_sqe sqe;
	struct program p;
	u32 id, key;
	char *file;

	stream_open(&p);
	EXPECT_EQ(ftruncate(fd, SZ_64K), 0);
	file = mmap(NULL, SZ_64K, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	EXPECT(!mem_reg(p.fd, file, SZ_64K, ACCESS_LOCAL, &id));
	EXPECT(!mem_map(p.fd, id, p.device, ACCESS_LOCAL, &key));
	steps_of(&p, entry(&p, DOCA_OP_DEFLATE, LENGTH, LENGTH));
	memcpy(mem[0], mem[1], last(&p).length);
	sqe = entry(&p, DOCA_OP_INFLATE, last(&p).length, 0);
	sqe.dst = seg_at(key, file, SZ_64K);
	EXPECT_EQ(ftruncate(fd, INFLATED + SZ_4K), 0);
	steps_of(&p, sqe);
	EXPECT_EQ(last(&p).status, DOCA_STATUS_BAD_MEMORY);
	EXPECT_EQ(last(&p).length, INFLATED + SZ_4K);
	stream_close(&p);
	munmap(file, SZ_64K);
	close(fd);
}
