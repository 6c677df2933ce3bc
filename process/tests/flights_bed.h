/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A queue whose operations come back when the test wants. */
#ifndef PROCESS_TESTS_FLIGHTS_BED_H
#define PROCESS_TESTS_FLIGHTS_BED_H

#include <ctype.h>

#include "flight.h"
#include "memory.h"
#include "ops/slow.h"
#include "program.h"
#include "slow_clock.h"

#define SLOW BIT_ULL(DOCA_OP_SLOW)
#define SOME 64 /* bytes */

static inline struct doca_queue_create slow_queue(u32 nr_ops)
{
	return (struct doca_queue_create){
		.nr_waits = 4,
		.opcodes = DOCA_OP_DEFAULT | SLOW,
		.nr_ops = nr_ops,
	};
}

static inline void slow_open(struct program *p, u32 nr_ops)
{
	u32 *words = (u32 *)mem[0], i;

	program_open(p);
	open_queue(p, slow_queue(nr_ops));
	for (i = 0; i < LENGTH / sizeof(*words); i++)
		words[i] = (i + 2) * 0x9e3779b1;
	memset(mem[1], 0, LENGTH);
}

static inline void slow_close(struct program *p)
{
	program_close(p);
	EXPECT_EQ(slow_clock_nr(), 0);
	EXPECT(until(!inproc_pinned()));
}

static inline struct doca_sqe slow_entry(struct program *p, u64 how)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_SLOW,
		.src = seg_at(p->key, mem[0], SOME),
		.dst = seg_at(p->key, mem[1], SOME),
		.op = { 1, how },
	};
}

static inline void put_slow(struct program *p, u64 how)
{
	put(p, slow_entry(p, how));
}

/*
 * Submit entries by letters; capitals drain. S: SLOW; D: SLOW that is deaf to recalls; C: a
 * copy in several steps; W: a wait for a value that nobody sets; N: NOP.
 */
static inline void put_all(struct program *p, const char *letters)
{
	for (; *letters; letters++) {
		struct doca_sqe sqe = { .opcode = DOCA_OP_NOP };

		switch (tolower(*letters)) {
		case 's':
			sqe = slow_entry(p, 0);
			break;
		case 'd':
			sqe = slow_entry(p, DOCA_SLOW_DEAF);
			break;
		case 'c':
			sqe = copy_of(p, LENGTH);
			break;
		case 'w':
			sqe = wait_for(p, 1);
			break;
		}
		sqe.flags = isupper(*letters) ? DOCA_SQE_DRAIN : 0;
		put(p, sqe);
	}
}

/* Execute all that can be done at once; nothing must keep an executor awake. */
static inline void start(struct program *p, const char *letters)
{
	bool has_work;

	put_all(p, letters);
	execute(p);
	doca_run_lock(p->queue->run);
	has_work = doca_queue_has_work(p->queue);
	doca_run_unlock(p->queue->run);
	EXPECT(!has_work);
}

static inline void ring(u32 nr)
{
	while (nr--)
		EXPECT(slow_clock_ring());
}

/* Check how many are done, and in flight. */
static inline void expect_state(struct program *p, u32 nr_done, u32 nr_away)
{
	until(done(p) == nr_done && slow_clock_nr() == nr_away);
	EXPECT_EQ(done(p), nr_done);
	EXPECT_EQ(slow_clock_nr(), nr_away);
}

static inline void expect_in_order(struct program *p)
{
	u32 i;

	for (i = 0; i < done(p); i++)
		EXPECT_EQ(completion(p, i).user_data, i);
}

/* Return its completion, at any place in the ring. */
static inline struct doca_cqe completion_of(struct program *p, u64 user_data)
{
	struct doca_cqe found = { .status = 0xffff };
	u32 i, nr = 0;

	for (i = 0; i < done(p); i++) {
		if (completion(p, i).user_data != user_data)
			continue;
		found = completion(p, i);
		nr++;
	}
	EXPECT_EQ(nr, 1);
	return found;
}

static inline void expect_status(struct program *p, u64 user_data, u32 status)
{
	EXPECT_EQ(completion_of(p, user_data).status, status);
}

static inline bool is_inverted(void)
{
	u32 i;

	for (i = 0; i < SOME; i++)
		if (mem[1][i] != (char)~mem[0][i])
			return false;
	return true;
}

#endif
