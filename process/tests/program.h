/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A program with a queue that only the test executes. */
#ifndef PROCESS_TESTS_PROGRAM_H
#define PROCESS_TESTS_PROGRAM_H

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <linux/sizes.h>

#include "selftests/uapi/doca_calls.h"

#include "inner.h"
#include "inproc.h"
#include "queue.h"

#define ENTRIES 256
#define LENGTH (2 * SZ_256K)

static char mem[2][LENGTH] __attribute__((aligned(4096)));

struct program {
	int fd;
	int queue_fd;
	u32 device;
	u32 mem;
	u32 key;
	struct doca_file *file;
	struct doca_queue *queue;
	u32 tail;
};

static inline void map_memory(struct program *p)
{
	ASSERT(!mem_reg(p->fd, mem, sizeof(mem), ACCESS_LOCAL | ACCESS_PCI, &p->mem));
	ASSERT(!mem_map(p->fd, p->mem, p->device, ACCESS_LOCAL, &p->key));
}

static inline int make_queue(struct program *p, struct doca_queue_create create, int *fd)
{
	int err;

	create.size = sizeof(create);
	create.device_id = p->device;
	create.sq_entries = create.sq_entries ?: ENTRIES;
	create.cq_entries = create.sq_entries;
	err = doca_call(p->fd, DOCA_QUEUE_CREATE, &create);
	*fd = err ? -1 : create.out_fd;
	return err;
}

/* Replace the program's queue. */
static inline void open_queue(struct program *p, struct doca_queue_create create)
{
	if (p->queue)
		close(p->queue_fd);
	ASSERT(!make_queue(p, create, &p->queue_fd));
	p->queue = queue_of(p->queue_fd);
	p->tail = 0;
}

static inline void program_open(struct program *p)
{
	char name[64];

	*p = (struct program){ .fd = -1 };
	inproc_start();
	ASSERT(inproc_next_device(&p->device, name, sizeof(name)));
	p->fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	ASSERT(p->fd >= 0);
	p->file = last_file();
	ASSERT(p->file);
	map_memory(p);
	open_queue(p, (struct doca_queue_create){ .nr_waits = ENTRIES });
}

static inline void close_queue(struct program *p)
{
	close(p->queue_fd);
	p->queue_fd = -1;
}

static inline void program_close(struct program *p)
{
	doca_file_put(p->file);
	close(p->queue_fd);
	close(p->fd);
}

static inline struct doca_seg seg_at(u32 key, const void *addr, u32 length)
{
	return (struct doca_seg){ key, length, (uintptr_t)addr };
}

/* An executor may be reading the entry's phase meanwhile. */
static inline void put(struct program *p, struct doca_sqe sqe)
{
	u32 index = p->tail++;
	struct doca_sqe *at = &p->queue->ring.sq[index % ENTRIES];

	at->opcode = sqe.opcode;
	at->flags = sqe.flags;
	at->aux = sqe.aux;
	at->user_data = index;
	at->src = sqe.src;
	at->dst = sqe.dst;
	at->op[0] = sqe.op[0];
	at->op[1] = sqe.op[1];
	smp_store_release(&at->phase, DOCA_RING_PHASE(index, ilog2(ENTRIES)));
}

static inline void put_nop(struct program *p)
{
	put(p, (struct doca_sqe){ .opcode = DOCA_OP_NOP });
}

/* Copy from the first half of the memory to the second. */
static inline struct doca_sqe copy_of(const struct program *p, u32 length)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_MEMCPY,
		.src = seg_at(p->key, mem[0], length),
		.dst = seg_at(p->key, mem[1], length),
	};
}

/* Wait until the first word of the memory is @value. */
static inline struct doca_sqe wait_for(const struct program *p, u64 value)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_SYNC_WAIT_EQ,
		.src = seg_at(p->key, mem[0], sizeof(u64)),
		.op = { value, U64_MAX },
	};
}

static inline void set_word(u64 value)
{
	WRITE_ONCE(*(u64 *)mem[0], value);
}

/* Execute in the caller's thread, as far as possible. */
static inline void execute(struct program *p)
{
	ASSERT(!queue_enter(p->queue_fd, ENTRIES, NULL));
}

static inline u32 done(struct program *p)
{
	return smp_load_acquire(&p->queue->ring.k->cq_tail);
}

static inline struct doca_cqe completion(struct program *p, u32 index)
{
	return p->queue->ring.cq[index % ENTRIES];
}

/* Execute an entry in the caller's thread. Return the last completion. */
static inline struct doca_cqe run(struct program *p, struct doca_sqe sqe)
{
	put(p, sqe);
	execute(p);
	return completion(p, done(p) - 1);
}

#endif
