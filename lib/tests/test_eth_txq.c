// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Send queues, on an interface that is made up. */
#include "eth_bed.h"

static doca_error_t ended_as;
static struct doca_task_batch *last_batch;
static doca_error_t batch_status[16];
static void (*on_send)(struct doca_task *task);

static void end(struct doca_task *task)
{
	ended_as = doca_task_get_status(task);
	record(ended_as == DOCA_SUCCESS ? 'S' : 'E');
	if (on_send)
		on_send(task);
}

static void sent(struct doca_eth_txq_task_send *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	end(doca_eth_txq_task_send_as_doca_task(task));
}

static void lso_sent(struct doca_eth_txq_task_lso_send *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	end(doca_eth_txq_task_lso_send_as_doca_task(task));
}

static void batch_sent(struct doca_task_batch *batch, uint16_t n,
		       union doca_data ctx_data, union doca_data data,
		       union doca_data *task_data, struct doca_buf **pkts,
		       doca_error_t *status)
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

static void lso_batch_sent(struct doca_task_batch *batch, uint16_t n,
			   union doca_data ctx_data, union doca_data data,
			   union doca_data *task_data, struct doca_buf **pkts,
			   struct doca_gather_list **headers,
			   doca_error_t *status)
{
	EXPECT(headers[0]);
	batch_sent(batch, n, ctx_data, data, task_data, pkts, status);
}

static void release(struct doca_task *task)
{
	if (task_src(task))
		put(task_src(task));
	doca_task_free(task);
}

static void tx_set_up(uint32_t burst)
{
	eth_set_up();
	OK(doca_eth_txq_create(&fake_dev, burst, &txq));
	OK(doca_pe_connect_ctx(bed.pe, doca_eth_txq_as_doca_ctx(txq)));
	OK(doca_ctx_set_state_changed_cb(&txq->ctx, on_state));
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	OK(doca_eth_txq_task_send_set_conf(txq, sent, sent, 128));
	OK(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 8));
	OK(doca_eth_txq_set_l3_chksum_offload(txq, 1));
	OK(doca_eth_txq_set_l4_chksum_offload(txq, 1));
	on_send = release;
}

static void start(void)
{
	OK(doca_ctx_start(&txq->ctx));
	took();
	logged();
}

static void stop(void)
{
	doca_ctx_stop(&txq->ctx);
	drain(bed.pe);
	EXPECT(doca_priv_ctx_idle(&txq->ctx));
	took();
}

static struct doca_eth_txq_task_send *new_send(struct doca_buf *buf)
{
	struct doca_eth_txq_task_send *task = NULL;

	OK(doca_eth_txq_task_send_allocate_init(txq, buf, no_data, &task));
	return task;
}

static void submit_send(struct doca_buf *buf)
{
	OK(doca_task_submit(
		doca_eth_txq_task_send_as_doca_task(new_send(buf))));
}

TEST(a_frame_is_sent)
{
	tx_set_up(8);
	start();
	submit_send(source(0, 100));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(wire.nr_sent, 1);
	EXPECT_EQ(wire.sent_len[0], 100);
	EXPECT(!memcmp(wire_sent(0), bed.mem, 100));
	stop();
	eth_tear_down();
}

TEST(a_list_is_one_frame)
{
	struct doca_buf *list;

	tx_set_up(8);
	start();
	list = source(0, 20);
	OK(doca_buf_chain_list(list, source(100, 30)));
	OK(doca_buf_chain_list(list, source(200, 40)));
	submit_send(list);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(wire.sent_len[0], 90);
	EXPECT(!memcmp(wire_sent(0), bed.mem, 20));
	EXPECT(!memcmp(wire_sent(0) + 20, bed.mem + 100, 30));
	EXPECT(!memcmp(wire_sent(0) + 50, bed.mem + 200, 40));
	stop();
	took();
	eth_tear_down();
}

/* More than the ring has: the rest waits, in order, and the kernel is told once. */
TEST(what_has_no_room_waits)
{
	tx_set_up(8);
	start();
	wire.holds = true;
	for (unsigned int i = 0; i < 100; i++)
		submit_send(source(i, 60));
	EXPECT_EQ(txq->packet.slots, 64);
	EXPECT_EQ(drain(bed.pe), 0);
	for (unsigned int i = 0; i < 100; i++) {
		wire_send(1);
		EXPECT_EQ(drain(bed.pe), 1);
	}
	EXPECT_EQ(wire.nr_sent, 100);
	for (unsigned int i = 0; i < 100; i++)
		EXPECT(!memcmp(wire_sent(i), bed.mem + i, 60));
	took();
	stop();
	eth_tear_down();
}

TEST(held_back_frames_are_told_once)
{
	tx_set_up(64);
	start();
	for (unsigned int i = 0; i < 32; i++)
		OK(doca_task_submit_ex(doca_eth_txq_task_send_as_doca_task(
					       new_send(source(i, 60))),
				       0));
	EXPECT_EQ(wire.kicks, 0);
	doca_ctx_flush_tasks(&txq->ctx);
	EXPECT_EQ(wire.kicks, 1);
	EXPECT_EQ(drain(bed.pe), 32);
	EXPECT_EQ(wire.kicks, 1);
	took();
	stop();
	eth_tear_down();
}

TEST(checksums_are_computed)
{
	struct doca_eth_txq_task_send *task;
	struct frame_view view;
	uint8_t right[200];
	uint32_t len = udp_frame(right, 53, 99);

	tx_set_up(8);
	start();
	memcpy(bed.mem, right, len);
	memset(bed.mem + 24, 0xaa, 2);
	memset(bed.mem + 40, 0xbb, 2);
	task = new_send(source(0, len));
	doca_eth_txq_task_send_set_ol_flags(
		task,
		DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM | DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM);
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!memcmp(wire_sent(0), right, len));
	frame_parse(wire_sent(0), len, &view);
	EXPECT(frame_l3_ok(wire_sent(0), &view));
	EXPECT(frame_l4_ok(wire_sent(0), &view));
	/* Not in what is not IP. */
	task = new_send(source(500, 60));
	doca_eth_txq_task_send_set_ol_flags(task, 3);
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!memcmp(wire_sent(1), bed.mem + 500, 60));
	took();
	stop();
	eth_tear_down();
}

TEST(tasks_that_are_wrong_fail_alone)
{
	struct doca_eth_txq_task_send *task;

	tx_set_up(8);
	OK(doca_eth_txq_set_l4_chksum_offload(txq, 0));
	start();
	submit_send(source(0, 13));
	EXPECT_LOGGED("a frame of 13 bytes");
	submit_send(source(0, 1519));
	EXPECT_LOGGED("a frame of 1519 bytes");
	submit_send(source(0, 1518));
	submit_send(NULL);
	EXPECT_LOGGED("is missing");
	task = new_send(source(0, 60));
	doca_eth_txq_task_send_set_ol_flags(task, 2);
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	EXPECT_LOGGED("was not told to compute");
	task = new_send(source(0, 60));
	doca_eth_txq_task_send_set_ol_flags(task, 8);
	ERR(doca_task_try_submit(doca_eth_txq_task_send_as_doca_task(task)),
	    INVALID_VALUE);
	EXPECT_LOGGED("unknown offload flags");
	release(doca_eth_txq_task_send_as_doca_task(task));
	bed.mmap->from_export = true;
	submit_send(source(0, 60));
	EXPECT_LOGGED("not memory of this process");
	bed.mmap->from_export = false;
	EXPECT_EQ(drain(bed.pe), 6);
	EXPECT_STR(took(), "EESEEE");
	EXPECT_EQ(ended_as, DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(wire.nr_sent, 1);
	stop();
	eth_tear_down();
}

TEST(lists_that_are_too_long_are_refused)
{
	struct doca_buf *list;

	tx_set_up(8);
	OK(doca_eth_txq_set_max_send_buf_list_len(txq, 2));
	start();
	list = source(0, 20);
	for (int i = 0; i < 2; i++)
		OK(doca_buf_chain_list(list, source(0, 20)));
	submit_send(list);
	EXPECT_LOGGED("more than 2 buffers");
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "E");
	stop();
	eth_tear_down();
}

TEST(stop_ends_what_is_not_sent)
{
	tx_set_up(8);
	start();
	wire.holds = true;
	for (unsigned int i = 0; i < 80; i++)
		submit_send(source(i, 60));
	wire_send(3);
	ERR(doca_ctx_stop(&txq->ctx), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 81);
	EXPECT(!strncmp(took(), "sSSSEEEE", 8));
	EXPECT_EQ(ended_as, DOCA_ERROR_SHUTDOWN);
	wire.holds = false;
	start();
	submit_send(source(0, 60));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	stop();
	eth_tear_down();
}

TEST(an_interface_that_is_down_fails_tasks_and_comes_back)
{
	tx_set_up(8);
	start();
	wire.kick_err = -ENETDOWN;
	for (unsigned int i = 0; i < 70; i++)
		submit_send(source(i, 60));
	EXPECT_LOGGED("takes no frame");
	EXPECT_EQ(drain(bed.pe), 70);
	EXPECT_EQ(ended_as, DOCA_ERROR_IO_FAILED);
	took();
	wire.kick_err = 0;
	submit_send(source(0, 60));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(wire.nr_sent, 1);
	logged();
	wire.kick_err = -ENXIO;
	submit_send(source(0, 60));
	drain(bed.pe);
	EXPECT_STR(took(), "sEi");
	stop();
	eth_tear_down();
}

TEST(a_wait_ends_when_a_frame_is_sent)
{
	doca_notification_handle_t fd = -1;
	struct pollfd p = { .events = POLLIN };

	tx_set_up(8);
	start();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	p.fd = fd;
	wire.holds = true;
	submit_send(source(0, 60));
	OK(doca_pe_request_notification(bed.pe));
	wire_send(1);
	EXPECT_EQ(poll(&p, 1, 20000), 1);
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(txq->ctx.deadline, 0);
	took();
	stop();
	eth_tear_down();
}

/* Ethernet, IPv4, TCP, as a sender of one large segment has them. */
static struct doca_gather_list *tcp_headers(uint8_t *at)
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

static struct doca_eth_txq_task_lso_send *new_lso(struct doca_buf *payload,
						  struct doca_gather_list *list)
{
	struct doca_eth_txq_task_lso_send *task = NULL;

	OK(doca_eth_txq_task_lso_send_allocate_init(txq, payload, list, no_data,
						    &task));
	return task;
}

static void submit_lso(struct doca_eth_txq_task_lso_send *task)
{
	OK(doca_task_submit(doca_eth_txq_task_lso_send_as_doca_task(task)));
}

static void check_segment(unsigned int i, uint32_t from, uint32_t part,
			  uint8_t flags)
{
	const uint8_t *f = wire_sent(i);
	struct frame_view view;

	EXPECT_EQ(wire.sent_len[i], 54 + part);
	EXPECT_EQ(get_be16(f + 16), 40 + part);
	EXPECT_EQ(get_be16(f + 18), (0xfffe + i) & 0xffff);
	EXPECT_EQ(get_be32(f + 38), 0xffffff00 + from);
	EXPECT_EQ(f[47], flags);
	EXPECT(!memcmp(f + 54, bed.mem + from, part));
	frame_parse(f, 54 + part, &view);
	EXPECT(frame_l3_ok(f, &view));
	EXPECT(view.l4 && frame_l4_ok(f, &view));
}

TEST(lso_cuts_tcp)
{
	struct doca_eth_txq_task_lso_send *task;
	struct doca_buf *payload;
	uint8_t headers[54];

	tx_set_up(8);
	OK(doca_eth_txq_set_mss(txq, 999));
	start();
	payload = source(0, 1000);
	OK(doca_buf_chain_list(payload, source(1000, 2500)));
	task = new_lso(payload, tcp_headers(headers));
	doca_eth_txq_task_lso_send_set_mss(task, 1000);
	submit_lso(task);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(wire.nr_sent, 4);
	check_segment(0, 0, 1000, 0x90);
	check_segment(1, 1000, 1000, 0x10);
	check_segment(2, 2000, 1000, 0x10);
	check_segment(3, 3000, 500, 0x19);
	/* The queue's own size, and headers that are not known. */
	memset(headers, 0xee, sizeof(headers));
	submit_lso(new_lso(source(0, 1999),
			   &(struct doca_gather_list){ headers, 20, NULL }));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(wire.nr_sent, 7);
	EXPECT_EQ(wire.sent_len[4], 20 + 999);
	EXPECT_EQ(wire.sent_len[6], 20 + 1);
	EXPECT(!memcmp(wire_sent(5), headers, 20));
	EXPECT(!memcmp(wire_sent(5) + 20, bed.mem + 999, 999));
	took();
	stop();
	eth_tear_down();
}

TEST(lso_cuts_udp)
{
	uint8_t headers[200];
	struct frame_view view;
	struct doca_gather_list list = { headers, 42, NULL };

	tx_set_up(8);
	OK(doca_eth_txq_set_mss(txq, 100));
	start();
	udp_frame(headers, 53, 10);
	submit_lso(new_lso(source(0, 250), &list));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(wire.nr_sent, 3);
	for (unsigned int i = 0; i < 3; i++) {
		const uint8_t *f = wire_sent(i);

		EXPECT_EQ(get_be16(f + 38), wire.sent_len[i] - 34);
		frame_parse(f, wire.sent_len[i], &view);
		EXPECT(view.l4 && frame_l3_ok(f, &view) &&
		       frame_l4_ok(f, &view));
		EXPECT(get_be16(f + 40));
	}
	took();
	stop();
	eth_tear_down();
}

TEST(lso_tasks_that_are_wrong_fail_alone)
{
	static uint8_t headers[300];
	struct doca_gather_list list = { headers, 300, NULL };
	struct doca_gather_list circle = { headers, 1, &circle };
	struct doca_eth_txq_task_lso_send *task;

	tx_set_up(8);
	OK(doca_eth_txq_set_max_lso_header_size(txq, 100));
	start();
	submit_lso(new_lso(source(0, 100), NULL));
	EXPECT_LOGGED("headers have less");
	list.len = 101;
	submit_lso(new_lso(source(0, 100), &list));
	EXPECT_LOGGED("headers have less");
	submit_lso(new_lso(source(0, 100), &circle));
	EXPECT_LOGGED("headers have less");
	list.len = 60;
	submit_lso(new_lso(source(0, 100), &list));
	EXPECT_LOGGED("there is no MSS");
	task = new_lso(source(0, 100), &list);
	doca_eth_txq_task_lso_send_set_mss(task, 1459);
	submit_lso(task);
	EXPECT_LOGGED("headers and MSS are more");
	task = new_lso(source(0, 65), &list);
	doca_eth_txq_task_lso_send_set_mss(task, 1);
	ERR(doca_task_try_submit(doca_eth_txq_task_lso_send_as_doca_task(task)),
	    INVALID_VALUE);
	EXPECT_LOGGED("more frames than the queue");
	submit_lso(task);
	EXPECT_EQ(drain(bed.pe), 6);
	EXPECT_STR(took(), "EEEEEE");
	EXPECT_EQ(wire.nr_sent, 0);
	stop();
	eth_tear_down();
}

TEST(a_batch_has_one_callback)
{
	struct doca_task_batch *batch = NULL;
	union doca_data *data = NULL;
	struct doca_buf **pkts = NULL;
	uint16_t *flags = NULL;
	uint32_t *metadata = NULL;

	tx_set_up(64);
	OK(doca_eth_txq_task_batch_send_set_conf(
		txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2, batch_sent,
		batch_sent));
	start();
	for (int round = 0; round < 3; round++) {
		OK(doca_eth_txq_task_batch_send_allocate(
			txq, 4, (union doca_data){ .u64 = 11 }, &pkts, &data,
			&batch));
		OK(doca_eth_txq_task_batch_send_get_ol_flags_array(batch,
								   &flags));
		OK(doca_eth_txq_task_batch_send_get_metadata_array(batch,
								   &metadata));
		EXPECT_EQ(flags[3] + metadata[3], 0);
		for (int i = 0; i < 4; i++)
			pkts[i] = source(i, i == 2 && round ? 5 : 60);
		data[1].u64 = 22;
		flags[3] = round == 2 ? 64 : 0;
		OK(doca_task_batch_submit(batch));
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "B");
		EXPECT(last_batch == batch);
		EXPECT_EQ(batch_status[1], DOCA_SUCCESS);
		EXPECT_EQ(batch_status[2],
			  round ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
		EXPECT_EQ(batch_status[3],
			  round == 2 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
		for (int i = 0; i < 4; i++)
			put(pkts[i]);
		doca_task_batch_free(batch);
	}
	EXPECT_EQ(wire.nr_sent, 4 + 3 + 2);
	stop();
	eth_tear_down();
}

TEST(a_batch_of_lso_has_one_callback)
{
	struct doca_task_batch *batch = NULL, *other = NULL;
	struct doca_gather_list **headers = NULL;
	union doca_data *data = NULL;
	struct doca_buf **pkts = NULL;
	uint16_t *flags = NULL, *mss = NULL;
	uint32_t *metadata = NULL;
	uint8_t bytes[54];

	tx_set_up(64);
	OK(doca_eth_txq_task_batch_lso_send_set_conf(
		txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1, lso_batch_sent,
		lso_batch_sent));
	OK(doca_eth_txq_task_batch_lso_send_num_expand(txq, 1));
	start();
	OK(doca_eth_txq_task_batch_lso_send_allocate(
		txq, 2, (union doca_data){ .u64 = 11 }, &pkts, &headers, &data,
		&other));
	OK(doca_eth_txq_task_batch_lso_send_allocate(
		txq, 2, (union doca_data){ .u64 = 11 }, &pkts, &headers, &data,
		&batch));
	OK(doca_eth_txq_task_batch_lso_send_get_mss_array(batch, &mss));
	OK(doca_eth_txq_task_batch_lso_send_get_ol_flags_array(batch, &flags));
	OK(doca_eth_txq_task_batch_lso_send_get_metadata_array(batch,
							       &metadata));
	ERR(doca_eth_txq_task_batch_send_get_ol_flags_array(batch, &flags),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_get_metadata_array(batch, &metadata),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_get_mss_array(batch, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_get_ol_flags_array(batch, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_get_metadata_array(batch, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_allocate(txq, 1, no_data, &pkts,
						      &headers, &data, &batch),
	    NO_MEMORY);
	for (int i = 0; i < 2; i++) {
		pkts[i] = source(0, 500);
		headers[i] = tcp_headers(bytes);
		mss[i] = 300;
	}
	data[1].u64 = 22;
	OK(doca_task_batch_submit(batch));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "B");
	EXPECT_EQ(wire.nr_sent, 4);
	for (int i = 0; i < 2; i++)
		put(pkts[i]);
	doca_task_batch_free(batch);
	doca_task_batch_free(other);
	stop();
	eth_tear_down();
}

TEST(settings_are_refused)
{
	struct doca_eth_txq_task_lso_send *lso;
	struct doca_eth_txq_task_send *task;
	struct doca_gather_list **headers, *list;
	struct doca_task_batch *batch;
	struct doca_gpu_eth_txq *gpu;
	struct doca_eth_txq *other;
	union doca_data *data;
	struct doca_buf **pkts, *buf;
	uint32_t *metadata;
	uint64_t value;
	uint16_t id = 9;

	tx_set_up(8);
	ERR(doca_eth_txq_create(&fake_dev, 0, &other), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC, doca_eth_txq_create(&fake_dev, 1, &other),
		      NO_MEMORY, OK(doca_eth_txq_destroy(other)));
	ERR(doca_eth_txq_destroy(NULL), INVALID_VALUE);
	EXPECT(!doca_eth_txq_as_doca_ctx(NULL));
	ERR(doca_eth_txq_set_type(txq, 1), INVALID_VALUE);
	ERR(doca_eth_txq_set_max_burst_size(txq, 0), INVALID_VALUE);
	OK(doca_eth_txq_set_max_burst_size(txq, 16));
	ERR(doca_eth_txq_set_max_send_buf_list_len(txq, 33), INVALID_VALUE);
	ERR(doca_eth_txq_set_max_lso_header_size(txq, 257), INVALID_VALUE);
	ERR(doca_eth_txq_set_metadata_num(txq, 2), INVALID_VALUE);
	OK(doca_eth_txq_set_metadata_num(txq, 1));
	ERR(doca_eth_txq_set_mss(txq, 0), INVALID_VALUE);
	ERR(doca_eth_txq_set_l3_chksum_offload(txq, 2), INVALID_VALUE);
	ERR(doca_eth_txq_set_l4_chksum_offload(txq, 2), INVALID_VALUE);
	ERR(doca_eth_txq_set_wait_on_time_offload(NULL), INVALID_VALUE);
	ERR(doca_eth_txq_set_wait_on_time_offload(txq), NOT_SUPPORTED);
	ERR(doca_eth_txq_calculate_timestamp(txq, 1, NULL), INVALID_VALUE);
	ERR(doca_eth_txq_calculate_timestamp(txq, 1, &value), NOT_SUPPORTED);
	ERR(doca_eth_txq_get_gpu_handle(txq, &gpu), NOT_SUPPORTED);
	ERR(doca_eth_txq_get_gpu_handle(txq, NULL), INVALID_VALUE);
	ERR(doca_eth_txq_get_flow_queue_id(txq, NULL), INVALID_VALUE);
	ERR(doca_eth_txq_apply_queue_id(NULL, 1), INVALID_VALUE);
	OK(doca_eth_txq_apply_queue_id(txq, 7));
	OK(doca_eth_txq_get_flow_queue_id(txq, &id));
	EXPECT_EQ(id, 7);
	ERR(doca_eth_txq_task_send_set_conf(txq, sent, sent, 0), INVALID_VALUE);
	ERR(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, NULL, 1),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_set_conf(txq, 9, 1, batch_sent,
						  batch_sent),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_set_conf(txq, 9, 1, lso_batch_sent,
						      lso_batch_sent),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_num_expand(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_task_batch_lso_send_num_expand(txq, 1), BAD_STATE);
	OK(doca_eth_txq_task_send_num_expand(txq, 1));
	ERR(doca_eth_txq_task_send_num_expand(txq, 4096), INVALID_VALUE);
	OK(doca_eth_txq_task_lso_send_num_expand(txq, 1));
	ERR(doca_eth_txq_task_lso_send_num_expand(txq, 0), INVALID_VALUE);
	OK(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent,
						 batch_sent));
	OK(doca_eth_txq_task_batch_send_num_expand(txq, 1));
	ERR(doca_eth_txq_task_batch_send_num_expand(txq, 0), INVALID_VALUE);
	OK(doca_eth_txq_task_batch_lso_send_set_conf(txq, 0, 1, lso_batch_sent,
						     lso_batch_sent));
	ERR(doca_eth_txq_task_batch_lso_send_num_expand(txq, 0), INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_allocate(txq, 1, no_data, &pkts, &data,
						  &batch),
	    BAD_STATE);
	ERR(doca_eth_txq_task_batch_lso_send_allocate(txq, 1, no_data, &pkts,
						      &headers, &data, &batch),
	    BAD_STATE);
	start();
	ERR(doca_eth_txq_set_type(txq, 0), BAD_STATE);
	ERR(doca_eth_txq_set_max_burst_size(txq, 16), BAD_STATE);
	ERR(doca_eth_txq_set_max_send_buf_list_len(txq, 3), BAD_STATE);
	ERR(doca_eth_txq_set_max_lso_header_size(txq, 25), BAD_STATE);
	ERR(doca_eth_txq_set_metadata_num(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_mss(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_l3_chksum_offload(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_l4_chksum_offload(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_wait_on_time_offload(txq), BAD_STATE);
	ERR(doca_eth_txq_task_send_set_conf(txq, sent, sent, 1), BAD_STATE);
	ERR(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 1),
	    BAD_STATE);
	ERR(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent,
						  batch_sent),
	    BAD_STATE);
	ERR(doca_eth_txq_task_batch_lso_send_set_conf(txq, 0, 1, lso_batch_sent,
						      lso_batch_sent),
	    BAD_STATE);
	ERR(doca_eth_txq_task_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_task_lso_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_task_batch_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_task_batch_lso_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_destroy(txq), IN_USE);
	ERR(doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_lso_send_allocate_init(txq, NULL, NULL, no_data,
						     NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_allocate(txq, 17, no_data, &pkts,
						  &data, &batch),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_allocate(txq, 0, no_data, &pkts,
						      &headers, &data, &batch),
	    INVALID_VALUE);
	task = new_send(NULL);
	ERR(doca_eth_txq_task_send_get_pkt(task, NULL), INVALID_VALUE);
	OK(doca_eth_txq_task_send_get_pkt(task, &buf));
	EXPECT(!buf);
	ERR(doca_eth_txq_task_send_get_metadata_array(task, NULL),
	    INVALID_VALUE);
	OK(doca_eth_txq_task_send_get_metadata_array(task, &metadata));
	doca_eth_txq_task_send_set_pkt(task, NULL);
	release(doca_eth_txq_task_send_as_doca_task(task));
	lso = new_lso(NULL, NULL);
	ERR(doca_eth_txq_task_lso_send_get_pkt_payload(lso, NULL),
	    INVALID_VALUE);
	OK(doca_eth_txq_task_lso_send_get_pkt_payload(lso, &buf));
	ERR(doca_eth_txq_task_lso_send_get_headers(lso, NULL), INVALID_VALUE);
	doca_eth_txq_task_lso_send_set_headers(lso, NULL);
	doca_eth_txq_task_lso_send_set_ol_flags(lso, 0);
	doca_eth_txq_task_lso_send_set_pkt_payload(lso, NULL);
	OK(doca_eth_txq_task_lso_send_get_headers(lso, &list));
	EXPECT(!list);
	ERR(doca_eth_txq_task_lso_send_get_metadata_array(lso, NULL),
	    INVALID_VALUE);
	OK(doca_eth_txq_task_lso_send_get_metadata_array(lso, &metadata));
	release(doca_eth_txq_task_lso_send_as_doca_task(lso));
	EXPECT(!doca_eth_txq_task_send_as_doca_task(NULL));
	EXPECT(!doca_eth_txq_task_lso_send_as_doca_task(NULL));
	stop();
	ERR(doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, &task),
	    BAD_STATE);
	ERR(doca_eth_txq_task_lso_send_allocate_init(txq, NULL, NULL, no_data,
						     &lso),
	    BAD_STATE);
	eth_tear_down();
}

TEST(tasks_run_out)
{
	struct doca_eth_txq_task_lso_send *lso;
	struct doca_eth_txq_task_send *task, *none;
	struct doca_task_batch *batch, *more;
	union doca_data *data;
	struct doca_buf **pkts;

	tx_set_up(8);
	OK(doca_eth_txq_task_send_set_conf(txq, sent, sent, 1));
	OK(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 1));
	OK(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent,
						 batch_sent));
	start();
	task = new_send(NULL);
	ERR(doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, &none),
	    NO_MEMORY);
	release(doca_eth_txq_task_send_as_doca_task(task));
	lso = new_lso(NULL, NULL);
	ERR(doca_eth_txq_task_lso_send_allocate_init(
		    txq, NULL, NULL, no_data,
		    &(struct doca_eth_txq_task_lso_send *){ NULL }),
	    NO_MEMORY);
	release(doca_eth_txq_task_lso_send_as_doca_task(lso));
	OK(doca_eth_txq_task_batch_send_allocate(txq, 1, no_data, &pkts, &data,
						 &batch));
	ERR(doca_eth_txq_task_batch_send_allocate(txq, 1, no_data, &pkts, &data,
						  &more),
	    NO_MEMORY);
	doca_task_batch_free(batch);
	stop();
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(&txq->ctx), INITIALIZATION,
		      stop());
	eth_tear_down();
}

TEST(a_start_that_fails_leaves_nothing)
{
	eth_set_up();
	OK(doca_eth_txq_create(&fake_dev, 8, &txq));
	OK(doca_pe_connect_ctx(bed.pe, &txq->ctx));
	ERR(doca_eth_txq_task_send_num_expand(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_task_lso_send_num_expand(txq, 1), BAD_STATE);
	ERR(doca_ctx_start(&txq->ctx), BAD_STATE);
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	logged();
	wire.packet_err = -EPERM;
	ERR(doca_ctx_start(&txq->ctx), NOT_PERMITTED);
	EXPECT_LOGGED("CAP_NET_RAW");
	wire.packet_err = -ENOMEM;
	ERR(doca_ctx_start(&txq->ctx), INITIALIZATION);
	wire.mtu_err = -ENODEV;
	ERR(doca_ctx_start(&txq->ctx), INITIALIZATION);
	fake_dev.info.iface[0] = '\0';
	ERR(doca_ctx_start(&txq->ctx), NOT_SUPPORTED);
	eth_tear_down();
}

static void gpu_error(struct doca_eth_txq_gpu_event_error_send_packet *event,
		      union doca_data data)
{
	(void)event;
	(void)data;
}

static void gpu_notify(struct doca_eth_txq_gpu_event_notify_send_packet *event,
		       union doca_data data)
{
	(void)event;
	(void)data;
}

TEST(nothing_is_done_on_gpus)
{
	char none[8];
	uint64_t time;
	uint16_t at;

	tx_set_up(8);
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(NULL), INVALID_VALUE);
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(txq), NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_error_send_packet_register(txq, NULL,
							      no_data),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_error_send_packet_register(txq, gpu_error,
							      no_data),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_register(txq, NULL,
							       no_data),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_register(txq, gpu_notify,
							       no_data),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_error_send_packet_get_position((void *)none,
								  NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_error_send_packet_get_position((void *)none,
								  &at),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_position((void *)none,
								   NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_position((void *)none,
								   &at),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_timestamp(
		    (void *)none, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_timestamp(
		    (void *)none, &time),
	    NOT_SUPPORTED);
	start();
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(txq), BAD_STATE);
	ERR(doca_eth_txq_gpu_event_error_send_packet_register(txq, gpu_error,
							      no_data),
	    BAD_STATE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_register(txq, gpu_notify,
							       no_data),
	    BAD_STATE);
	stop();
	eth_tear_down();
}

TEST(capabilities_of_send_queues)
{
	const struct doca_devinfo *info = &fake_dev.info;
	enum doca_eth_wait_on_time_type wait = 9;
	uint32_t u32 = 0;
	uint16_t u16 = 0;
	uint8_t u8 = 0;

	eth_set_up();
	for (int has = 1; has >= 0; has--) {
		doca_error_t code = has ? DOCA_SUCCESS :
					  DOCA_ERROR_NOT_SUPPORTED;

		if (!has)
			fake_dev.info.iface[0] = '\0';
		EXPECT_EQ(doca_eth_txq_cap_get_max_burst_size(info, 1, 1, &u32),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_send_buf_list_len(info,
								     &u32),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_lso_msg_size(info, &u32),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_lso_header_size(info, &u16),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_metadata_num(info, &u8),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_wait_on_time_offload_supported(
				  info, &wait),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_is_l3_chksum_offload_supported(info),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_is_l4_chksum_offload_supported(info),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_is_type_supported(info, 0, 0), code);
	}
	EXPECT_EQ(wait, DOCA_ETH_WAIT_ON_TIME_TYPE_NONE);
	EXPECT_EQ(u16, 256);
	ERR(doca_eth_txq_create(&fake_dev, 1, &txq), NOT_SUPPORTED);
	txq = NULL;
	ERR(doca_eth_txq_cap_get_max_burst_size(info, 33, 1, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_burst_size(info, 1, 257, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_send_buf_list_len(NULL, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_lso_msg_size(NULL, &u32), INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_lso_header_size(NULL, &u16),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_metadata_num(NULL, &u8), INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_wait_on_time_offload_supported(NULL, &wait),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_l3_chksum_offload_supported(NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_l4_chksum_offload_supported(NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_type_supported(info, 3, 0), INVALID_VALUE);
	eth_tear_down();
}
