// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ethernet queues, by libFuzzer: a receive queue and a send queue on a fake interface, with
 * calls, frames and failures of the kernel in any order. Nobody else writes to a packet that
 * the program has, and each task ends once.
 */
#define main ktap_main /* libFuzzer has its own main() */
#include "ktap.h"
#undef main

#define WIRE_SENT 64
#include "eth_bed.h"
#include "fuzz/input.h"
#include "eth_fuzz.h"

#define BURST 16
#define POOL (2 * BURST)
#define KEPT 24

static _Alignas(4096) char pool[(POOL + 2) * 4096];

static struct {
	struct doca_mmap *memory; /* the memory of a managed pool */
	unsigned int kept;
	struct {
		struct doca_buf *buf;
		uint8_t *bytes;
		size_t length;
	} packets[KEPT];
	bool keeps;
	bool looks; /* read everything about a packet */
} rx;

/* Bytes that the program writes there stay: in front of the frame, in it and behind it. */
static void keep(struct doca_buf *buf)
{
	void *head = NULL;
	size_t length = 0, at;

	OK(doca_buf_get_head(buf, &head));
	OK(doca_buf_get_len(buf, &length));
	/* The promised room before and behind it is in the same chunk. */
	at = (char *)head - pool;
	ASSERT(at + length <= sizeof(pool) && at / ETH_CHUNK == (at + length - 1) / ETH_CHUNK);
	memset(head, rx.kept + 1, length);
	rx.packets[rx.kept].buf = buf;
	rx.packets[rx.kept].bytes = head;
	rx.packets[rx.kept++].length = length;
}

static bool is_untouched(unsigned int at)
{
	const uint8_t *bytes = rx.packets[at].bytes;

	for (size_t i = 1; i < rx.packets[at].length; i++)
		if (bytes[i] != bytes[0])
			return false;
	return true;
}

static void let_go(unsigned int at)
{
	EXPECT(is_untouched(at));
	put(rx.packets[at].buf);
	rx.packets[at] = rx.packets[--rx.kept];
}

static void on_event(struct doca_eth_rxq_event_managed_recv *event, struct doca_buf *buf,
		     union doca_data data)
{
	uint32_t value;
	uint8_t ok;

	(void)data;
	EXPECT(rxq_is_managed(rxq));
	if (rx.looks) {
		OK(doca_eth_rxq_event_managed_recv_get_rx_hash(event, &value));
		OK(doca_eth_rxq_event_managed_recv_get_l3_ok(event, &ok));
		OK(doca_eth_rxq_event_managed_recv_get_l4_ok(event, &ok));
	}
	if (rx.keeps && rx.kept < KEPT)
		keep(buf);
	else
		put(buf);
}

static void on_batch(struct doca_eth_rxq_event_batch_managed_recv *batch, uint16_t nr,
		     union doca_data data, doca_error_t status, struct doca_buf **bufs)
{
	const uint32_t *values;
	const uint8_t *ok;

	(void)data;
	OK(status);
	EXPECT(rxq_is_managed(rxq) && nr && nr <= 8);
	if (rx.looks) {
		OK(doca_eth_rxq_event_batch_managed_recv_get_rx_hash_array(batch, &values));
		OK(doca_eth_rxq_event_batch_managed_recv_get_l4_ok_array(batch, &ok));
	}
	if (!rx.keeps || rx.kept + nr > KEPT) {
		doca_eth_rxq_event_batch_managed_recv_pkt_array_free(bufs);
		return;
	}
	for (uint16_t i = 0; i < nr; i++)
		keep(bufs[i]);
}

static void on_recv(struct doca_eth_rxq_task_recv *recv, union doca_data data,
		    union doca_data ctx_data)
{
	struct doca_task *task = doca_eth_rxq_task_recv_as_doca_task(recv);
	uint32_t hash;
	uint8_t ok;

	(void)data;
	(void)ctx_data;
	if (rx.looks && doca_task_get_status(task) == DOCA_SUCCESS) {
		OK(doca_eth_rxq_task_recv_get_rx_hash(recv, &hash));
		OK(doca_eth_rxq_task_recv_get_l4_ok(recv, &ok));
	}
	end_task(task, task_dst(task));
}

/* None at all, one for each packet, or for batches. */
static void register_event(unsigned int kind)
{
	if (kind == 1)
		OK(doca_eth_rxq_event_managed_recv_register(rxq, no_data, on_event, on_event));
	if (kind == 2)
		OK(doca_eth_rxq_event_batch_managed_recv_register(
			rxq, DOCA_EVENT_BATCH_EVENTS_NUMBER_8,
			take(1) % (DOCA_EVENT_BATCH_EVENTS_NUMBER_8 + 1), no_data, on_batch,
			on_batch));
}

/* A regular queue has tasks alone, whatever is registered; the tasks of a managed pool fail. */
static void create_rxq(void)
{
	unsigned int kind = take(1) % 5;

	OK(doca_eth_rxq_create(&fake_dev, take(1) % BURST + 1, take(2) % ETH_MAX_PACKET + 1, &rxq));
	OK(doca_pe_connect_ctx(bed.pe, &rxq->ctx));
	OK(doca_eth_rxq_set_rx_hash(rxq, 1));
	OK(doca_eth_rxq_set_packet_headroom(rxq, take(1)));
	OK(doca_eth_rxq_set_packet_tailroom(rxq, take(1)));
	OK(doca_eth_rxq_task_recv_set_conf(rxq, on_recv, on_recv, TASKS));
	if (kind < 3) {
		OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
		register_event(kind);
		return;
	}
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL));
	OK(doca_eth_rxq_set_pkt_buf(rxq, rx.memory, take(2) % 8192, POOL * 4096));
	register_event(kind - 2);
}

/* The queue stays if the program has packets of it. */
static void replace_rxq(void)
{
	bool may = doca_priv_ctx_idle(&rxq->ctx) && !rx.kept;
	doca_error_t ret = doca_eth_rxq_destroy(rxq);

	EXPECT_EQ(ret, may ? DOCA_SUCCESS : DOCA_ERROR_IN_USE);
	if (ret == DOCA_SUCCESS)
		create_rxq();
}

static void start_or_stop_rxq(void)
{
	if (doca_priv_ctx_idle(&rxq->ctx))
		doca_ctx_start(&rxq->ctx);
	else
		doca_ctx_stop(&rxq->ctx);
}

static void submit_recv(void)
{
	struct doca_eth_rxq_task_recv *recv;
	struct doca_buf *buf;

	if (doca_priv_ctx_idle(&rxq->ctx))
		return;
	buf = take(1) & 7 ? room(take(1) * 64, take(2) % 2048) : NULL;
	if (doca_eth_rxq_task_recv_allocate_init(rxq, buf, no_data, &recv)) {
		if (buf)
			put(buf);
		return;
	}
	submit(doca_eth_rxq_task_recv_as_doca_task(recv), buf);
}

static void release(void)
{
	unsigned int at = take(1);

	if (rx.kept)
		let_go(at % rx.kept);
}

static void frame_comes(void)
{
	static uint8_t frame[4096];
	uint32_t length = take(2) % 3500, queue = take(1) % wire.queues;

	memset(frame, length, sizeof(frame));
	if (length & 1 && length < 1400)
		length = udp_frame(frame, take(1), length);
	for (uint32_t n = take(1) % 8; n; n--)
		frame[take(1) % 64] = take(1);
	wire_receive(queue, frame, length);
}

/* The frame is in a chunk that the kernel was given, but at a place that no sound kernel uses. */
static void odd_frame_comes(void)
{
	uint32_t queue = take(1) % wire.queues;
	struct xsk_umem *umem = wire.umem[queue];
	struct xsk_socket *socket = wire.bound[queue];
	uint64_t addr;

	if (!umem || umem->fill.producer == umem->fill.consumer ||
	    socket->rx.producer - socket->rx.consumer == socket->rx.size)
		return;
	addr = ((uint64_t *)umem->fill.entries)[umem->fill.consumer++ & (umem->fill.size - 1)];
	wire_desc(queue, addr + take(2) % ETH_CHUNK, take(2) % 5000);
}

static void change(void)
{
	uint32_t what = take(1);

	rx.keeps = what & 1;
	rx.looks = what & 2;
	wire.holds = what & 4;
	wire.loops = what & 8;
	wire.error = (what & 0x70) == 0x70 ? -ENETDOWN : 0;
	wire.kick_err = what & 0x80 ? -(int)(take(1) % 128) : 0;
}

static void wait_and_wake(void)
{
	doca_notification_handle_t fd = -1;

	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	if (doca_pe_request_notification(bed.pe) != DOCA_SUCCESS)
		return;
	fake_readable(fd);
	OK(doca_pe_clear_notification(bed.pe, fd));
}

static void progress(void)
{
	for (unsigned int n = take(1) % 32; n; n--)
		doca_pe_progress(bed.pe);
}

static void kernel_sends(void)
{
	unsigned int n = take(1) % 16;

	if (!doca_priv_ctx_idle(&txq->ctx))
		wire_send(n);
	wire.nr_sent = 0;
}

static void begin(void)
{
	eth_set_up();
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE);
	memset(&rx, 0, sizeof(rx));
	rx.keeps = true;
	wire.queues = take(1) % 4 + 1;
	OK(doca_mmap_create(&rx.memory));
	OK(doca_mmap_set_memrange(rx.memory, pool, sizeof(pool)));
	OK(doca_mmap_add_dev(rx.memory, &fake_dev));
	OK(doca_mmap_start(rx.memory));
	if (take(1) & 3)
		steer_all(1, 2);
	create_rxq();
	create_txq();
	start_or_stop_rxq();
	start_or_stop_txq();
}

/* Right after a wait, progress handles what has ended the wait. */
static void stop_queue(struct doca_ctx *ctx)
{
	if (!doca_priv_ctx_idle(ctx))
		doca_ctx_stop(ctx);
	drain(bed.pe);
	drain(bed.pe);
	EXPECT(doca_priv_ctx_idle(ctx));
}

/* Everything ends and is released. */
static void end(void)
{
	stop_queue(&rxq->ctx);
	stop_queue(&txq->ctx);
	while (rx.kept)
		let_go(0);
	end_txq();
	EXPECT_EQ(in_flight, 0);
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	OK(doca_eth_rxq_destroy(rxq));
	rxq = NULL;
	OK(doca_mmap_destroy(rx.memory));
	eth_tear_down();
	if (ktap_bad) {
		fflush(stdout);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const steps[])(void) = {
		progress,     progress,		 frame_comes, frame_comes, odd_frame_comes,
		submit_recv,  submit_recv,	 release,     change,	   wait_and_wake,
		kernel_sends, start_or_stop_rxq, replace_rxq, submit_send, submit_lso,
		submit_batch, start_or_stop_txq,
	};

	input.data = data;
	input.size = size;
	begin();
	while (input.size)
		steps[take(1) % (sizeof(steps) / sizeof(*steps))]();
	end();
	return 0;
}
