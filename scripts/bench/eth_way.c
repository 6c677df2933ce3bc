// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ethernet queues on soft RoCE. One receives into a managed pool and has its frames
 * verified, the other sends tasks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_eth_rxq.h>
#include <doca_eth_rxq_cpu_data_path.h>
#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>
#include <doca_flow.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "bench/clock.h"
#include "bench/device.h"
#include "bench/msg.h"
#include "datagram_way.h"

#define LENGTH ((size_t)4 << 20)
#define SLOT 2048 /* room for a frame to send */
#define FRAME (FRAME_HEADERS + BURST_MAX_SIZE)

/* Parts of both queues; the context is one or the other. */
struct eth {
	void *memory;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	struct doca_eth_rxq *rxq;
	struct doca_eth_txq *txq;
	bool flows;
	struct doca_buf_inventory *inventory;
	struct doca_buf *bufs[BURST_MAX];
	struct doca_task *tasks[BURST_MAX];
	unsigned int done; /* number of events or tasks */
	bool failed;
};

static void stop(struct eth *eth)
{
	struct patience patience = { 0 };
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_stop(eth->ctx);
	do {
		doca_pe_progress(eth->pe);
		doca_ctx_get_state(eth->ctx, &state);
	} while (state != DOCA_CTX_STATE_IDLE && !patience_lost(&patience));
}

static void free_tasks(struct eth *eth)
{
	unsigned int i;

	for (i = 0; i < BURST_MAX; i++) {
		if (eth->tasks[i])
			doca_task_free(eth->tasks[i]);
		if (eth->bufs[i])
			doca_buf_dec_refcount(eth->bufs[i], NULL);
	}
}

/* Close it in any state. */
static void eth_close(struct datagram_way *dw)
{
	struct eth *eth = dw->self;

	free_tasks(eth);
	if (eth->ctx)
		stop(eth);
	if (eth->flows)
		doca_flow_destroy();
	if (eth->rxq)
		doca_eth_rxq_destroy(eth->rxq);
	if (eth->txq)
		doca_eth_txq_destroy(eth->txq);
	if (eth->inventory)
		doca_buf_inventory_destroy(eth->inventory);
	if (eth->pe)
		doca_pe_destroy(eth->pe);
	if (eth->mmap)
		doca_mmap_destroy(eth->mmap);
	if (eth->dev)
		doca_dev_close(eth->dev);
	if (eth->memory != MAP_FAILED)
		munmap(eth->memory, LENGTH);
	free(eth);
}

/* Make each call of a step until one fails. */
static doca_error_t open_memory(struct eth *eth)
{
	doca_error_t err = doca_mmap_create(&eth->mmap);

	if (!err)
		err = doca_mmap_set_memrange(eth->mmap, eth->memory, LENGTH);
	if (!err)
		err = doca_mmap_set_permissions(
			eth->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	if (!err)
		err = doca_mmap_add_dev(eth->mmap, eth->dev);
	if (!err)
		err = doca_mmap_start(eth->mmap);
	if (!err)
		err = doca_pe_create(&eth->pe);
	return err;
}

static int eth_open(struct datagram_way *dw,
		    doca_error_t (*make)(struct datagram_way *dw))
{
	static unsigned int nr;
	struct eth *eth = calloc(1, sizeof(*eth));
	doca_error_t err;
	char name[32];

	if (!eth)
		return fail_errno(ENOMEM, "cannot open an Ethernet queue");
	dw->self = eth;
	eth->memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	snprintf(name, sizeof(name), "bench%d_%u", getpid(), nr++);
	if (eth->memory == MAP_FAILED) {
		fail_errno(errno, "cannot open an Ethernet queue");
	} else if (!wire_add_device(&dw->wire, name) &&
		   !device_open(name, &eth->dev)) {
		err = open_memory(eth);
		if (!err)
			err = make(dw);
		if (!err)
			return 0;
		fail_doca(err, "cannot open an Ethernet queue on %s", name);
	}
	eth_close(dw);
	return -1;
}

static doca_error_t start(struct eth *eth, struct doca_ctx *ctx)
{
	doca_error_t err = doca_pe_connect_ctx(eth->pe, ctx);

	if (!err)
		err = doca_ctx_start(ctx);
	if (!err)
		eth->ctx = ctx;
	return err;
}

static void on_packet(struct doca_eth_rxq_event_managed_recv *event,
		      struct doca_buf *buf, union doca_data data)
{
	struct datagram_way *dw = data.ptr;
	struct eth *eth = dw->self;
	uint8_t l3 = 0, l4 = 0;
	void *frame = NULL;
	size_t length = 0;

	doca_eth_rxq_event_managed_recv_get_l3_ok(event, &l3);
	doca_eth_rxq_event_managed_recv_get_l4_ok(event, &l4);
	if (!l3 || !l4 || doca_buf_get_data(buf, &frame) ||
	    doca_buf_get_data_len(buf, &length))
		eth->failed = fail("a frame has a wrong checksum");
	else if (datagram_note_frame(dw, frame, length))
		eth->failed = true;
	doca_buf_dec_refcount(buf, NULL);
	eth->done++;
}

static void on_lost_packet(struct doca_eth_rxq_event_managed_recv *event,
			   struct doca_buf *buf, union doca_data data)
{
	struct datagram_way *dw = data.ptr;
	struct eth *eth = dw->self;

	(void)event;
	(void)buf;
	eth->failed = true;
	fail("an Ethernet queue has failed");
}

static doca_error_t begin_flows(struct eth *eth)
{
	struct doca_flow_cfg *cfg;
	doca_error_t err = doca_flow_cfg_create(&cfg);

	if (err)
		return err;
	err = doca_flow_cfg_set_mode_args(cfg, "vnf");
	if (!err)
		err = doca_flow_init(cfg);
	eth->flows = !err;
	doca_flow_cfg_destroy(cfg);
	return err;
}

static doca_error_t start_port(struct eth *eth, struct doca_flow_port **port)
{
	struct doca_flow_port_cfg *cfg;
	doca_error_t err = doca_flow_port_cfg_create(&cfg);

	if (err)
		return err;
	err = doca_flow_port_cfg_set_dev(cfg, eth->dev);
	if (!err)
		err = doca_flow_port_start(cfg, port);
	doca_flow_port_cfg_destroy(cfg);
	return err;
}

static doca_error_t add_pipe(struct eth *eth, struct doca_flow_port *port,
			     const struct doca_flow_match *match)
{
	struct doca_flow_pipe_entry *entry;
	struct doca_flow_pipe_cfg *cfg;
	struct doca_flow_pipe *pipe;
	uint16_t id = 0;
	struct doca_flow_fwd fwd = {
		.type = DOCA_FLOW_FWD_RSS,
		.rss_type = DOCA_FLOW_RESOURCE_TYPE_NON_SHARED,
		.rss = { .queues_array = &id, .nr_queues = 1 },
	};
	doca_error_t err = doca_flow_pipe_cfg_create(&cfg, port);

	if (err)
		return err;
	err = doca_eth_rxq_get_flow_queue_id(eth->rxq, &id);
	if (!err)
		err = doca_flow_pipe_cfg_set_is_root(cfg, true);
	if (!err)
		err = doca_flow_pipe_cfg_set_match(cfg, match, NULL);
	if (!err)
		err = doca_flow_pipe_create(cfg, &fwd, NULL, &pipe);
	if (!err)
		err = doca_flow_pipe_add_entry(0, pipe, NULL, NULL, NULL, NULL,
					       0, NULL, &entry);
	doca_flow_pipe_cfg_destroy(cfg);
	return err;
}

static doca_error_t steer(struct eth *eth, const struct wire_end *near)
{
	struct doca_flow_match match = {
		.outer = {
			.l3_type = DOCA_FLOW_L3_TYPE_IP4,
			.ip4 = { .dst_ip = near->address.sin_addr.s_addr },
			.l4_type_ext = DOCA_FLOW_L4_TYPE_EXT_UDP,
			.udp = { { .dst_port = near->address.sin_port } },
		},
	};
	struct doca_flow_port *port;
	doca_error_t err = begin_flows(eth);

	if (!err)
		err = start_port(eth, &port);
	return err ? err : add_pipe(eth, port, &match);
}

static doca_error_t make_rxq(struct datagram_way *dw)
{
	union doca_data data = { .ptr = dw };
	struct eth *eth = dw->self;
	doca_error_t err;

	err = doca_eth_rxq_create(eth->dev, 4 * BURST_MAX, FRAME, &eth->rxq);
	if (!err)
		err = doca_eth_rxq_set_type(eth->rxq,
					    DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL);
	if (!err)
		err = doca_eth_rxq_set_pkt_buf(eth->rxq, eth->mmap, 0, LENGTH);
	if (!err)
		err = doca_eth_rxq_event_managed_recv_register(
			eth->rxq, data, on_packet, on_lost_packet);
	if (!err)
		err = start(eth, doca_eth_rxq_as_doca_ctx(eth->rxq));
	return err ? err : steer(eth, &dw->wire.near);
}

static int rxq_open(struct datagram_way *dw)
{
	return eth_open(dw, make_rxq);
}

/* A call of progress makes one callback at most. */
static int rxq_take(struct datagram_way *dw)
{
	struct eth *eth = dw->self;

	eth->done = 0;
	doca_pe_progress(eth->pe);
	return eth->failed ? -1 : (int)eth->done;
}

static void on_sent(struct doca_eth_txq_task_send *task, union doca_data data,
		    union doca_data ctx)
{
	struct datagram_way *dw = data.ptr;
	struct eth *eth = dw->self;

	(void)task;
	(void)ctx;
	eth->done++;
}

static void on_not_sent(struct doca_eth_txq_task_send *task,
			union doca_data data, union doca_data ctx)
{
	struct datagram_way *dw = data.ptr;
	struct eth *eth = dw->self;

	(void)ctx;
	eth->failed = true;
	fail_doca(
		doca_task_get_status(doca_eth_txq_task_send_as_doca_task(task)),
		"a frame is not sent");
}

static uint8_t *slot(struct eth *eth, unsigned int i)
{
	return (uint8_t *)eth->memory + i * SLOT;
}

static doca_error_t make_task(struct datagram_way *dw, unsigned int i)
{
	struct eth *eth = dw->self;
	union doca_data data = { .ptr = dw };
	struct doca_eth_txq_task_send *task;
	doca_error_t err;

	datagram_frame(dw, slot(eth, i));
	err = doca_buf_inventory_buf_get_by_data(eth->inventory, eth->mmap,
						 slot(eth, i),
						 datagram_frame_length(dw),
						 &eth->bufs[i]);
	if (!err)
		err = doca_eth_txq_task_send_allocate_init(
			eth->txq, eth->bufs[i], data, &task);
	if (!err)
		eth->tasks[i] = doca_eth_txq_task_send_as_doca_task(task);
	return err;
}

static doca_error_t make_txq(struct datagram_way *dw)
{
	struct eth *eth = dw->self;
	doca_error_t err;
	unsigned int i;

	err = doca_buf_inventory_create(BURST_MAX, &eth->inventory);
	if (!err)
		err = doca_buf_inventory_start(eth->inventory);
	if (!err)
		err = doca_eth_txq_create(eth->dev, BURST_MAX, &eth->txq);
	if (!err)
		err = doca_eth_txq_set_type(eth->txq,
					    DOCA_ETH_TXQ_TYPE_REGULAR);
	if (!err)
		err = doca_eth_txq_task_send_set_conf(eth->txq, on_sent,
						      on_not_sent, BURST_MAX);
	if (!err)
		err = start(eth, doca_eth_txq_as_doca_ctx(eth->txq));
	for (i = 0; !err && i < BURST_MAX; i++)
		err = make_task(dw, i);
	return err;
}

static int txq_open(struct datagram_way *dw)
{
	return eth_open(dw, make_txq);
}

static int txq_send(struct datagram_way *dw)
{
	unsigned int i, depth = dw->burst.load.depth;
	struct patience patience = { 0 };
	struct eth *eth = dw->self;

	eth->done = 0;
	for (i = 0; i < depth; i++) {
		uint32_t number = dw->burst.first + i;

		memcpy(slot(eth, i) + FRAME_HEADERS, &number, sizeof(number));
		if (doca_task_submit_ex(eth->tasks[i],
					i + 1 == depth ?
						DOCA_TASK_SUBMIT_FLAG_FLUSH :
						DOCA_TASK_SUBMIT_FLAG_NONE))
			return fail("a frame cannot be submitted");
	}
	while (eth->done < depth && !eth->failed)
		if (!doca_pe_progress(eth->pe) && patience_lost(&patience))
			return fail("frames are not sent");
	return eth->failed ? -1 : 0;
}

const struct datagram_ops eth_rxq_ops = {
	.name = "eth_rxq",
	.optional = true,
	.open = rxq_open,
	.close = eth_close,
	.take = rxq_take,
};

const struct datagram_ops eth_txq_ops = {
	.name = "eth_txq",
	.optional = true,
	.open = txq_open,
	.close = eth_close,
	.send = txq_send,
};
