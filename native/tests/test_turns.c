// SPDX-License-Identifier: GPL-2.0
/* How much an executor does in one turn: others have to wait for its end. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/doca.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sizes.h>

#include "inner.h"
#include "ktap.h"
#include "native.h"
#include "queue.h"

#define ENTRIES 256
#define MOST SZ_64K /* bytes of an entry here */

static char mem[2][MOST] __attribute__((aligned(4096)));

struct program {
	int fd;
	int queue_fd;
	u32 device;
	u32 key;
	struct doca_file *file;
	struct doca_queue *queue;
	u32 tail;
};

static void map_memory(struct program *p)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)mem,
		.length = sizeof(mem),
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
	};
	struct doca_mem_map map = {
		.size = sizeof(map),
		.device_id = p->device,
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
	};

	ASSERT(!ioctl(p->fd, DOCA_MEM_REG, &reg));
	map.mem_id = reg.out_mem_id;
	ASSERT(!ioctl(p->fd, DOCA_MEM_MAP, &map));
	p->key = map.out_key;
}

/* Without a worker, so that nobody but the test executes it. */
static void program_open(struct program *p)
{
	struct doca_queue_create create = {
		.size = sizeof(create),
		.sq_entries = ENTRIES,
		.cq_entries = ENTRIES,
	};
	char name[64];

	*p = (struct program){ .fd = -1 };
	native_start();
	ASSERT(native_next_device(&p->device, name, sizeof(name)));
	p->fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	ASSERT(p->fd >= 0);
	map_memory(p);
	create.device_id = p->device;
	ASSERT(!ioctl(p->fd, DOCA_QUEUE_CREATE, &create));
	p->queue_fd = create.out_fd;
	p->file = last_file();
	ASSERT(p->file);
	p->queue = list_first_entry(&p->file->queues, struct doca_queue,
				    file_node);
}

static void program_close(struct program *p)
{
	doca_file_put(p->file);
	close(p->queue_fd);
	close(p->fd);
}

static void submit(struct program *p, u32 length)
{
	struct doca_sqe *sqe = &p->queue->ring.sq[p->tail % ENTRIES];

	*sqe = (struct doca_sqe){
		.opcode = length ? DOCA_OP_MEMCPY : DOCA_OP_NOP,
		.lap = DOCA_RING_LAP(p->tail, ilog2(ENTRIES)),
	};
	if (length) {
		sqe->src = (struct doca_seg){
			.key = p->key,
			.length = length,
			.address = (uintptr_t)mem[0],
		};
		sqe->dst = sqe->src;
		sqe->dst.address = (uintptr_t)mem[1];
	}
	p->tail++;
}

/* What is completed is seen, and taken. */
static enum doca_turn turn(struct program *p, u32 most, u32 *entries,
			   u64 *bytes)
{
	struct doca_budget left = {
		.entries = most,
		.length = DOCA_TURN_LENGTH,
	};
	struct doca_queue *queue = p->queue;
	u64 before = queue->stats.bytes;
	enum doca_turn next;

	mutex_lock(&queue->run->lock);
	next = doca_queue_turn(queue, &left);
	mutex_unlock(&queue->run->lock);
	EXPECT_EQ(queue->ring.k->cq_tail, queue->ring.k->sq_head);
	EXPECT_EQ(queue->stats.errors, 0);
	queue->ring.u->cq_head = queue->ring.k->cq_tail;
	*entries = most - left.entries;
	*bytes = queue->stats.bytes - before;
	return next;
}

static void expect_turns(struct program *p, u32 entries_each, u32 turns)
{
	u32 i, entries;
	u64 bytes;

	for (i = 1; i <= turns; i++) {
		enum doca_turn next =
			turn(p, DOCA_TURN_ENTRIES, &entries, &bytes);

		EXPECT_EQ(entries, entries_each);
		EXPECT(next == DOCA_TURN_AGAIN || i == turns);
	}
	EXPECT_EQ(p->queue->ring.k->sq_head, p->tail);
}

TEST(so_many_entries)
{
	struct program p;
	int i;

	program_open(&p);
	for (i = 0; i < 3 * DOCA_TURN_ENTRIES; i++)
		submit(&p, i % 2 ? SZ_4K : 0);
	expect_turns(&p, DOCA_TURN_ENTRIES, 3);
	program_close(&p);
}

TEST(fewer_that_are_larger)
{
	struct program p;
	int i;

	program_open(&p);
	for (i = 0; i < 16; i++)
		submit(&p, DOCA_TURN_LENGTH / 4);
	expect_turns(&p, 4, 4);
	for (i = 0; i < 9; i++)
		submit(&p, DOCA_OP_SMALL_LENGTH);
	expect_turns(&p, 3, 3);
	program_close(&p);
}

/* Whatever there is, others wait no longer than for a step. */
TEST(no_more_than_a_step)
{
	u32 i, entries, round;
	struct program p;
	u64 bytes;

	program_open(&p);
	srandom(1);
	for (round = 0; round < 100; round++) {
		u32 length = round % 2 ? 2 * SZ_4K : MOST + 1;
		u32 most = round % 4 < 2 ? DOCA_TURN_ENTRIES : ENTRIES;

		for (i = 0; i < ENTRIES; i++)
			submit(&p, random() % length);
		while (turn(&p, most, &entries, &bytes) == DOCA_TURN_AGAIN) {
			EXPECT(entries);
			EXPECT(bytes <= DOCA_OP_STEP_LENGTH);
		}
		EXPECT_EQ(p.queue->ring.k->sq_head, p.tail);
	}
	program_close(&p);
}
