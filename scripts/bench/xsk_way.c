// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The rings below zero-copy receive and Ethernet queues, used directly: an AF_XDP
 * socket, with its frames verified, and a packet socket.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/clock.h"
#include "bench/msg.h"
#include "datagram_way.h"
#include "xsk/frame.h"
#include "xsk/packet.h"
#include "xsk/xsk.h"

#define CHUNK 2048
#define CHUNKS 1024
#define LENGTH ((size_t)CHUNKS * CHUNK)
#define NUMBER 1 /* number of the queue on its interface */

struct xsk_self {
	void *memory;
	struct xsk *xsk;
	struct xsk_rule *rule;
};

static void xsk_way_close(struct datagram_way *dw)
{
	struct xsk_self *self = dw->self;

	if (self->rule)
		xsk_rule_del(self->rule);
	if (self->xsk)
		xsk_close(self->xsk, false);
	if (self->memory != MAP_FAILED)
		munmap(self->memory, LENGTH);
	free(self);
}

static int open_xsk(struct xsk_self *self, const struct wire_end *near,
		    struct xsk_why *why)
{
	struct xsk_attr attr = {
		.ifname = near->name,
		.memory = self->memory,
		.length = LENGTH,
		.chunk = CHUNK,
		.room = FRAME_HEADERS + BURST_MAX_SIZE,
		.burst = 4 * BURST_MAX,
	};
	struct xsk_rule_attr rule = {
		.match = { .family = 4, .port = near->address.sin_port },
		.action = STEER_QUEUE,
		.number = NUMBER,
	};

	memcpy(rule.match.address, &near->address.sin_addr, 4);
	return xsk_open(&self->xsk, &attr, why) ||
	       xsk_bind_number(self->xsk, NUMBER, why) ||
	       xsk_rule_add(&self->rule, near->name, &rule, why);
}

static int xsk_way_open(struct datagram_way *dw)
{
	struct xsk_self *self = calloc(1, sizeof(*self));
	struct xsk_why why;

	if (!self)
		return fail_errno(ENOMEM, "cannot receive frames");
	dw->self = self;
	self->memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (self->memory == MAP_FAILED)
		fail_errno(errno, "cannot receive frames");
	else if (!open_xsk(self, &dw->wire.near, &why))
		return 0;
	else
		fail("cannot receive frames: %s", why.text);
	xsk_way_close(dw);
	return -1;
}

static bool is_sound(const struct xsk_frame *frame)
{
	struct frame_view view;

	frame_parse(frame->data, frame->length, &view);
	return view.l4 && frame_l3_ok(frame->data, &view) &&
	       frame_l4_ok(frame->data, &view);
}

static int xsk_take(struct datagram_way *dw)
{
	struct xsk_self *self = dw->self;
	struct xsk_frame frame;
	int n = 0;

	for (; xsk_next(self->xsk, &frame); n++) {
		if (!is_sound(&frame))
			return fail("a frame has a wrong checksum");
		if (datagram_note_frame(dw, frame.data, frame.length))
			return -1;
		xsk_give(self->xsk, frame.chunk);
	}
	xsk_refill(self->xsk);
	return n;
}

struct packet_self {
	struct packet packet;
	uint8_t frame[FRAME_HEADERS + BURST_MAX_SIZE];
};

static void packet_way_close(struct datagram_way *dw)
{
	struct packet_self *self = dw->self;

	packet_close(&self->packet);
	free(self);
}

static int packet_way_open(struct datagram_way *dw)
{
	struct packet_self *self = calloc(1, sizeof(*self));
	struct xsk_why why;

	if (!self)
		return fail_errno(ENOMEM, "cannot send frames");
	dw->self = self;
	datagram_frame(dw, self->frame);
	if (!packet_open(&self->packet, dw->wire.near.name, BURST_MAX, &why))
		return 0;
	fail("cannot send frames: %s", why.text);
	free(self);
	return -1;
}

static int packet_way_send(struct datagram_way *dw)
{
	struct packet_self *self = dw->self;
	struct packet *packet = &self->packet;
	size_t length = datagram_frame_length(dw);
	struct patience patience = { 0 };
	uint32_t i;

	for (i = 0; i < dw->burst.load.depth; i++) {
		uint32_t number = dw->burst.first + i;
		char *at = packet_data(packet, i);

		memcpy(at, self->frame, length);
		memcpy(at + FRAME_HEADERS, &number, sizeof(number));
		packet_set_length(packet, i, length);
	}
	packet_put(packet, i);
	while (packet->tail != packet->head) {
		if (packet_kick(packet) || patience_lost(&patience))
			return fail("frames are not sent");
		packet_reap(packet);
	}
	return 0;
}

const struct datagram_ops xsk_ops = {
	.name = "xsk",
	.optional = true,
	.open = xsk_way_open,
	.close = xsk_way_close,
	.take = xsk_take,
};

const struct datagram_ops packet_ops = {
	.name = "packet",
	.optional = true,
	.open = packet_way_open,
	.close = packet_way_close,
	.send = packet_way_send,
};
