// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Steps on inboxes, and messages to them. */
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "language.h"

#define store(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

/* Take the opcodes of a server or client, a producer, or a consumer, mostly. */
static uint64_t take_opcodes(uint8_t byte)
{
	static const uint64_t opcodes[] = {
		1 << DOCA_OP_MSG_SEND, 1 << DOCA_OP_SEND_TO, 1 << DOCA_OP_POST_RECV,
	};

	return byte < 0xc0 ? opcodes[byte % 3] : take_number(byte);
}

void do_inbox_create(const uint8_t *a)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = a[2] < 0xc0 ? common->pair[a[2] & 1] :
					   take_recent(&common->devices, a[2]),
		.worker_id = a[4] & 1 ? take_recent(&self.workers, a[4] >> 1) : 0,
		.sq_entries = 8,
		.cq_entries = 8,
		.nr_segments = 8,
		.opcodes = take_opcodes(a[3]),
		.nr_ops = a[5] ? take_number(a[5]) : 1,
		.inbox_entries = a[6] < 0xe0 ? 16 << a[6] % 4 : take_number(a[6]),
		.recv_slots = a[7] < 0xe0 ? 4 : take_number(a[7]),
		.send_slots = a[8] < 0xe0 ? 4 : take_number(a[8]),
		.slot_size = a[9] < 0xe0 ? 64 << a[9] % 7 : take_number(a[9]),
	};

	if (!call_driver(take_recent(&self.files, a[0]), DOCA_QUEUE_CREATE, &arg,
			 sizeof(arg), a[TWIST]) && !a[TWIST])
		add_ring(&arg);
}

/* Use only a few names, so that they are found. */
static void take_name(char *name, uint8_t byte)
{
	if (byte < 0xf0)
		name[0] = 'a' + byte % 3;
	else
		memset(name, byte, take_number(byte) % (DOCA_SERVER_NAME_SIZE + 1));
}

void do_listen(const uint8_t *a)
{
	struct doca_queue_listen arg = {
		.size = sizeof(arg),
		.function_id = a[2] < 0xe0 ? common->function : take_number(a[2]),
		.max_message = a[3] < 0xe0 ? 64 : take_number(a[3]),
	};

	take_name(arg.name, a[4]);
	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_LISTEN, &arg, sizeof(arg), a[TWIST]);
}

void do_connect(const uint8_t *a)
{
	struct doca_queue_connect arg = {
		.size = sizeof(arg),
		.max_message = a[3] < 0xe0 ? 64 : take_number(a[3]),
	};

	take_name(arg.name, a[4]);
	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_CONNECT, &arg, sizeof(arg), a[TWIST]);
}

/* Each queue counts them from 1. */
static uint32_t take_small(uint8_t byte)
{
	return byte < 0xe0 ? 1 + byte % 4 : take_number(byte);
}

void do_disconnect(const uint8_t *a)
{
	struct doca_queue_disconnect arg = {
		.size = sizeof(arg),
		.connection = take_small(a[2]),
	};

	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_DISCONNECT, &arg, sizeof(arg), a[TWIST]);
}

void do_attach(const uint8_t *a)
{
	struct doca_queue_attach arg = {
		.size = sizeof(arg),
		.parent_fd = a[2] < 0xf0 ? take_ring(a[2])->fd : take_recent(&self.files, a[2]),
		.connection = take_small(a[3]),
		.role = 1 + (a[4] & 1),
		.key = a[4] & 1 ? take_recent(&self.keys, a[5]) : 0,
		.imm_length = a[4] & 1 ? take_number(a[6]) : 0,
	};

	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_ATTACH, &arg, sizeof(arg), a[TWIST]);
}

void do_announce(const uint8_t *a)
{
	struct doca_queue_announce arg = { .size = sizeof(arg) };

	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_ANNOUNCE, &arg, sizeof(arg), a[TWIST]);
}

static struct doca_seg take_segment(const uint8_t *a)
{
	return (struct doca_seg){
		.key = take_recent(&self.keys, a[0]),
		.length = take_length(a[1]),
		.address = (uintptr_t)take_address(&a[2]),
	};
}

/* Write an entry of the queue's kind, mostly a correct one. */
void do_message(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	struct doca_sqe sqe = { .user_data = ring->tail };

	if (ring->geo.opcodes & 1 << DOCA_OP_POST_RECV) {
		sqe.opcode = DOCA_OP_POST_RECV;
		sqe.dst = take_segment(&a[2]);
	} else if (ring->geo.opcodes & 1 << DOCA_OP_SEND_TO) {
		sqe.opcode = DOCA_OP_SEND_TO;
		sqe.src = take_segment(&a[2]);
		sqe.aux = take_small(a[6]);
		sqe.flags = a[7] % 40 << DOCA_SQE_IMM_SHIFT;
	} else {
		sqe.opcode = DOCA_OP_MSG_SEND;
		sqe.src.address = a[2] < 0xe0 ? a[2] % 4 : take_number(a[2]);
		sqe.src.length = a[3] < 0xe0 ? 1 + a[3] % 64 : take_number(a[3]);
		sqe.op[0] = take_small(a[6]);
	}
	add_entry(ring, &sqe, a[13] & 0x40);
}

/* Reap events that were received, or claim some that were not. */
void do_receive_events(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	const struct doca_event *events = (void *)(ring->kernel + ring->geo.out_event_off);
	struct doca_ring_user *user = (struct doca_ring_user *)ring->user;
	uint32_t size = ring->geo.inbox_entries, n = size;

	while (n-- && __atomic_load_n(&events[ring->ev_head & (size - 1)].phase,
				      __ATOMIC_ACQUIRE) ==
			      DOCA_RING_PHASE(ring->ev_head, __builtin_ctz(size)))
		ring->ev_head++;
	if (a[1] & 1)
		store(&user->ev_notify_at, ring->ev_head + 1);
	store(&user->ev_head, a[2] < 0xe0 ? ring->ev_head : (uint32_t)take_number(a[2]));
}
