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

/* A frame that was received, and the properties that were asked for. */
struct rx_packet {
	const uint8_t *data;
	uint32_t length;
	struct frame_view view;
	uint32_t hash;
	struct xsk_tags tags;
	uint64_t timestamp;
};

struct doca_eth_rxq_event_managed_recv {
	struct doca_eth_rxq *rxq;
	struct rx_packet packet;
};

/*
 * The packets of a batch, which the program may keep longer than its callback. It is that
 * of the chunk of its first packet: the chunk is not used again before that is released.
 */
struct rx_array {
	uint16_t given; /* packets that were passed to the program */
	struct doca_buf *bufs[]; /* as many as a batch may have */
};

/* Properties of the packets of a batch, for its callback. */
struct doca_eth_rxq_event_batch_managed_recv {
	struct doca_eth_rxq *rxq;
	struct rx_packet packets[RXQ_MAX_BATCH];
	uint32_t flow_tag[RXQ_MAX_BATCH];
	uint32_t metadata[RXQ_MAX_BATCH];
	uint32_t hash[RXQ_MAX_BATCH];
	uint64_t timestamp[RXQ_MAX_BATCH];
	uint8_t l3_ok[RXQ_MAX_BATCH];
	uint8_t l4_ok[RXQ_MAX_BATCH];
	uint16_t given; /* packets that were passed to the program */
};

struct doca_eth_rxq_task_recv {
	struct doca_task task;
	struct rx_packet packet;
	doca_error_t fault; /* error with which it will fail */
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

	/* Used while it is started */
	struct xsk *xsk;
	uint32_t generation; /* process that started it; see driver_current() */
	struct doca_task *first, *last; /* tasks that wait for a frame */
	uint32_t idle; /* looks in vain, since the interface was last checked */
	bool canceled;
	bool watched;
	bool told_small;
	char *memory; /* memory of the chunks */
	size_t length; /* likewise */
	uint16_t batched; /* packets that wait until their batch is full */

	/* For a managed pool: a buffer for each chunk, and the buffers that are back */
	struct buf_stock stock;
	struct doca_buf *bufs;
	struct doca_mmap *bufs_mmap; /* mmap of these buffers */
	char *arrays; /* one for each chunk, if events come in batches */
	struct rx_array *filling; /* array of the packets that wait */
	uint32_t out; /* buffers passed to the program, less those taken back */

	struct doca_eth_rxq_event_managed_recv event;
	struct doca_eth_rxq_event_batch_managed_recv batch;
};

extern const struct task_type eth_rxq_recv;
extern const struct lane_ops eth_rx_lane;

/* Begin a task: it holds its buffer, and its fault is known. */
void eth_rxq_recv_begin(struct doca_task *task);
/* Copy a frame into the buffer of the task; TOO_BIG if it has no room. */
doca_error_t eth_rxq_recv_copy(struct doca_eth_rxq_task_recv *recv,
			       const struct xsk_frame *frame);

static inline struct doca_eth_rxq *rxq_of(const struct doca_ctx *ctx)
{
	return (struct doca_eth_rxq *)list_entry(ctx, struct doca_eth_rxq, ctx);
}

static inline size_t rx_array_size(const struct doca_eth_rxq *rxq)
{
	return sizeof(struct rx_array) +
	       rxq->batch_max * sizeof(struct doca_buf *);
}

static inline bool rxq_is_managed(const struct doca_eth_rxq *rxq)
{
	return rxq->type == DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL;
}

/*
 * Get chunks for frames: the program's own memory, with a buffer for each chunk, or
 * memory of the queue. Errors are logged.
 */
doca_error_t rx_memory_get(struct doca_eth_rxq *rxq);
void rx_memory_put(struct doca_eth_rxq *rxq);
/* Return IN_USE, with a line in the log, while the program has packets. */
doca_error_t rx_memory_drop(struct doca_eth_rxq *rxq);

/* Each receive queue that an interface may have needs a page of chunks. */
uint32_t rx_min_chunks(void);

/* Give the kernel the buffers that the program has released. */
void rx_reclaim(struct doca_eth_rxq *rxq);

/*
 * Take the next frame, as @packet; false if there is none. After RX_LOOKS looks in vain,
 * or after a time, check that the interface still exists.
 */
#define RX_LOOKS 4096

bool rx_take(struct doca_eth_rxq *rxq, struct xsk_frame *frame,
	     struct rx_packet *packet);

uint8_t rx_l3_ok(const struct rx_packet *packet);
uint8_t rx_l4_ok(const struct rx_packet *packet);

/* Deliver the events of a managed pool. */
enum lane_turn rx_deliver(struct doca_ctx *ctx);
/* Deliver a single event quickly. */
enum lane_turn rx_reap(struct doca_ctx *ctx);
/* Drop the packets of a batch that will never be full. */
void rx_drop_batch(struct doca_eth_rxq *rxq);

/* Return the buffer of a frame, which belongs to the program from now on. */
struct doca_buf *rx_packet_buf(struct doca_eth_rxq *rxq,
			       const struct xsk_frame *frame);

#endif /* DOCA_ETH_RX_QUEUE_H */
