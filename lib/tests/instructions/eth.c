// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * eth_instructions WHAT FRAMES BATCH: frames of 64 bytes come to an Ethernet queue on a fake
 * interface, for callgrind to count the instructions of taking them. WHAT is xsk, the sockets
 * alone, or rxq, a managed pool; in both all checksums are verified.
 */
#define main ktap_main
#include "ktap.h"
#undef main

#include <sys/mman.h>

#include "eth_bed.h"

#define BURST 32
#define CHUNKS 256
#define PAYLOAD 64
#define FRAME_MAX (42 + PAYLOAD)

static unsigned int taken;
static uint8_t frame[FRAME_MAX];

static void received(struct doca_eth_rxq_event_managed_recv *event, struct doca_buf *pkt,
		     union doca_data data)
{
	uint8_t l3 = 0, l4 = 0;
	size_t length = 0;
	void *at = NULL;

	(void)data;
	doca_eth_rxq_event_managed_recv_get_l3_ok(event, &l3);
	doca_eth_rxq_event_managed_recv_get_l4_ok(event, &l4);
	doca_buf_get_data(pkt, &at);
	doca_buf_get_data_len(pkt, &length);
	EXPECT(l3 && l4 && length == sizeof(frame) && at);
	doca_buf_dec_refcount(pkt, NULL);
	taken++;
}

/* Take all that has come; each turn is one packet. */
static __attribute__((noinline)) void take_from_rxq(void)
{
	while (doca_pe_progress(bed.pe))
		;
}

static __attribute__((noinline)) void take_from_xsk(void)
{
	struct xsk_frame next;
	struct frame_view view;

	for (; xsk_next(rxq->xsk, &next); taken++) {
		frame_parse(next.data, next.length, &view);
		EXPECT(view.l4 && frame_l3_ok(next.data, &view) && frame_l4_ok(next.data, &view) &&
		       next.length == sizeof(frame));
		xsk_give(rxq->xsk, next.chunk);
	}
	xsk_refill(rxq->xsk);
}

static void begin(void)
{
	const size_t length = CHUNKS * 2048;
	struct doca_mmap *memory;
	char *pages;

	eth_set_up();
	pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(doca_mmap_create(&memory));
	OK(doca_mmap_set_memrange(memory, pages, length));
	OK(doca_mmap_set_permissions(memory, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	OK(doca_mmap_add_dev(memory, &fake_dev));
	OK(doca_mmap_start(memory));
	OK(doca_eth_rxq_create(&fake_dev, BURST, 1600, &rxq));
	use_queue(&rxq->ctx);
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL));
	OK(doca_eth_rxq_set_pkt_buf(rxq, memory, 0, length));
	OK(doca_eth_rxq_event_managed_recv_register(rxq, no_data, received, received));
	start();
	steer_all(0, 0);
	udp_frame(frame, 1000, PAYLOAD);
}

int main(int argc, char **argv)
{
	unsigned int n = argc == 4 ? atoi(argv[2]) : 0, batch = argc == 4 ? atoi(argv[3]) : 0;
	unsigned int before;

	if (!batch || batch > BURST)
		return 2;
	*ktap_last = NULL; /* there are no cases */
	begin();
	for (unsigned int i = 0; i < n / batch; i++) {
		before = taken;
		for (unsigned int j = 0; j < batch; j++)
			wire_receive(0, frame, sizeof(frame));
		if (*argv[1] == 'x')
			take_from_xsk();
		else
			take_from_rxq();
		EXPECT_EQ(taken - before, batch);
	}
	return ktap_bad;
}
