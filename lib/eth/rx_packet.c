// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A packet of a receive queue, made from its frame; and its properties. */
#include <time.h>

#include "core/base/clock.h"
#include "rxq.h"

/* While a batch fills, the deadline is the batch's. */
static bool rx_has_waited(struct doca_eth_rxq *rxq)
{
	if (!rxq->ctx.deadline || rxq->batched ||
	    clock_ns() < rxq->ctx.deadline)
		return false;
	ctx_set_deadline(&rxq->ctx, 0);
	return true;
}

/* The device goes with its interface, but only this queue may know. */
static void rx_look_after(struct doca_eth_rxq *rxq)
{
	if (++rxq->idle < RX_LOOKS && !rx_has_waited(rxq))
		return;
	rxq->idle = 0;
	if (xsk_error(rxq->xsk))
		ctx_failed(&rxq->ctx,
			   "its interface is gone, or down for good");
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* The program was promised room before and after the frame. */
bool rx_take(struct doca_eth_rxq *rxq, struct xsk_frame *frame,
	     struct rx_packet *packet)
{
	size_t offset;

	for (;;) {
		if (!xsk_next(rxq->xsk, frame)) {
			rx_look_after(rxq);
			return false;
		}
		offset = ((char *)frame->data - rxq->memory) % ETH_CHUNK;
		if (offset >= rxq->headroom &&
		    offset + frame->length + rxq->tailroom <= ETH_CHUNK)
			break;
		xsk_give(rxq->xsk, frame->chunk);
	}
	rxq->idle = 0;
	packet->data = frame->data;
	packet->length = frame->length;
	frame_parse(packet->data, packet->length, &packet->view);
	packet->tags = xsk_take_tags(frame);
	packet->timestamp = rxq->wants_timestamp ? now_ns() : 0;
	packet->hash =
		rxq->wants_hash ? frame_hash(packet->data, &packet->view) : 0;
	return true;
}

uint8_t rx_l3_ok(const struct rx_packet *packet)
{
	return packet->data && frame_l3_ok(packet->data, &packet->view);
}

uint8_t rx_l4_ok(const struct rx_packet *packet)
{
	return packet->data && frame_l4_ok(packet->data, &packet->view);
}
