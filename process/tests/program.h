/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A program with a queue, whose turns are taken by the test. */
#ifndef NATIVE_TESTS_PROGRAM_H
#define NATIVE_TESTS_PROGRAM_H

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/doca.h>
#include <linux/list.h>
#include <linux/sizes.h>

#include "inner.h"
#include "ktap.h"
#include "inproc.h"
#include "queue.h"

#define ENTRIES 256
#define LENGTH (2 * SZ_256K)

static char mem[2][LENGTH] __attribute__((aligned(4096)));

struct program {
	int fd;
	int queue_fd;
	u32 device;
	u32 key;
	struct doca_file *file;
	struct doca_queue *queue;
	u32 tail;
};

static inline void map_memory(struct program *p)
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
static inline void program_open(struct program *p)
{
	struct doca_queue_create create = {
		.size = sizeof(create),
		.sq_entries = ENTRIES,
		.cq_entries = ENTRIES,
		.nr_waits = ENTRIES,
	};
	char name[64];

	*p = (struct program){ .fd = -1 };
	inproc_start();
	ASSERT(inproc_next_device(&p->device, name, sizeof(name)));
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

static inline void program_close(struct program *p)
{
	doca_file_put(p->file);
	close(p->queue_fd);
	close(p->fd);
}

static inline void submit(struct program *p, u32 length)
{
	struct doca_sqe *sqe = &p->queue->ring.sq[p->tail % ENTRIES];

	*sqe = (struct doca_sqe){
		.opcode = length ? DOCA_OP_MEMCPY : DOCA_OP_NOP,
		.phase = DOCA_RING_PHASE(p->tail, ilog2(ENTRIES)),
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

#endif /* NATIVE_TESTS_PROGRAM_H */
