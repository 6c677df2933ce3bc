/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A queue of operations that the test has come back when it likes. */
#ifndef NATIVE_FLIGHTS_BED_H
#define NATIVE_FLIGHTS_BED_H

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <linux/mutex.h>

#include "flight.h"
#include "poller.h"
#include "memory.h"
#include "ops/slow.h"
#include "program.h"
#include "slow_clock.h"

#define SLOW BIT_ULL(DOCA_OP_SLOW)
#define ALL (DOCA_OP_DEFAULT | SLOW)
#define SOME 64 /* bytes */

static inline struct doca_queue_create slow_queue(struct program *p, u32 nr_ops)
{
	return (struct doca_queue_create){
		.size = sizeof(struct doca_queue_create),
		.device_id = p->device,
		.sq_entries = ENTRIES,
		.cq_entries = ENTRIES,
		.nr_waits = 4,
		.opcodes = ALL,
		.nr_ops = nr_ops,
	};
}

/* In place of the queue that a program has. */
static inline void open_queue(struct program *p,
			      struct doca_queue_create create)
{
	close(p->queue_fd);
	ASSERT(!ioctl(p->fd, DOCA_QUEUE_CREATE, &create));
	p->queue_fd = create.out_fd;
	p->queue =
		list_entry(p->file->queues.prev, struct doca_queue, file_node);
	p->tail = 0;
}

static inline void slow_open(struct program *p, u32 nr_ops)
{
	u32 i;

	program_open(p);
	open_queue(p, slow_queue(p, nr_ops));
	for (i = 0; i < LENGTH; i++) {
		mem[0][i] = i * 7 + 1;
		mem[1][i] = 0;
	}
}

static inline void slow_close(struct program *p)
{
	int i;

	program_close(p);
	EXPECT_EQ(slow_clock_nr(), 0);
	for (i = 0; i < 5000 && inproc_pinned(); i++)
		usleep(1000);
	EXPECT_EQ(inproc_pinned(), 0);
}

/* An executor may be looking at the phase of the entry meanwhile. */
static inline void put(struct program *p, struct doca_sqe sqe)
{
	u32 index = p->tail++;
	struct doca_sqe *at = &p->queue->ring.sq[index % ENTRIES];

	at->opcode = sqe.opcode;
	at->flags = sqe.flags;
	at->aux = 0;
	at->user_data = index;
	at->src = sqe.src;
	at->dst = sqe.dst;
	at->op[0] = sqe.op[0];
	at->op[1] = sqe.op[1];
	smp_store_release(&at->phase, DOCA_RING_PHASE(index, ilog2(ENTRIES)));
}

static inline struct doca_sqe slow_entry(struct program *p, u64 how)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_SLOW,
		.src = { p->key, SOME, (uintptr_t)mem[0] },
		.dst = { p->key, SOME, (uintptr_t)mem[1] },
		.op = { 1, how },
	};
}

static inline void put_slow(struct program *p, u64 how)
{
	put(p, slow_entry(p, how));
}

static inline void put_nop(struct program *p, u16 flags)
{
	put(p, (struct doca_sqe){ .opcode = DOCA_OP_NOP, .flags = flags });
}

/* A wait for what the memory does not become by itself. */
static inline void put_wait(struct program *p, u16 flags)
{
	put(p, (struct doca_sqe){
		       .opcode = DOCA_OP_SYNC_WAIT_EQ,
		       .flags = flags,
		       .src = { p->key, sizeof(u64), (uintptr_t)mem[0] },
		       .op = { 1, U64_MAX } });
}

static inline u32 done(struct program *p)
{
	return smp_load_acquire(&p->queue->ring.k->cq_tail);
}

/* That many, and by and by if others execute. */
static inline void expect_done(struct program *p, u32 nr)
{
	int i;

	for (i = 0; i < 5000 && done(p) != nr; i++)
		usleep(1000);
	EXPECT_EQ(done(p), nr);
}

/* All that can be done, by the caller. */
static inline void execute(struct program *p)
{
	struct doca_queue_enter enter = {
		.size = sizeof(enter),
		.max_entries = ENTRIES,
	};

	ASSERT(!ioctl(p->queue_fd, DOCA_QUEUE_ENTER, &enter));
}

/* As somebody in the section sees it. */
static inline bool has_work(struct program *p)
{
	bool has;

	doca_run_lock(p->queue->run);
	has = doca_queue_has_work(p->queue);
	doca_run_unlock(p->queue->run);
	return has;
}

static inline struct doca_cqe completion(struct program *p, u32 index)
{
	return p->queue->ring.cq[index % ENTRIES];
}

/* Of whichever place in the ring. */
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

static inline void stop_queue(struct program *p)
{
	struct doca_queue_stop stop = { .size = sizeof(stop) };

	ASSERT(!ioctl(p->queue_fd, DOCA_QUEUE_STOP, &stop));
}

#endif
