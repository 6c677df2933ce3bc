/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The part of datapath.c over RDMA, both of whose ends this thread has: messages from one context
 * to another. soft-RoCE is told of each by a write; the library itself looks now and then for news,
 * which is one system call more.
 */
#ifndef SELFTESTS_API_DATAPATH_RDMA_H
#define SELFTESTS_API_DATAPATH_RDMA_H

#include <doca_rdma.h>

#include "bed.h"

#define RDMA_LEN 512
#define NR_RDMA 16 /* messages in flight */

static struct {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_rdma *from, *to;
	struct doca_rdma_task_send *sends[NR_RDMA]; /* in turn, with a message each */
	char *mem; /* half of it is sent, and half is filled */
	unsigned long wanted, submitted, sent, received;
	bool wrong;
} rd;

static void rdma_next(struct doca_rdma_task_send *task)
{
	if (rd.submitted == rd.wanted)
		return;
	rd.submitted++;
	if (doca_task_submit(doca_rdma_task_send_as_task(task)))
		rd.wrong = true;
}

static void on_rdma_sent(struct doca_rdma_task_send *task, union doca_data task_data,
			 union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	if (doca_task_get_status(doca_rdma_task_send_as_task(task)))
		rd.wrong = true;
	rd.sent++;
	rdma_next(task);
}

static void on_rdma_received(struct doca_rdma_task_receive *task, union doca_data task_data,
			     union doca_data ctx_data)
{
	struct doca_buf *dst = doca_rdma_task_receive_get_dst_buf(task);
	const char *message = rd.mem + rd.received % NR_RDMA * RDMA_LEN;
	void *data;

	(void)task_data, (void)ctx_data;
	if (doca_task_get_status(doca_rdma_task_receive_as_task(task)) ||
	    doca_rdma_task_receive_get_result_len(task) != RDMA_LEN ||
	    doca_buf_get_data(dst, &data) || memcmp(data, message, RDMA_LEN))
		rd.wrong = true;
	else
		memset(data, 0, RDMA_LEN);
	rd.received++;
	doca_buf_reset_data_len(dst);
	if (doca_task_submit(doca_rdma_task_receive_as_task(task)))
		rd.wrong = true;
}

static bool rdma_is_there(void)
{
	struct doca_dev *dev = bed_open_dev("rxe0");

	if (dev)
		doca_dev_close(dev);
	return dev;
}

static bool rdma_start(struct doca_rdma **rdma, bool sends)
{
	struct doca_ctx *ctx;

	if (doca_rdma_create(rd.dev, rdma))
		return false;
	ctx = doca_rdma_as_ctx(*rdma);
	return !(sends ? doca_rdma_task_send_set_conf(*rdma, on_rdma_sent, on_rdma_sent, NR_RDMA) :
			 doca_rdma_task_receive_set_conf(*rdma, on_rdma_received, on_rdma_received,
							 2 * NR_RDMA)) &&
	       !doca_pe_connect_ctx(rd.pe, ctx) && !doca_ctx_start(ctx);
}

static struct doca_rdma_connection *rdma_connect_both(void)
{
	struct doca_rdma_connection *a, *b;
	const void *of_a, *of_b;
	size_t len_a, len_b;

	if (doca_rdma_export(rd.from, &of_a, &len_a, &a) ||
	    doca_rdma_export(rd.to, &of_b, &len_b, &b) ||
	    doca_rdma_connect(rd.to, of_a, len_a, b) || doca_rdma_connect(rd.from, of_b, len_b, a))
		return NULL;
	return a;
}

/* More receives are there than messages are in flight, so that no sender has to wait. */
static bool rdma_create(void)
{
	static const union doca_data none;
	struct doca_rdma_connection *connection;
	struct doca_rdma_task_receive *receive;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_buf *buf;
	char *at;
	int i;

	rd.mem = aligned_alloc(4096, 4 * NR_RDMA * RDMA_LEN);
	rd.dev = bed_open_dev("rxe0");
	bed_fill(rd.mem, NR_RDMA * RDMA_LEN, 1);
	if (!rd.dev || doca_pe_create(&rd.pe) || !rdma_start(&rd.from, true) ||
	    !rdma_start(&rd.to, false) ||
	    bed_mmap(rd.mem, 4 * NR_RDMA * RDMA_LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, rd.dev,
		     NULL, &mmap) ||
	    doca_buf_inventory_create(4 * NR_RDMA, &inv) || doca_buf_inventory_start(inv))
		return false;
	connection = rdma_connect_both();
	for (i = 0, at = rd.mem; i < NR_RDMA && connection; i++, at += RDMA_LEN)
		if (doca_buf_inventory_buf_get_by_data(inv, mmap, at, RDMA_LEN, &buf) ||
		    doca_rdma_task_send_allocate_init(rd.from, connection, buf, none, &rd.sends[i]))
			return false;
	for (i = 0, at = rd.mem + 2 * NR_RDMA * RDMA_LEN; i < 2 * NR_RDMA; i++, at += RDMA_LEN)
		if (doca_buf_inventory_buf_get_by_addr(inv, mmap, at, RDMA_LEN, &buf) ||
		    doca_rdma_task_receive_allocate_init(rd.to, buf, none, &receive) ||
		    doca_task_submit(doca_rdma_task_receive_as_task(receive)))
			return false;
	return connection;
}

static bool rdma_run(unsigned long nr)
{
	int i;

	rd.wanted += nr;
	for (i = 0; i < NR_RDMA; i++)
		rdma_next(rd.sends[i]);
	while ((rd.sent < rd.wanted || rd.received < rd.wanted) && !rd.wrong)
		doca_pe_progress(rd.pe);
	return !rd.wrong;
}

#endif /* SELFTESTS_API_DATAPATH_RDMA_H */
