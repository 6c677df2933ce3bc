/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Common code for tests of send queues, on a fake interface. */
#ifndef DOCA_TESTS_TXQ_BED_H
#define DOCA_TESTS_TXQ_BED_H

#include "eth_bed.h"

static doca_error_t ended_as;
static struct doca_task_batch *last_batch;
static doca_error_t batch_status[16];
static void (*on_send)(struct doca_task *task);

static inline void end(struct doca_task *task)
{
	ended_as = doca_task_get_status(task);
	record(ended_as == DOCA_SUCCESS ? 'S' : 'E');
	if (on_send)
		on_send(task);
}

static inline void sent(struct doca_eth_txq_task_send *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	end(doca_eth_txq_task_send_as_doca_task(task));
}

static inline void lso_sent(struct doca_eth_txq_task_lso_send *task, union doca_data task_data,
			    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	end(doca_eth_txq_task_lso_send_as_doca_task(task));
}

static inline void batch_sent(struct doca_task_batch *batch, uint16_t n, union doca_data ctx_data,
			      union doca_data data, union doca_data *task_data,
			      struct doca_buf **pkts, doca_error_t *status)
{
	(void)ctx_data;
	EXPECT_EQ(data.u64, 11);
	EXPECT_EQ(task_data[1].u64, 22);
	EXPECT(pkts[0]);
	last_batch = batch;
	for (uint16_t i = 0; i < n; i++)
		batch_status[i] = status[i];
	record('B');
}

static inline void lso_batch_sent(struct doca_task_batch *batch, uint16_t n,
				  union doca_data ctx_data, union doca_data data,
				  union doca_data *task_data, struct doca_buf **pkts,
				  struct doca_gather_list **headers, doca_error_t *status)
{
	EXPECT(headers[0]);
	batch_sent(batch, n, ctx_data, data, task_data, pkts, status);
}

static inline void release(struct doca_task *task)
{
	if (task_src(task))
		put(task_src(task));
	doca_task_free(task);
}

static inline void tx_set_up(uint32_t burst)
{
	eth_set_up();
	OK(doca_eth_txq_create(&fake_dev, burst, &txq));
	use_queue(doca_eth_txq_as_doca_ctx(txq));
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	OK(doca_eth_txq_task_send_set_conf(txq, sent, sent, 128));
	OK(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 8));
	OK(doca_eth_txq_set_l3_chksum_offload(txq, 1));
	OK(doca_eth_txq_set_l4_chksum_offload(txq, 1));
	on_send = release;
}

static inline struct doca_eth_txq_task_send *new_send(struct doca_buf *buf)
{
	struct doca_eth_txq_task_send *task = NULL;

	OK(doca_eth_txq_task_send_allocate_init(txq, buf, no_data, &task));
	return task;
}

static inline void submit_send(struct doca_buf *buf)
{
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(new_send(buf))));
}

/* Make headers of Ethernet, IPv4 and TCP, like a sender of one large segment. */
static inline struct doca_gather_list *tcp_headers(uint8_t *at)
{
	static struct doca_gather_list list[2];

	memset(at, 0, 54);
	memcpy(at, "\2\0\0\0\0\1\2\0\0\0\0\2\10\0\x45", 15);
	put_be16(at + 18, 0xfffe); /* identification */
	at[22] = 64;
	at[23] = FRAME_TCP;
	memcpy(at + 26, "\12\0\0\1\12\0\0\2", 8);
	put_be32(at + 38, 0xffffff00);
	at[46] = 5 << 4;
	at[47] = 0x80 | 0x10 | 8 | 1; /* CWR, ACK, PSH, FIN */
	list[0] = (struct doca_gather_list){ at, 14, &list[1] };
	list[1] = (struct doca_gather_list){ at + 14, 40, NULL };
	return list;
}

static inline struct doca_eth_txq_task_lso_send *new_lso(struct doca_buf *payload,
							 struct doca_gather_list *list)
{
	struct doca_eth_txq_task_lso_send *task = NULL;

	OK(doca_eth_txq_task_lso_send_allocate_init(txq, payload, list, no_data, &task));
	return task;
}

static inline void submit_lso(struct doca_eth_txq_task_lso_send *task)
{
	OK(doca_task_submit(doca_eth_txq_task_lso_send_as_doca_task(task)));
}

#endif /* DOCA_TESTS_TXQ_BED_H */
