/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of eth.c: parts of an input, and the send queue. */
#ifndef DOCA_TESTS_FUZZ_ETH_FUZZ_H
#define DOCA_TESTS_FUZZ_ETH_FUZZ_H

#define TASKS 32
#define LISTS 8

static unsigned int in_flight; /* number of tasks and batches */

static void end_task(struct doca_task *task, struct doca_buf *buf)
{
	EXPECT(in_flight);
	in_flight--;
	if (buf)
		put(buf);
	doca_task_free(task);
}

/* A task that is refused at once changes nothing. */
static void submit(struct doca_task *task, struct doca_buf *buf)
{
	doca_error_t ret;

	in_flight++;
	if (take(1) & 1)
		ret = doca_task_try_submit(task);
	else
		ret = doca_task_submit_ex(task, take(1) & DOCA_TASK_SUBMIT_FLAG_FLUSH);
	if (ret != DOCA_SUCCESS)
		end_task(task, buf);
}

static void on_send(struct doca_eth_txq_task_send *task, union doca_data data,
		    union doca_data ctx_data)
{
	struct doca_task *base = doca_eth_txq_task_send_as_doca_task(task);

	(void)data;
	(void)ctx_data;
	end_task(base, task_src(base));
}

static void on_lso(struct doca_eth_txq_task_lso_send *task, union doca_data data,
		   union doca_data ctx_data)
{
	struct doca_task *base = doca_eth_txq_task_lso_send_as_doca_task(task);

	(void)data;
	(void)ctx_data;
	end_task(base, task_src(base));
}

static void end_batch(struct doca_task_batch *batch, uint16_t nr, struct doca_buf **bufs)
{
	EXPECT(in_flight);
	in_flight--;
	for (uint16_t i = 0; i < nr; i++)
		if (bufs[i])
			put(bufs[i]);
	doca_task_batch_free(batch);
}

static void on_batch_send(struct doca_task_batch *batch, uint16_t nr, union doca_data ctx_data,
			  union doca_data data, union doca_data *task_data, struct doca_buf **bufs,
			  doca_error_t *status)
{
	(void)ctx_data;
	(void)data;
	(void)task_data;
	(void)status;
	end_batch(batch, nr, bufs);
}

static void create_txq(void)
{
	OK(doca_eth_txq_create(&fake_dev, take(1) + 1, &txq));
	OK(doca_pe_connect_ctx(bed.pe, &txq->ctx));
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	OK(doca_eth_txq_set_max_send_buf_list_len(txq, take(1) % 32 + 1));
	OK(doca_eth_txq_set_l3_chksum_offload(txq, take(1) & 1));
	OK(doca_eth_txq_set_l4_chksum_offload(txq, take(1) & 1));
	OK(doca_eth_txq_set_mss(txq, take(2) % 1500 + 1));
	OK(doca_eth_txq_task_send_set_conf(txq, on_send, on_send, TASKS));
	OK(doca_eth_txq_task_lso_send_set_conf(txq, on_lso, on_lso, LISTS));
	OK(doca_eth_txq_task_batch_send_set_conf(txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 4,
						 on_batch_send, on_batch_send));
}

static void end_txq(void)
{
	OK(doca_eth_txq_destroy(txq));
	txq = NULL;
}

static void start_or_stop_txq(void)
{
	if (doca_priv_ctx_idle(&txq->ctx))
		doca_ctx_start(&txq->ctx);
	else
		doca_ctx_stop(&txq->ctx);
}

/* Make a buffer of the memory's first half, which begins with headers. */
static struct doca_buf *any_source(void)
{
	uint32_t n = take(1) % 4, kind = take(1);
	struct doca_buf *list = NULL, *more;

	if (!kind)
		return NULL;
	if (kind & 1)
		udp_frame((uint8_t *)bed.mem, 53, 1000);
	list = source(kind & 2 ? 0 : take(2) % 16384, take(2) % 1600);
	while (n--) {
		more = source(take(2) % 16384, take(1));
		OK(doca_buf_chain_list(list, more));
	}
	return list;
}

static void submit_send(void)
{
	struct doca_eth_txq_task_send *send;
	struct doca_buf *buf;

	if (doca_priv_ctx_idle(&txq->ctx))
		return;
	buf = any_source();
	if (doca_eth_txq_task_send_allocate_init(txq, buf, no_data, &send)) {
		if (buf)
			put(buf);
		return;
	}
	doca_eth_txq_task_send_set_ol_flags(send, take(1) % 5);
	submit(doca_eth_txq_task_send_as_doca_task(send), buf);
}

/* Lists of earlier tasks may change while those wait. */
static struct doca_gather_list *any_headers(void)
{
	static uint8_t bytes[512];
	static struct doca_gather_list lists[LISTS][3];
	static unsigned int turn;
	struct doca_gather_list *list = lists[turn++ % LISTS];
	uint32_t kind = take(1);

	udp_frame(bytes, 53, 100);
	if (kind & 1)
		bytes[23] = FRAME_TCP;
	if (kind & 2)
		bytes[46] = take(1);
	if (kind & 4) /* IPv6, if the rest fits */
		memcpy(bytes + 12, "\x86\xdd\x60\0\0\0\0\x20\x11", 9);
	for (uint32_t n = take(1) % 8; n; n--)
		bytes[take(1) % 64] = take(1);
	list[0] = (struct doca_gather_list){ bytes, take(1), &list[1] };
	list[1] = (struct doca_gather_list){ bytes + list[0].len, take(1) % 128, &list[2] };
	list[2] =
		(struct doca_gather_list){ bytes + 300, take(1) % 64, kind & 8 ? NULL : &list[0] };
	if (kind & 16)
		list[0].next = NULL;
	return kind & 32 ? NULL : list;
}

static void submit_lso(void)
{
	struct doca_eth_txq_task_lso_send *lso;
	struct doca_buf *buf;

	if (doca_priv_ctx_idle(&txq->ctx))
		return;
	buf = any_source();
	if (doca_eth_txq_task_lso_send_allocate_init(txq, buf, any_headers(), no_data, &lso)) {
		if (buf)
			put(buf);
		return;
	}
	doca_eth_txq_task_lso_send_set_mss(lso, take(2) % 2000);
	submit(doca_eth_txq_task_lso_send_as_doca_task(lso), buf);
}

static void submit_batch(void)
{
	uint16_t nr = take(1) % 17, *flags;
	struct doca_task_batch *batch;
	union doca_data *data;
	struct doca_buf **bufs;

	if (doca_priv_ctx_idle(&txq->ctx) ||
	    doca_eth_txq_task_batch_send_allocate(txq, nr, no_data, &bufs, &data, &batch))
		return;
	OK(doca_eth_txq_task_batch_send_get_ol_flags_array(batch, &flags));
	for (uint16_t i = 0; i < nr; i++) {
		bufs[i] = any_source();
		flags[i] = take(1) % 5;
	}
	in_flight++;
	if (doca_task_batch_submit(batch) != DOCA_SUCCESS)
		end_batch(batch, nr, bufs);
}

#endif /* DOCA_TESTS_FUZZ_ETH_FUZZ_H */
