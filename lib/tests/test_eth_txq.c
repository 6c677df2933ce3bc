// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Send queues: frames, alone and in batches. */
#include "clock.h"
#include "txq_bed.h"

#define NS_OF_REFUSAL 100000000

/* Frames of one buffer, or of a list. */
TEST(a_frame_is_sent)
{
	struct doca_buf *list;

	tx_set_up(8);
	start();
	submit_send(source(0, 100));
	list = source(0, 20);
	OK(doca_buf_chain_list(list, source(100, 30)));
	OK(doca_buf_chain_list(list, source(200, 40)));
	submit_send(list);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "SS");
	EXPECT_EQ(wire.nr_sent, 2);
	EXPECT_EQ(wire.sent_len[0], 100);
	EXPECT(!memcmp(wire_sent(0), bed.mem, 100));
	EXPECT_EQ(wire.sent_len[1], 90);
	EXPECT(!memcmp(wire_sent(1), bed.mem, 20));
	EXPECT(!memcmp(wire_sent(1) + 20, bed.mem + 100, 30));
	EXPECT(!memcmp(wire_sent(1) + 50, bed.mem + 200, 40));
	stop_and_end();
}

/* More frames than the ring has places: the rest waits, in order, and the kernel is called once. */
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
	stop_and_end();
}

TEST(what_changes_while_it_waits_is_checked_again)
{
	struct doca_buf *late;

	tx_set_up(8);
	start();
	wire.holds = true;
	for (unsigned int i = 0; i < 64; i++)
		submit_send(source(i, 60));
	late = source(0, 60);
	submit_send(late);
	OK(doca_buf_set_data_len(late, 13));
	wire_send(64);
	EXPECT_EQ(drain(bed.pe), 65);
	EXPECT_LOGGED("a frame of 13 bytes");
	EXPECT_STR(took(), repeat('S', 64, "E"));
	EXPECT_EQ(wire.nr_sent, 64);
	stop_and_end();
}

TEST(held_back_frames_are_told_once)
{
	tx_set_up(64);
	start();
	for (unsigned int i = 0; i < 32; i++)
		OK(doca_task_submit_ex(doca_eth_txq_task_send_as_doca_task(new_send(source(i, 60))),
				       0));
	EXPECT_EQ(wire.kicks, 0);
	doca_ctx_flush_tasks(&txq->ctx);
	EXPECT_EQ(wire.kicks, 1);
	EXPECT_EQ(drain(bed.pe), 32);
	EXPECT_EQ(wire.kicks, 1);
	stop_and_end();
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
	doca_eth_txq_task_send_set_ol_flags(task, DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM |
							  DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM);
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!memcmp(wire_sent(0), right, len));
	frame_parse(wire_sent(0), len, &view);
	EXPECT(frame_l3_ok(wire_sent(0), &view));
	EXPECT(frame_l4_ok(wire_sent(0), &view));
	/* No checksums in frames that are not IP. */
	task = new_send(source(500, 60));
	doca_eth_txq_task_send_set_ol_flags(task, 3);
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!memcmp(wire_sent(1), bed.mem + 500, 60));
	stop_and_end();
}

TEST(tasks_that_are_wrong_fail_alone)
{
	struct doca_eth_txq_task_send *task;
	struct doca_buf *list;

	tx_set_up(8);
	OK(doca_eth_txq_set_l4_chksum_offload(txq, 0));
	OK(doca_eth_txq_set_max_send_buf_list_len(txq, 2));
	start();
	list = source(0, 20);
	for (int i = 0; i < 2; i++)
		OK(doca_buf_chain_list(list, source(0, 20)));
	submit_send(list);
	EXPECT_LOGGED("more than 2 buffers");
	submit_send(source(0, 13));
	EXPECT_LOGGED("a frame of 13 bytes");
	submit_send(source(0, 1519));
	EXPECT_LOGGED("a frame of 1519 bytes");
	/* Without a tag, which the kernel would drop; and with one, in two parts. */
	submit_send(source(0, 1515));
	EXPECT_LOGGED("a frame of 1515 bytes");
	memcpy(bed.mem + 12, "\x81\0\0\1", 4);
	list = source(0, 13);
	OK(doca_buf_chain_list(list, source(13, 1505)));
	submit_send(list);
	submit_send(source(100, 1514));
	submit_send(NULL);
	EXPECT_LOGGED("is missing");
	task = new_send(source(0, 60));
	doca_eth_txq_task_send_set_ol_flags(task, 2);
	OK(doca_task_submit(doca_eth_txq_task_send_as_doca_task(task)));
	EXPECT_LOGGED("was not told to compute");
	task = new_send(source(0, 60));
	doca_eth_txq_task_send_set_ol_flags(task, 8);
	ERR(doca_task_try_submit(doca_eth_txq_task_send_as_doca_task(task)), INVALID_VALUE);
	EXPECT_LOGGED("unknown offload flags");
	release(doca_eth_txq_task_send_as_doca_task(task));
	bed.mmap->from_export = true;
	submit_send(source(0, 60));
	EXPECT_LOGGED("not memory of this process");
	bed.mmap->from_export = false;
	EXPECT_EQ(drain(bed.pe), 9);
	EXPECT_STR(took(), "EEEESSEEE");
	EXPECT_EQ(ended_as, DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(wire.nr_sent, 2);
	stop_and_end();
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
	stop_and_end();
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
	stop_and_end();
}

/* A filter drops it at every attempt; others must not wait for it for ever. */
TEST(a_frame_that_is_never_taken_fails_alone)
{
	tx_set_up(8);
	start();
	clock_stop(0);
	memset(bed.mem, 1, 300);
	bed.mem[100] = 2;
	wire.filtered = 2;
	for (unsigned int i = 0; i < 3; i++)
		submit_send(source(i * 100, 60));
	EXPECT_EQ(drain(bed.pe), 1);
	clock_advance(NS_OF_REFUSAL - 1);
	EXPECT_EQ(drain(bed.pe) + drain(bed.pe), 0);
	clock_advance(1);
	EXPECT_EQ(drain(bed.pe) + drain(bed.pe), 2);
	clock_go_on();
	EXPECT_STR(took(), "SES");
	EXPECT_LOGGED("has refused a frame");
	EXPECT_EQ(wire.nr_sent, 2);
	/* A frame that is accepted late succeeds. */
	submit_send(source(100, 60));
	EXPECT_EQ(drain(bed.pe), 0);
	wire.filtered = 0;
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	stop_and_end();
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
	stop_and_end();
}

TEST(a_batch_has_one_callback)
{
	struct doca_task_batch *batch = NULL;
	union doca_data *data = NULL;
	struct doca_buf **pkts = NULL;
	uint16_t *flags = NULL;
	uint32_t *metadata = NULL;

	tx_set_up(64);
	OK(doca_eth_txq_task_batch_send_set_conf(txq, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
						 batch_sent, batch_sent));
	start();
	for (int round = 0; round < 3; round++) {
		OK(doca_eth_txq_task_batch_send_allocate(txq, 4, (union doca_data){ .u64 = 11 },
							 &pkts, &data, &batch));
		OK(doca_eth_txq_task_batch_send_get_ol_flags_array(batch, &flags));
		OK(doca_eth_txq_task_batch_send_get_metadata_array(batch, &metadata));
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
		EXPECT_EQ(batch_status[2], round ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
		EXPECT_EQ(batch_status[3], round == 2 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
		for (int i = 0; i < 4; i++)
			put(pkts[i]);
		doca_task_batch_free(batch);
	}
	EXPECT_EQ(wire.nr_sent, 4 + 3 + 2);
	stop_and_end();
}
