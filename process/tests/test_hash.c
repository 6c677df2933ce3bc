// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* HASH between its steps, and what it leaves in memory. selftests/uapi/hash.c has the rest. */
#include <sys/mman.h>

#include "algo.h"
#include "any.h"
#include "flight.h"
#include "ops/bytes.h"
#include "ops/ops.h"
#include "poison.h"
#include "program.h"

#include "selftests/uapi/hash.h"

#define SESSION 256 /* bytes */
#define STEP (DOCA_OP_STEP_LENGTH / 8) /* a hash takes the time of eight copies */
#define STEPS (LENGTH / STEP)

static const struct hash *sha256 = &hashes[1];

static void hash_open(struct program *p)
{
	u32 *words = (u32 *)mem[0], i;

	program_open(p);
	open_queue(p, (struct doca_queue_create){
			      .opcodes = BIT_ULL(DOCA_OP_HASH) | BIT_ULL(DOCA_OP_NOP),
			      .nr_sessions = 2,
		      });
	for (i = 0; i < LENGTH / sizeof(*words); i++)
		words[i] = (i + 2) * 0x9e3779b1;
	memset(mem[1], 0, LENGTH);
}

static void hash_close(struct program *p)
{
	program_close(p);
	EXPECT(until(!inproc_pinned()));
}

/* An entry for the whole memory, of several steps. */
static struct doca_sqe long_hash(const struct program *p, u16 flags, u16 session)
{
	return sqe_hash(sha256, flags, session, seg_at(p->key, mem[0], LENGTH),
			seg_at(p->key, mem[1], DIGEST_MAX));
}

static struct doca_sqe hash_block(const struct program *p, u16 flags)
{
	return sqe_hash(sha256, flags, 1, seg_at(p->key, mem[0], 64),
			seg_at(p->key, mem[1], DIGEST_MAX));
}

static u8 *session_of(const struct program *p, u16 session)
{
	struct doca_sqe sqe = { .opcode = DOCA_OP_HASH, .aux = session };

	return doca_queue_session(p->queue, &sqe);
}

static bool is_wiped(const void *bytes, size_t size)
{
	return !memchr_inv(bytes, 0, size);
}

/* Nothing is in the workspace unless an operation is in progress. */
static void expect_session(const struct program *p, bool lives)
{
	EXPECT_EQ(!is_wiped(session_of(p, 1), SESSION), lives);
	EXPECT(is_wiped(session_of(p, 2), SESSION));
	EXPECT(is_wiped(p->queue->pool->workspace, DOCA_HASH_RUN));
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

static void expect_done(struct program *p, u32 status)
{
	EXPECT_EQ(done(p), p->tail);
	EXPECT_EQ(completion(p, p->tail - 1).status, status);
}

TEST(a_long_hash_takes_steps)
{
	struct program p;
	u32 i;

	hash_open(&p);
	put(&p, long_hash(&p, WHOLE, 0));
	for (i = 1; i < STEPS; i++) {
		EXPECT_EQ(step(&p), DOCA_BATCH_AGAIN);
		EXPECT_EQ(done(&p), 0);
		EXPECT_EQ(p.queue->op.result[1], i * STEP);
		EXPECT(!is_wiped(p.queue->pool->workspace, DOCA_HASH_RUN));
	}
	step(&p);
	expect_done(&p, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(completion(&p, 0).result[1], LENGTH);
	expect_session(&p, false);
	hash_close(&p);
}

/* Others on the worker wait no longer for them than for copies, which take less time. */
TEST(short_hashes_are_charged_for_their_time)
{
	struct program p;
	u32 turns = 1;

	hash_open(&p);
	while (p.tail < 12)
		put(&p, sqe_hash(sha256, WHOLE, 0, seg_at(p.key, mem[0], STEP),
				 seg_at(p.key, mem[1], DIGEST_MAX)));
	while (step(&p) == DOCA_BATCH_AGAIN)
		turns++;
	EXPECT_EQ(done(&p), 12);
	EXPECT(turns >= 12);
	hash_close(&p);
}

/* Others wait for the end of a batch. */
TEST(a_batch_of_short_hashes_takes_less_than_two_steps)
{
	enum doca_batch batch;
	struct program p;
	u32 length, i;

	hash_open(&p);
	while (p.tail < 200)
		put(&p, sqe_hash(sha256, WHOLE, 0, seg_at(p.key, mem[0], any(STEP + 1)),
				 seg_at(p.key, mem[1], DIGEST_MAX)));
	do {
		i = done(&p);
		batch = step(&p);
		for (length = 0; i != done(&p); i++)
			length += completion(&p, i).result[1];
		EXPECT(length < 2 * STEP);
	} while (batch == DOCA_BATCH_AGAIN);
	EXPECT_EQ(done(&p), 200);
	hash_close(&p);
}

TEST(a_session_lives_between_its_parts)
{
	struct program p;

	hash_open(&p);
	EXPECT_EQ(run(&p, hash_block(&p, DOCA_SQE_HASH_FIRST)).status, DOCA_STATUS_SUCCESS);
	expect_session(&p, true);
	EXPECT_EQ(run(&p, hash_block(&p, 0)).status, DOCA_STATUS_SUCCESS);
	expect_session(&p, true);
	EXPECT_EQ(run(&p, hash_block(&p, DOCA_SQE_HASH_LAST)).status, DOCA_STATUS_SUCCESS);
	expect_session(&p, false);
	hash_close(&p);
}

/* A part that begins anew has nothing of the part before, from its first step on. */
TEST(a_session_is_wiped_when_it_begins)
{
	struct program p;

	hash_open(&p);
	EXPECT_EQ(run(&p, hash_block(&p, DOCA_SQE_HASH_FIRST)).status, DOCA_STATUS_SUCCESS);
	put(&p, long_hash(&p, DOCA_SQE_HASH_FIRST, 1));
	EXPECT_EQ(step(&p), DOCA_BATCH_AGAIN);
	EXPECT(is_wiped(session_of(&p, 1), SESSION));
	execute(&p);
	expect_done(&p, DOCA_STATUS_SUCCESS);
	expect_session(&p, true);
	hash_close(&p);
}

TEST(a_failure_ends_its_session)
{
	struct doca_sqe bad;
	struct program p;
	u32 i;

	for (i = 0; i < 5; i++) {
		hash_open(&p);
		EXPECT_EQ(run(&p, hash_block(&p, DOCA_SQE_HASH_FIRST)).status, DOCA_STATUS_SUCCESS);
		bad = hash_block(&p, i == 4 ? DOCA_SQE_HASH_LAST : 0);
		bad.src.key += i == 0;
		bad.src.length -= i == 1;
		bad.hash.algorithm += i == 2;
		bad.hash.zero[0] = i == 3;
		bad.dst.length = i == 4;
		bad.dst.key = i == 4 ? p.key : 0;
		EXPECT(run(&p, bad).status);
		expect_session(&p, false);
		hash_close(&p);
	}
}

/* Take a key away, stop the queue or close it behind each of the steps. */
static void end_behind(struct program *p, u32 steps, u16 flags, void (*end)(struct program *p))
{
	hash_open(p);
	if (!(flags & DOCA_SQE_HASH_FIRST))
		EXPECT_EQ(run(p, hash_block(p, DOCA_SQE_HASH_FIRST)).status, DOCA_STATUS_SUCCESS);
	put(p, long_hash(p, flags, flags == WHOLE ? 0 : 1));
	while (steps--)
		EXPECT_EQ(step(p), DOCA_BATCH_AGAIN);
	end(p);
}

static void take_key(struct program *p)
{
	ASSERT(!mem_unmap(p->fd, p->key));
	execute(p);
	expect_done(p, DOCA_STATUS_BAD_KEY);
	expect_session(p, false);
}

static void stop(struct program *p)
{
	ASSERT(!queue_stop(p->queue_fd));
	execute(p);
	expect_done(p, DOCA_STATUS_CANCELED);
}

static void stop_in_progress(struct program *p)
{
	stop(p);
	expect_session(p, false);
}

/* The pool lives on with a reference, so that it can be looked at. */
static void close_in_progress(struct program *p)
{
	struct doca_pool *pool = p->queue->pool;
	u8 *session = session_of(p, 1);

	kref_get(&pool->ref);
	close_queue(p);
	EXPECT(is_wiped(session, SESSION));
	EXPECT(is_wiped(pool->workspace, DOCA_HASH_RUN));
	doca_pool_put(pool);
}

TEST(an_end_behind_any_step)
{
	static const u16 flags[] = { WHOLE, DOCA_SQE_HASH_FIRST, 0, DOCA_SQE_HASH_LAST };
	struct program p;
	u32 i, steps;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		for (steps = 0; steps < STEPS; steps++) {
			end_behind(&p, steps, flags[i], take_key);
			hash_close(&p);
			/* An entry that has not begun leaves its session. */
			end_behind(&p, steps, flags[i], steps ? stop_in_progress : stop);
			hash_close(&p);
			if (!steps)
				continue;
			end_behind(&p, steps, flags[i], close_in_progress);
			hash_close(&p);
		}
}

/* Parts of queues that have failed are left to the end of the queue. */
TEST(what_is_left_is_wiped_with_the_queue)
{
	struct program p;

	hash_open(&p);
	EXPECT_EQ(run(&p, hash_block(&p, DOCA_SQE_HASH_FIRST)).status, DOCA_STATUS_SUCCESS);
	expect_session(&p, true);
	doca_op_hash.close(p.queue->pool->spaces[DOCA_OP_HASH]);
	expect_session(&p, false);
	hash_close(&p);
}

TEST(sessions_are_charged)
{
	struct doca_queue_create create = { .opcodes = BIT_ULL(DOCA_OP_HASH) };
	struct program p;
	u64 before;

	hash_open(&p);
	open_queue(&p, create);
	before = p.queue->pool->bytes;
	create.nr_sessions = DOCA_MAX_SESSIONS;
	open_queue(&p, create);
	EXPECT_EQ(p.queue->pool->bytes, before + DOCA_MAX_SESSIONS * SESSION);
	hash_close(&p);
}

/* The completion tells how much of the digest is there. */
TEST(a_digest_whose_end_meets_lost_memory)
{
	int fd = memfd_create("lost", MFD_CLOEXEC);
	struct doca_sqe sqe;
	struct doca_cqe cqe;
	struct program p;
	u32 id, key;
	void *lost;

	hash_open(&p);
	open_queue(&p, (struct doca_queue_create){ .opcodes = BIT_ULL(DOCA_OP_HASH),
						   .nr_segments = 2 });
	ASSERT(!ftruncate(fd, SZ_4K));
	lost = mmap(NULL, SZ_4K, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT(lost != MAP_FAILED);
	ASSERT(!mem_reg(p.fd, lost, SZ_4K, ACCESS_LOCAL, &id));
	ASSERT(!mem_map(p.fd, id, p.device, ACCESS_LOCAL, &key));
	segs_of(p.queue)[0] = seg_at(p.key, mem[1], 12);
	segs_of(p.queue)[1] = seg_at(key, lost, 20);
	sqe = long_hash(&p, WHOLE | DOCA_SQE_DST_LIST, 0);
	sqe.dst = (struct doca_seg){ .length = 2 };
	EXPECT_EQ(run(&p, sqe).length, 32);
	ASSERT(!ftruncate(fd, 0));
	cqe = run(&p, sqe);
	EXPECT_EQ(cqe.status, DOCA_STATUS_BAD_MEMORY);
	EXPECT_EQ(cqe.length, 12);
	hash_close(&p);
	munmap(lost, SZ_4K);
	close(fd);
}

/* Then the bytes are copied by code that expects an error of the memory. */
TEST(memory_with_an_error)
{
	struct program p;
	u8 digest[32];

	hash_open(&p);
	EXPECT_EQ(run(&p, long_hash(&p, WHOLE, 0)).status, DOCA_STATUS_SUCCESS);
	memcpy(digest, mem[1], sizeof(digest));
	memset(mem[1], 0, sizeof(digest));
	doca_poison_survivable = true;
	EXPECT_EQ(run(&p, long_hash(&p, WHOLE, 0)).status, DOCA_STATUS_SUCCESS);
	EXPECT(!memcmp(digest, mem[1], sizeof(digest)));
	inproc_poison = mem[0] + LENGTH / 2;
	EXPECT_EQ(run(&p, long_hash(&p, WHOLE, 0)).status, DOCA_STATUS_BAD_MEMORY);
	inproc_poison = NULL;
	doca_poison_survivable = false;
	hash_close(&p);
}
