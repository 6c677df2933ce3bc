// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Shared rings, by libFuzzer: arbitrary indices, descriptors and entries of AF_XDP sockets,
 * and arbitrary states of a packet socket's slots. A model knows the owner of each chunk,
 * whatever the rings say.
 */
#include <arpa/inet.h>

#define WIRE_SENT 1
#include "fake_xsk.h"
#include "fuzz/input.h"
#include "xsk/internal.h"

#define CHUNKS 32
#define SHARES 3
#define RULES 4

#define ALWAYS(cond)             \
	do {                     \
		if (!(cond))     \
			abort(); \
	} while (0)

enum owner { IN_RING, GIVEN, PROGRAM };

static _Alignas(4096) char memory[CHUNKS * 4096];

static struct {
	struct xsk *receivers[1 + SHARES]; /* the first one is the others' host */
	struct xsk_rule *rules[RULES];
	uint32_t put[STEER_QUEUES]; /* entries ever put into each fill ring */
	uint32_t chunk;
	uint8_t held;
	enum owner owner[CHUNKS];
} model;

static struct xsk_why why;

/* Mostly near @sound. */
static uint32_t index_near(uint32_t sound)
{
	uint32_t by = take(1);

	return by & 128 ? take(4) : sound + by - 64;
}

static bool is_held(uint32_t chunk, void *arg)
{
	(void)arg;
	return model.held >> (chunk % 8) & 1;
}

static struct xsk *host(void)
{
	return model.receivers[0];
}

static struct xsk *any_receiver(void)
{
	struct xsk *xsk = model.receivers[take(1) % (1 + SHARES)];

	return xsk ? xsk : host();
}

/* The kernel gets only chunks that the program has released, in its own ring. */
static void check_filled(void)
{
	struct xsk_sys_queue *queue;
	uint32_t i, chunk;
	uint64_t at;

	for (i = 0; i < host()->nr_queues; i++) {
		queue = &host()->queues[i];
		for (; model.put[i] != queue->fill.cached_prod; model.put[i]++) {
			at = *xsk_ring_prod__fill_addr(&queue->fill, model.put[i]);
			chunk = i * host()->slice + at / model.chunk;
			ALWAYS(at % model.chunk == 0);
			ALWAYS(at / model.chunk < host()->slice);
			ALWAYS(model.owner[chunk] == GIVEN);
			model.owner[chunk] = IN_RING;
		}
	}
}

static void open_rings(void)
{
	const struct xsk_attr attr = { .ifname = "fake0",
				       .memory = memory,
				       .length = CHUNKS * model.chunk,
				       .chunk = model.chunk,
				       .headroom = take(1),
				       .room = 1500,
				       .burst = take(1) % 32 + 1,
				       .is_held = is_held };

	ALWAYS(!xsk_open(&model.receivers[0], &attr, &why));
	ALWAYS(xsk_chunks(host()) <= CHUNKS);
	for (uint32_t i = 0; i < xsk_chunks(host()); i++)
		model.owner[i] = is_held(i, NULL) ? PROGRAM : GIVEN;
	check_filled();
}

static void check_frame(const struct xsk_frame *frame)
{
	size_t at = (char *)frame->data - memory;

	ALWAYS(frame->chunk < xsk_chunks(host()));
	ALWAYS(at / model.chunk == frame->chunk);
	ALWAYS(at % model.chunk >= sizeof(struct steer_tags));
	ALWAYS(frame->length <= model.chunk - at % model.chunk);
	ALWAYS(model.owner[frame->chunk] == IN_RING);
}

/* The next frame is the one that a look has shown. */
static void next(void)
{
	struct xsk_frame seen = { 0 }, frame;
	struct xsk *xsk = any_receiver();

	if (take(1) & 1 && xsk_look(xsk, &seen)) {
		check_frame(&seen);
		ALWAYS(xsk_pending(xsk));
	}
	if (take(1) & 1 || !xsk_next(xsk, &frame))
		return;
	check_frame(&frame);
	ALWAYS(!seen.data || !memcmp(&seen, &frame, sizeof(seen)));
	model.owner[frame.chunk] = PROGRAM;
	xsk_take_tags(&frame);
	ALWAYS(!xsk_take_tags(&frame).metadata);
}

static void give(void)
{
	uint32_t chunk = index_near(CHUNKS / 2);
	bool mine = chunk < xsk_chunks(host()) && model.owner[chunk] == PROGRAM;

	ALWAYS(xsk_give(host(), chunk) == mine);
	if (mine)
		model.owner[chunk] = GIVEN;
}

static void refill(void)
{
	xsk_refill(host());
	check_filled();
}

/* Write a descriptor, mostly at the ring's end. */
static void descriptor(void)
{
	struct xsk *xsk = any_receiver();
	struct xsk_ring_cons *rx = &xsk->queues[take(1) % xsk->nr_queues].rx;
	uint32_t at = index_near(*rx->producer) & rx->mask;
	uint64_t addr = take(1) * model.chunk + XSK_XDP_HEADROOM;
	uint32_t kind = take(1);

	if (kind & 1)
		addr = (uint64_t)take(4) << (kind >> 2) | take(2);
	((struct xdp_desc *)rx->ring)[at] =
		(struct xdp_desc){ .addr = addr, .len = kind & 2 ? take(4) : take(1) };
	++*rx->producer;
}

static void index_of_ring(void)
{
	struct xsk *xsk = any_receiver();
	struct xsk_sys_queue *queue = &xsk->queues[take(1) % xsk->nr_queues];
	struct xsk_sys_queue *fill = &host()->queues[take(1) % host()->nr_queues];
	uint32_t *const indices[] = { queue->rx.producer, queue->rx.consumer, fill->fill.producer,
				      fill->fill.consumer, fill->fill.flags };
	uint32_t *at = indices[take(1) % 5];

	*at = index_near(*at);
}

static void entry(void)
{
	struct xsk_ring_prod *fill = &host()->queues[take(1) % host()->nr_queues].fill;

	*xsk_ring_prod__fill_addr(fill, take(1)) = take(4);
}

static void share(void)
{
	struct xsk **at = &model.receivers[1 + take(1) % SHARES];

	if (*at) {
		xsk_close(*at, false);
		*at = NULL;
		return;
	}
	ALWAYS(!xsk_share(at, host(), take(1) % 32 + 1, &why));
}

/* No rule leads to a missing queue. */
static void check_rules(void)
{
	for (int i = 0; i < WIRE_RULES; i++) {
		const struct steer_target *target = &wire.program->rules[i].target;

		if (!wire.program->rules[i].used || target->action != STEER_QUEUE)
			continue;
		for (uint32_t q = 0; q < wire.queues; q++)
			ALWAYS(wire.program->sockets[target->base + q] >= 0);
	}
}

static void steer(void)
{
	struct xsk_rule **at = &model.rules[take(1) % RULES];
	const struct xsk_rule_attr attr = {
		.match = { .family = 4, .port = htons(take(1) % 4) },
		.action = take(1) % 3,
		.number = take(1) % 4,
	};

	if (*at) {
		xsk_rule_del(*at);
		*at = NULL;
	} else if (xsk_rule_add(at, "fake0", &attr, &why)) {
		*at = NULL;
	}
}

static void number(void)
{
	xsk_bind_number(any_receiver(), take(1) % 4, &why);
}

static void ask(void)
{
	struct xsk *xsk = any_receiver();

	xsk_pending(xsk);
	xsk_error(xsk);
	xsk_lost(xsk);
}

static void close_rings(void)
{
	for (int i = 0; i < RULES; i++)
		if (model.rules[i])
			xsk_rule_del(model.rules[i]);
	for (int i = SHARES; i >= 0; i--)
		if (model.receivers[i])
			xsk_close(model.receivers[i], false);
}

static void receive(void)
{
	static void (*const steps[])(void) = {
		next, give, refill, descriptor, index_of_ring, entry, share, steer, number, ask,
	};

	wire.queues = take(1) % STEER_QUEUES + 1;
	model.chunk = take(1) & 1 ? 4096 : 2048;
	model.held = take(1);
	open_rings();
	while (input.size) {
		steps[take(1) % (sizeof(steps) / sizeof(*steps))]();
		check_rules();
	}
	close_rings();
}

static void check_slots(const struct packet *packet)
{
	ALWAYS(packet->head - packet->tail <= packet->slots);
	ALWAYS(packet->announced - packet->tail <= packet->head - packet->tail);
	ALWAYS(packet_room(packet) <= packet->slots);
}

static void kick(struct packet *packet, uint32_t n)
{
	wire.kick_err = -(int)(n % 128);
	packet_kick(packet);
}

/* Set each slot to a state that the kernel, or anybody, may write. */
static void send_frames(void)
{
	struct packet packet;

	ALWAYS(!packet_open(&packet, "fake0", take(1), &why));
	/* Start with large indices, as after a long time. */
	packet.head = packet.tail = packet.announced = -(take(1) & ~63u);
	while (input.size) {
		uint32_t step = take(1), n = take(1);

		if (step % 4 == 0)
			packet_put(&packet, n % (packet_room(&packet) + 1));
		else if (step % 4 == 1)
			packet_slot(&packet, n)->tp_status = index_near(TP_STATUS_SEND_REQUEST);
		else if (step % 4 == 2)
			(n & 1 ? packet_reap : packet_take_back)(&packet);
		else
			kick(&packet, n);
		check_slots(&packet);
	}
	packet_close(&packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input.data = data;
	input.size = size;
	memset(&model, 0, sizeof(model));
	wire_reset();
	wire.holds = true;
	(take(1) & 7 ? receive : send_frames)();
	ALWAYS(wire_clean());
	return 0;
}
