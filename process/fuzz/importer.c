// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The importer's role: arbitrary messages, entries and bytes in the shared areas. */
#include "peer.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "memory.h"

/* Other importers have ended, so there is room, and somebody answers. */
static void importer_open(struct peer *peer)
{
	struct sockaddr_un address;
	struct wire_msg msg = peer_hello();
	int size = wire_address(doca_export_identity(), &address);

	*peer = (struct peer){ .fds = { -1, -1, -1 } };
	peer_size(peer);
	peer->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	CHECK(!connect(peer->fd, (void *)&address, size));
	CHECK(!wire_send(peer->fd, &msg, NULL, 0));
	CHECK(peer_receive(peer->fd, &msg, peer->fds, WIRE_AREAS));
	CHECK(msg.type == WIRE_HELLO && !msg.hello.error);
	peer->key = msg.hello.key;
	peer->data = msg.hello.data;
	peer_map(peer, false);
}

static void importer_import(struct peer *peer, struct input *in)
{
	struct wire_msg msg = { .type = WIRE_IMPORT };
	u8 what = take(in, 1);

	msg.blob = program.mems[what & 1].blob;
	if (what & 0x80)
		((u8 *)&msg.blob)[take(in, 1) % sizeof(msg.blob)] ^=
			take(in, 1);
	peer_send(peer, &msg);
	if (!peer_receive(peer->fd, &msg, NULL, 0) || msg.type != WIRE_ANSWER)
		return;
	CHECK(msg.answer.error <= 0);
	if (!msg.answer.error)
		peer->keys[peer->imports++ % 4] = msg.answer.key;
}

/* Mostly near the ends of a memory; anything is possible. */
static struct doca_seg take_seg(struct peer *peer, struct input *in)
{
	u8 what = take(in, 1);
	struct doca_seg seg = { 0 };
	int i = what & 1;

	seg.length = take(in, what & 0x20 ? 3 : 2);
	if (what & 0x80) {
		seg.key = take(in, 4);
		seg.address = take(in, 8);
	} else if (what & 0x40) {
		seg.key = peer->key;
		seg.address = peer->data + take(in, 3);
	} else {
		seg.key = peer->keys[(what >> 1) % 4];
		seg.address =
			(uintptr_t)program.mems[i].addr + (int16_t)take(in, 2);
		if (what & 0x10)
			seg.address += MEM_SIZE;
	}
	if (what & 8)
		seg.address &= -8ULL;
	return seg;
}

static void importer_submit(struct peer *peer, struct input *in)
{
	struct doca_sqe *sqe =
		(void *)(peer->areas[WIRE_USER] + peer->arg.out_sq_off);
	u8 shape = take(in, 1);

	sqe += peer->tail % WIRE_TAGS;
	sqe->opcode = shape & 0x80 ? take(in, 2) : take_opcode(in);
	sqe->flags = shape & 0x40 ? take(in, 2) : 0;
	sqe->aux = shape & 0x20 ? take(in, 1) : 0;
	sqe->user_data = take(in, 1);
	sqe->src = take_seg(peer, in);
	sqe->dst = take_seg(peer, in);
	sqe->op[0] = shape & 4 ? take(in, 8) : 0;
	sqe->op[1] = shape & 8 ? take(in, 8) : 0;
	smp_store_release(&sqe->phase, DOCA_RING_PHASE(peer->tail, ORDER));
	peer->tail++;
}

static void importer_act(struct peer *peer, struct input *in)
{
	struct wire_msg msg = {};
	u8 what = take(in, 1);

	switch (what % 12) {
	case 0:
		importer_import(peer, in);
		break;
	case 1:
	case 2:
	case 3:
		importer_submit(peer, in);
		break;
	case 4:
	case 5:
		msg.type = WIRE_BELL;
		peer_send(peer, &msg);
		break;
	case 6:
		msg.type = WIRE_RELEASE;
		msg.key = what & 0x80 ? take(in, 4) :
					peer->keys[take(in, 1) % 4];
		peer_send(peer, &msg);
		break;
	case 7:
		msg.type = WIRE_CANCEL;
		msg.name = take(in, what & 0x80 ? 8 : 1);
		peer_send(peer, &msg);
		break;
	case 8:
		peer_send_raw(peer, in);
		break;
	case 9:
		peer_scribble(peer, WIRE_USER, in);
		break;
	case 10:
		peer_scribble(peer, WIRE_DATA, in);
		break;
	case 11:
		usleep(take(in, 1));
		break;
	}
}

void fuzz_importer(struct input *in)
{
	struct peer peer;

	importer_open(&peer);
	while (in->size)
		importer_act(&peer, in);
	peer_close(&peer);
}
