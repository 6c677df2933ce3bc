/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Send queues. */
#ifndef DOCA_ETH_TX_QUEUE_H
#define DOCA_ETH_TX_QUEUE_H

#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>

#include "core/exec/batch.h"
#include "eth.h"
#include "xsk/frame.h"
#include "xsk/packet.h"

enum { TXQ_SEND, TXQ_LSO, TXQ_BATCH_SEND, TXQ_BATCH_LSO, TXQ_TASKS };

/* Follows the task of both types: it is in the ring up to @end, or has a fault. */
struct tx_fields {
	doca_error_t fault;
	uint32_t end; /* slot */
	uint16_t ol_flags;
	uint16_t mss; /* for LSO, as is the next */
	struct doca_gather_list *headers;
	uint32_t metadata[ETH_MAX_METADATA];
};

struct doca_eth_txq_task_send {
	struct doca_task task;
	struct tx_fields tx;
};

struct doca_eth_txq_task_lso_send {
	struct doca_task task;
	struct tx_fields tx;
};

/* Arrays that the program fills in for the tasks of its batches, for each task of the pool. */
struct tx_arrays {
	void *block;
	struct doca_buf **pkts;
	struct doca_gather_list **headers;
	uint32_t *metadata;
	uint16_t *ol_flags;
	uint16_t *mss;
};

struct doca_eth_txq {
	struct doca_ctx ctx;
	struct task_pool pools[TXQ_TASKS];

	/* Settings */
	bool has_type;
	bool l3_offload, l4_offload;
	uint8_t metadata_num;
	uint16_t flow_id;
	uint16_t max_header;
	uint16_t mss;
	uint32_t max_burst;
	uint32_t max_list;
	struct batch_pool batches[2]; /* beginning with TXQ_BATCH_SEND */

	/* Used while it is started */
	struct packet packet;
	struct tx_arrays arrays[2];
	struct doca_task *first, *last; /* in flight, in order */
	struct doca_task *unput; /* the first of these that is not in the ring */
	uint64_t refused_at; /* time of the first refusal; 0: there is room */
	uint32_t refused; /* slot that was refused */
	bool canceled;
	bool told_down;
	bool told_refused;
};

extern const struct task_type eth_txq_send, eth_txq_lso;
extern const struct lane_ops eth_tx_lane;

static inline struct doca_eth_txq *txq_of(const struct doca_ctx *ctx)
{
	return (struct doca_eth_txq *)list_entry(ctx, struct doca_eth_txq, ctx);
}

static inline struct tx_fields *tx_of(const struct doca_task *task)
{
	_Static_assert(offsetof(struct doca_eth_txq_task_send, tx) ==
			       offsetof(struct doca_eth_txq_task_lso_send, tx),
		       "they are alike");
	return &((struct doca_eth_txq_task_send *)task)->tx;
}

static inline bool tx_is_lso(const struct doca_task *task)
{
	return task->type == &eth_txq_lso;
}

/* For a task of a batch: load the values that the program has written into the arrays. */
void tx_batch_load(struct doca_task *task);
doca_error_t tx_batches_start(struct doca_eth_txq *txq);
void tx_batches_stop(struct doca_eth_txq *txq);

/* Return INVALID_VALUE, with a line in the log, if its frames cannot be made. */
doca_error_t tx_send_check(const struct doca_task *task);
doca_error_t tx_lso_check(const struct doca_task *task);
/* Make the checks of both; @length: of the data. */
doca_error_t tx_check(const struct doca_task *task, uint64_t *length);

/* Position of a frame's type, and the type that means a VLAN tag. */
#define TX_TYPE_AT 12
#define TX_TYPE_VLAN 0x8100

/* Write its frames at the head of the ring, which must have room for all of them. */
uint32_t tx_lso_frames(const struct doca_task *task); /* number of its frames */
void tx_put_send(struct doca_eth_txq *txq, const struct doca_task *task);
void tx_put_lso(struct doca_eth_txq *txq, const struct doca_task *task);

/* Copy bytes of a list's data, from @from on; the list must have them. */
void tx_copy(char *to, const struct doca_buf *list, uint64_t from,
	     uint32_t length);

#endif /* DOCA_ETH_TX_QUEUE_H */
