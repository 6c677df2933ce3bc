// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* An honest queue's operations on the other process's memory, and the expected completions. */
#include "own.h"

#include <sys/mman.h>

#include "inproc.h"

#define OWN_ENTRIES 8U
#define OWN_ORDER 3

void own_open(struct own *own, u32 key)
{
	void *user, *kernel;

	*own = (struct own){
		.arg = {
			.size = sizeof(own->arg),
			.device_id = program.device,
			.sq_entries = OWN_ENTRIES,
			.cq_entries = OWN_ENTRIES,
			.nr_waits = 2,
		},
		.key = key,
	};
	CHECK(!inproc_call(program.fd, DOCA_QUEUE_CREATE, &own->arg));
	own->fd = own->arg.out_fd;
	CHECK(!inproc_map(own->fd, DOCA_MMAP_USER, own->arg.out_user_size,
			  PROT_READ | PROT_WRITE, true, &user));
	CHECK(!inproc_map(own->fd, DOCA_MMAP_KERNEL, own->arg.out_kernel_size,
			  PROT_READ, true, &kernel));
	own->user = user;
	own->sqes = user + own->arg.out_sq_off;
	own->cqes = kernel + own->arg.out_cq_off;
}

void own_close(struct own *own)
{
	CHECK(!inproc_unmap(own->user, own->arg.out_user_size));
	CHECK(!inproc_unmap((char *)own->cqes - own->arg.out_cq_off,
			    own->arg.out_kernel_size));
	CHECK(!inproc_close(own->fd));
}

/* One side is in the other process, the other may be in this one. */
static struct doca_seg own_seg(struct own *own, struct input *in, bool there,
			       u32 length)
{
	return (struct doca_seg){
		.key = there ? own->key : program.mems[0].key,
		.length = length,
		.address = ((uintptr_t)program.mems[0].addr + take(in, 1)) &
			   (length == 8 ? -8ULL : -1ULL),
	};
}

void own_submit(struct own *own, struct input *in)
{
	struct doca_sqe *sqe = &own->sqes[own->tail % OWN_ENTRIES];
	u8 shape = take(in, 1);
	u16 opcode = take_opcode(in);
	u32 length = opcode == DOCA_OP_MEMCPY ? take(in, 3) % MEM_SIZE : 8;

	if (own->tail - own->head == OWN_ENTRIES)
		return;
	*sqe = (struct doca_sqe){
		.opcode = opcode,
		.phase = sqe->phase,
		.user_data = own->tail,
	};
	if (opcode == DOCA_OP_MEMCPY) {
		sqe->src = own_seg(own, in, shape & 1, length);
		sqe->dst = own_seg(own, in, !(shape & 1), length);
	} else if (opcode == DOCA_OP_SYNC_SET || opcode == DOCA_OP_SYNC_ADD ||
		   opcode == DOCA_OP_INVALIDATE) {
		sqe->dst = own_seg(own, in, true, 8);
	} else if (opcode) {
		sqe->src = own_seg(own, in, true, 8);
	}
	sqe->op[0] = opcode > DOCA_OP_MEMCPY && opcode != DOCA_OP_INVALIDATE ?
			     take(in, 1) :
			     0;
	smp_store_release(&sqe->phase, DOCA_RING_PHASE(own->tail, OWN_ORDER));
	own->tail++;
}

void own_enter(struct own *own)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = OWN_ENTRIES,
	};
	const struct doca_cqe *cqe;

	CHECK(!inproc_call(own->fd, DOCA_QUEUE_ENTER, &arg));
	for (;;) {
		cqe = &own->cqes[own->head % OWN_ENTRIES];
		if (smp_load_acquire(&cqe->phase) !=
		    DOCA_RING_PHASE(own->head, OWN_ORDER))
			break;
		CHECK(cqe->user_data < own->tail);
		CHECK(own->head != own->tail);
		own->head++;
		smp_store_release(&own->user->cq_head, own->head);
	}
}

void own_drain(struct own *own)
{
	u64 end = local_clock() + PATIENCE_MS * NSEC_PER_MSEC;

	while (own->head != own->tail) {
		own_enter(own);
		CHECK(local_clock() < end);
	}
}
