/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Receive queues. */
#ifndef DOCA_ETH_RX_QUEUE_H
#define DOCA_ETH_RX_QUEUE_H

#include <doca_eth_rxq.h>
#include <doca_eth_rxq_cpu_data_path.h>

#include "core/memory/buf_stock.h"
#include "eth.h"
#include "xsk/frame.h"

#define RXQ_MAX_BATCH 128

enum { RXQ_RECV, RXQ_TASKS };

/* A frame that was received, and what was asked of it. */
struct rx_packet {
	const uint8_t *data;
	uint32_t length;
	uint32_t hash;
	struct xsk_tags tags;
	uint64_t timestamp;
};

struct doca_eth_rxq_event_managed_recv {
	struct doca_eth_rxq *rxq;
	struct rx_packet packet;
};

struct doca_eth_rxq_event_batch_managed_recv {
	struct doca_eth_rxq *rxq;
	struct rx_packet packets[RXQ_MAX_BATCH];
	uint32_t flow_tag[RXQ_MAX_BATCH];
	uint32_t metadata[RXQ_MAX_BATCH];
	uint32_t hash[RXQ_MAX_BATCH];
	uint64_t timestamp[RXQ_MAX_BATCH];
	uint8_t l3_ok[RXQ_MAX_BATCH];
	uint8_t l4_ok[RXQ_MAX_BATCH];
	uint16_t given; /* packets that the program was given */
	struct doca_buf *bufs[RXQ_MAX_BATCH];
};

struct doca_eth_rxq_task_recv {
	struct doca_task task;
	struct rx_packet packet;
	doca_error_t fault; /* it will fail with that */
};

struct doca_eth_rxq {
	struct doca_ctx ctx;
	struct task_pool pools[RXQ_TASKS];

	/* Settings */
	enum doca_eth_rxq_type type;
	bool has_type;
	uint32_t max_burst;
	uint32_t max_packet;
	uint16_t headroom;
	uint16_t tailroom;
	uint16_t flow_id;
	uint8_t metadata_num;
	bool wants_tag, wants_hash, wants_timestamp;
	struct doca_mmap *mmap;
	uint32_t mmap_offset;
	uint32_t mmap_len;
	union doca_data event_data;
	doca_eth_rxq_event_managed_recv_handler_cb_t event_cb;
	doca_eth_rxq_event_batch_managed_recv_handler_cb_t batch_cb;
	uint16_t batch_min;
	uint16_t batch_max;

	/* While it is started */
	struct xsk *xsk;
	struct doca_task *first, *last; /* that wait for a frame */
	uint32_t idle; /* looks in vain, since the interface was asked for */
	bool canceled;
	bool watched;
	bool told_small;
	char *memory; /* of the chunks */
	size_t length; /* likewise */
	uint16_t batched; /* packets that wait for their batch to be full */

	/* Of a managed pool: a buffer for each chunk, and those that are back */
	struct buf_stock stock;
	struct doca_buf *bufs;
	struct doca_mmap *bufs_mmap; /* theirs */
	uint32_t out; /* to the program, ever, without those taken back */

	struct doca_eth_rxq_event_managed_recv event;
	struct doca_eth_rxq_event_batch_managed_recv batch;
};

extern const struct task_type eth_rxq_recv;
extern const struct lane_ops eth_rx_lane;

/* A task in flight: it holds its buffer, and what is wrong with it is known. */
void eth_rxq_recv_begin(struct doca_task *task);
/* Into the buffer of the task; TOO_BIG if it has no room for the frame. */
doca_error_t eth_rxq_recv_copy(struct doca_eth_rxq_task_recv *recv,
			       const struct xsk_frame *frame);

static inline struct doca_eth_rxq *rxq_of(const struct doca_ctx *ctx)
{
	return (struct doca_eth_rxq *)list_entry(ctx, struct doca_eth_rxq, ctx);
}

static inline bool rxq_is_managed(const struct doca_eth_rxq *rxq)
{
	return rxq->type == DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL;
}

/*
 * Chunks for frames: the program's own memory, of which each has a buffer, or memory of
 * the queue's. Logs why not.
 */
doca_error_t rx_memory_get(struct doca_eth_rxq *rxq);
void rx_memory_put(struct doca_eth_rxq *rxq);
/* IN_USE, with a line in the log, while the program has packets. */
doca_error_t rx_memory_drop(struct doca_eth_rxq *rxq);

/* Each receive queue that an interface may have needs a page of chunks. */
uint32_t rx_min_chunks(void);

/* What the program has released goes to the kernel again. */
void rx_reclaim(struct doca_eth_rxq *rxq);

/*
 * The next frame, as @packet; false if there is none. The interface is asked whether it is
 * there after so many looks in vain, or after a time.
 */
#define RX_LOOKS 4096

bool rx_take(struct doca_eth_rxq *rxq, struct xsk_frame *frame,
	     struct rx_packet *packet);

uint8_t rx_l3_ok(const struct rx_packet *packet);
uint8_t rx_l4_ok(const struct rx_packet *packet);

/* The events of a managed pool. */
enum lane_turn rx_deliver(struct doca_ctx *ctx);
/* Packets of a batch that will not be. */
void rx_drop_batch(struct doca_eth_rxq *rxq);

/* The buffer of a frame, which is the program's from now on. */
struct doca_buf *rx_packet_buf(struct doca_eth_rxq *rxq,
			       const struct xsk_frame *frame);

#endif /* DOCA_ETH_RX_QUEUE_H */
