// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Send queues: segmentation of messages into frames. */
#include "txq_bed.h"

static void check_segment(unsigned int i, uint32_t from, uint32_t part, uint8_t flags)
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
	/* The queue's MSS, and unknown headers. */
	memset(headers, 0xee, sizeof(headers));
	submit_lso(new_lso(source(0, 1999), &(struct doca_gather_list){ headers, 20, NULL }));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(wire.nr_sent, 7);
	EXPECT_EQ(wire.sent_len[4], 20 + 999);
	EXPECT_EQ(wire.sent_len[6], 20 + 1);
	EXPECT(!memcmp(wire_sent(5), headers, 20));
	EXPECT(!memcmp(wire_sent(5) + 20, bed.mem + 999, 999));
	stop_and_end();
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
		EXPECT(view.l4 && frame_l3_ok(f, &view) && frame_l4_ok(f, &view));
		EXPECT(get_be16(f + 40));
	}
	stop_and_end();
}

static struct doca_eth_txq_task_lso_send *lso_of(size_t len, struct doca_gather_list *headers,
						 uint16_t mss)
{
	struct doca_eth_txq_task_lso_send *task;

	task = new_lso(source(0, len), headers);
	doca_eth_txq_task_lso_send_set_mss(task, mss);
	return task;
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
	submit_lso(lso_of(100, &list, 1459));
	EXPECT_LOGGED("headers and MSS are more");
	submit_lso(lso_of(100, &list, 1455));
	EXPECT_LOGGED("headers and MSS are more");
	/* With a VLAN tag they fit. */
	memcpy(headers + 12, "\x81\0\0\1", 4);
	submit_lso(lso_of(100, &list, 1458));
	task = lso_of(65, &list, 1);
	ERR(doca_task_try_submit(doca_eth_txq_task_lso_send_as_doca_task(task)), INVALID_VALUE);
	EXPECT_LOGGED("more frames than the queue");
	submit_lso(task);
	EXPECT_EQ(drain(bed.pe), 8);
	EXPECT_STR(took(), "EEEEEESE");
	EXPECT_EQ(wire.nr_sent, 1);
	stop_and_end();
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
	OK(doca_eth_txq_task_batch_lso_send_set_conf(txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
						     lso_batch_sent, lso_batch_sent));
	OK(doca_eth_txq_task_batch_lso_send_num_expand(txq, 1));
	start();
	OK(doca_eth_txq_task_batch_lso_send_allocate(txq, 2, (union doca_data){ .u64 = 11 }, &pkts,
						     &headers, &data, &other));
	OK(doca_eth_txq_task_batch_lso_send_allocate(txq, 2, (union doca_data){ .u64 = 11 }, &pkts,
						     &headers, &data, &batch));
	OK(doca_eth_txq_task_batch_lso_send_get_mss_array(batch, &mss));
	OK(doca_eth_txq_task_batch_lso_send_get_ol_flags_array(batch, &flags));
	OK(doca_eth_txq_task_batch_lso_send_get_metadata_array(batch, &metadata));
	ERR(doca_eth_txq_task_batch_send_get_ol_flags_array(batch, &flags), INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_get_metadata_array(batch, &metadata), INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_allocate(txq, 1, no_data, &pkts, &headers, &data,
						      &batch),
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
	stop_and_end();
}
