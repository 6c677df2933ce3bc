// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A hostile program, controlled by an input: its entries, segments, phases and
 * indices, the times at which its queue is executed, and the memory that it takes away
 * meanwhile. ASan detects copies outside of the memory; this checks the completions.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/doca.h>

#include "inproc.h"
#include "input.h"
#include "ring.h"

#define ENTRIES 8
#define ORDER 3
#define SEGMENTS 80 /* more than a list may have */
#define WAITS 2
#define MEMS 4
#define MEM_SIZE 5000 /* not whole pages */
#define LARGE_SIZE 700000 /* the last one's: more than two steps */
#define UNTOUCHED 0xa5

/* The second one is read-only; the third belongs to another device. */
static const uint32_t accesses[MEMS] = {
	DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
	DOCA_ACCESS_LOCAL_READ,
	DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
	DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
};

static struct {
	int fd;
	uint32_t devices[2];
	struct {
		uint8_t *addr;
		size_t size;
		uint32_t id;
		uint32_t key;
	} mems[MEMS];
} program = { .fd = -1 };

struct queue {
	int fd;
	struct doca_queue_create arg;
	struct doca_ring_user *user;
	const struct doca_ring_kernel *kernel;
	struct doca_sqe *sqes;
	struct doca_seg *segs;
	const struct doca_cqe *cqes;
	struct doca_sqe sent[ENTRIES]; /* as announced */
	uint32_t tail; /* entries announced correctly */
	uint32_t head; /* completions seen */
	uint32_t released; /* completions released */
	bool honest; /* no phase or index was invented */
};

static void map(int i)
{
	struct doca_mem_map arg = {
		.size = sizeof(arg),
		.mem_id = program.mems[i].id,
		.device_id = program.devices[i == 2],
		.access = accesses[i],
	};

	CHECK(!ioctl(program.fd, DOCA_MEM_MAP, &arg));
	CHECK(arg.out_key != program.mems[i].key);
	program.mems[i].key = arg.out_key;
}

static void unmap(int i)
{
	struct doca_mem_unmap arg = {
		.size = sizeof(arg),
		.key = program.mems[i].key,
	};

	CHECK(!ioctl(program.fd, DOCA_MEM_UNMAP, &arg));
}

static void reg(int i)
{
	struct doca_mem_reg arg = {
		.size = sizeof(arg),
		.addr = (uintptr_t)program.mems[i].addr,
		.length = program.mems[i].size,
		.access = accesses[i],
	};

	CHECK(!ioctl(program.fd, DOCA_MEM_REG, &arg));
	program.mems[i].id = arg.out_mem_id;
	map(i);
}

/* The key goes with the memory. */
static void dereg(int i)
{
	struct doca_object_destroy arg = {
		.size = sizeof(arg),
		.type = DOCA_OBJECT_MEMORY,
		.id = program.mems[i].id,
	};

	CHECK(!ioctl(program.fd, DOCA_OBJECT_DESTROY, &arg));
}

static void begin(void)
{
	char name[64];
	int i;

	if (program.fd >= 0)
		return;
	CHECK(inproc_next_device(&program.devices[0], name, sizeof(name)));
	program.devices[1] = inproc_add_device("other");
	program.fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	CHECK(program.fd >= 0);
	for (i = 0; i < MEMS; i++) {
		program.mems[i].size = i == MEMS - 1 ? LARGE_SIZE : MEM_SIZE;
		program.mems[i].addr = malloc(program.mems[i].size);
		CHECK(program.mems[i].addr);
		memset(program.mems[i].addr, i == 1 || i == 2 ? UNTOUCHED : 0,
		       program.mems[i].size);
		reg(i);
	}
}

static void queue_open(struct queue *q)
{
	char *user, *kernel;

	*q = (struct queue){
		.arg = {
			.size = sizeof(q->arg),
			.device_id = program.devices[0],
			.sq_entries = ENTRIES,
			.cq_entries = ENTRIES,
			.nr_segments = SEGMENTS,
			.nr_waits = WAITS,
			.opcodes = (2ULL << DOCA_OP_LZ4) - 1,
			.nr_sessions = FUZZ_SESSIONS,
		},
		.honest = true,
	};
	CHECK(!ioctl(program.fd, DOCA_QUEUE_CREATE, &q->arg));
	q->fd = q->arg.out_fd;
	user = mmap(NULL, q->arg.out_user_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, q->fd, DOCA_MMAP_USER);
	kernel = mmap(NULL, q->arg.out_kernel_size, PROT_READ, MAP_SHARED,
		      q->fd, DOCA_MMAP_KERNEL);
	CHECK(user != MAP_FAILED && kernel != MAP_FAILED);
	q->user = (void *)user;
	q->kernel = (const void *)kernel;
	q->sqes = (void *)(user + q->arg.out_sq_off);
	q->segs = (void *)(user + q->arg.out_seg_off);
	q->cqes = (const void *)(kernel + q->arg.out_cq_off);
}

static void queue_close(struct queue *q)
{
	munmap(q->user, q->arg.out_user_size);
	munmap((void *)q->kernel, q->arg.out_kernel_size);
	close(q->fd);
}

/* Mostly near the ends of existing memory; anything is possible. */
static struct doca_seg take_seg(struct input *in)
{
	uint8_t what = take(in, 1);
	unsigned int i = what % MEMS;
	struct doca_seg seg = { 0 };

	if (what & 0x80)
		return seg;
	if (what & 0x40) {
		seg.key = take(in, 4);
		seg.length = take(in, 4);
		seg.address = take(in, 8);
		return seg;
	}
	seg.key = program.mems[i].key;
	seg.length = take(in, what & 0x20 ? 3 : 1);
	seg.address = (uintptr_t)program.mems[i].addr;
	seg.address += what & 0x04 ? (int16_t)take(in, 2) : (int8_t)take(in, 1);
	if (what & 0x10)
		seg.address += program.mems[i].size;
	if (what & 0x08)
		seg.address &= -8ULL;
	return seg;
}

static void write_seg(struct queue *q, struct input *in)
{
	unsigned int i = take(in, 1) % SEGMENTS;

	q->segs[i] = take_seg(in);
}

/* Make a list or a segment; the flags may say otherwise. */
static struct doca_seg take_side(struct input *in, bool list)
{
	if (!list)
		return take_seg(in);
	return (struct doca_seg){
		.length = take(in, 1),
		.address = (int8_t)take(in, 1),
	};
}

static void put_entry(struct queue *q, struct input *in)
{
	struct doca_sqe *sqe = &q->sqes[q->tail % ENTRIES];
	uint8_t shape = take(in, 1);

	/* Send no more than there are slots; an honest program keeps the ring's limit. */
	if (q->tail - q->head == ENTRIES)
		return;
	sqe->opcode = shape & 0x80 ? take(in, 2) : take_opcode(in);
	sqe->flags = shape & 0x40 ? take(in, 2) : shape & 3;
	sqe->aux = shape & 0x20 ? take(in, 1) : 0;
	sqe->user_data = q->tail;
	sqe->src = take_side(in, shape & 1);
	sqe->dst = take_side(in, shape & 2);
	sqe->op[0] = shape & 4 ? take(in, 8) : 0;
	sqe->op[1] = shape & 8 ? take(in, 8) : 0;
	if (sqe->opcode == DOCA_OP_HASH)
		form_hash(sqe, take(in, 1));
	q->sent[q->tail % ENTRIES] = *sqe;
	__atomic_store_n(&sqe->phase, DOCA_RING_PHASE(q->tail, ORDER),
			 __ATOMIC_RELEASE);
	q->tail++;
}

/* Return true for a valid key of the first device that permits the access. */
static bool key_serves(uint32_t key, uint32_t access)
{
	int i;

	for (i = 0; i < MEMS; i++)
		if (i != 2 && program.mems[i].key == key)
			return !(access & ~accesses[i]);
	return false;
}

/* A successful copy must have been permitted; lists may have changed by now. */
static void check_copied(const struct doca_sqe *sqe, const struct doca_cqe *cqe)
{
	if (sqe->opcode != DOCA_OP_MEMCPY || sqe->flags ||
	    cqe->status != DOCA_STATUS_SUCCESS)
		return;
	/* A wait may end after its slot was reused. */
	if (sqe->user_data != cqe->user_data)
		return;
	CHECK(key_serves(sqe->src.key, DOCA_ACCESS_LOCAL_READ));
	CHECK(key_serves(sqe->dst.key, DOCA_ACCESS_LOCAL_WRITE));
	CHECK(sqe->src.length <= sqe->dst.length);
	CHECK(cqe->length == sqe->src.length);
}

/* Each entry has one completion, and each completion an entry. */
static void reap(struct queue *q, bool release)
{
	const struct doca_cqe *cqe = &q->cqes[q->head % ENTRIES];

	while (cqe->phase == DOCA_RING_PHASE(q->head, ORDER)) {
		CHECK(cqe->status <= DOCA_STATUS_RESET);
		if (q->honest) {
			CHECK(cqe->user_data < q->tail);
			CHECK((int32_t)(q->tail - q->head) > 0);
			CHECK(q->head - q->released < ENTRIES);
			check_copied(&q->sent[cqe->user_data % ENTRIES], cqe);
		}
		q->head++;
		cqe = &q->cqes[q->head % ENTRIES];
	}
	if (release && q->honest) {
		q->released = q->head;
		q->user->cq_head = q->head;
	}
	CHECK(q->kernel->state <= DOCA_QUEUE_BROKEN);
	if (q->honest)
		CHECK(q->kernel->state != DOCA_QUEUE_BROKEN);
}

static void enter(struct queue *q, struct input *in)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = 1 + take(in, 1) % 16,
	};

	CHECK(!ioctl(q->fd, DOCA_QUEUE_ENTER, &arg));
	CHECK(arg.out_entries <= arg.max_entries);
}

static void stop(struct queue *q)
{
	struct doca_queue_stop arg = { .size = sizeof(arg) };

	CHECK(!ioctl(q->fd, DOCA_QUEUE_STOP, &arg));
}

static void act(struct queue *q, struct input *in)
{
	uint8_t what = take(in, 1);

	switch (what % 12) {
	case 0:
	case 1:
	case 2:
		put_entry(q, in);
		break;
	case 3:
	case 4:
		enter(q, in);
		reap(q, !(what & 0x80));
		break;
	case 5:
		write_seg(q, in);
		break;
	case 6:
		unmap(what / 12 % MEMS);
		map(what / 12 % MEMS);
		break;
	case 7:
		dereg(what / 12 % MEMS);
		reg(what / 12 % MEMS);
		break;
	case 8:
		stop(q);
		break;
	case 9:
		q->honest = false;
		q->user->cq_head = take(in, 4);
		break;
	case 10:
		q->honest = false;
		q->sqes[take(in, 1) % ENTRIES].phase = take(in, 2);
		break;
	case 11:
		q->user->notify_at = take(in, 4);
		break;
	}
}

static void check_untouched(void)
{
	int i, j;

	for (i = 1; i <= 2; i++)
		for (j = 0; j < MEM_SIZE; j++)
			CHECK(program.mems[i].addr[j] == UNTOUCHED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct queue q;

	begin();
	queue_open(&q);
	while (in.size)
		act(&q, &in);
	queue_close(&q);
	check_untouched();
	return 0;
}
