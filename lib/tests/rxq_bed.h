/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Common code for tests of receive queues, on a fake interface. */
#ifndef DOCA_TESTS_RXQ_BED_H
#define DOCA_TESTS_RXQ_BED_H

#include "eth_bed.h"

static struct doca_eth_rxq_task_recv *last;
static unsigned int ended; /* number of tasks */
static doca_error_t ended_as;
static void (*on_recv)(struct doca_eth_rxq_task_recv *task);

static inline void recv_end(struct doca_eth_rxq_task_recv *task, union doca_data task_data,
			    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	last = task;
	ended++;
	ended_as = doca_task_get_status(doca_eth_rxq_task_recv_as_doca_task(task));
	record(ended_as == DOCA_SUCCESS ? 'S' : 'E');
	if (on_recv)
		on_recv(task);
}

static inline void free_recv(struct doca_eth_rxq_task_recv *task)
{
	struct doca_buf *buf = NULL;

	OK(doca_eth_rxq_task_recv_get_pkt(task, &buf));
	if (buf)
		put(buf);
	doca_task_free(doca_eth_rxq_task_recv_as_doca_task(task));
}

static inline void make_rxq(uint32_t burst)
{
	OK(doca_eth_rxq_create(&fake_dev, burst, 1600, &rxq));
	use_queue(doca_eth_rxq_as_doca_ctx(rxq));
	ended = 0;
	on_recv = free_recv;
}

static inline void regular(uint32_t burst, uint32_t tasks)
{
	eth_set_up();
	make_rxq(burst);
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	OK(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, tasks));
}

static inline void steer_and_start(void)
{
	steer_all(0, 0);
	start();
}

static struct doca_eth_rxq_task_recv *new_recv(struct doca_buf *buf)
{
	struct doca_eth_rxq_task_recv *task = NULL;

	OK(doca_eth_rxq_task_recv_allocate_init(rxq, buf, no_data, &task));
	return task;
}

static inline void submit_recv(struct doca_eth_rxq_task_recv *task)
{
	OK(doca_task_submit(doca_eth_rxq_task_recv_as_doca_task(task)));
}

#endif
