// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receive queues, on a fake interface. */
#include "clock.h"
#include "rxq_bed.h"

TEST(a_task_receives_a_frame)
{
	struct doca_buf *buf;

	regular(8, 2);
	steer_all(0, 0);
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(wire.passed, 1); /* there is no receiver yet */
	start();
	on_recv = NULL;
	buf = room(0, 100);
	submit_recv(new_recv(buf));
	EXPECT_EQ(drain(bed.pe), 0);
	wire_receive(0, frame_of(2, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(data_len(buf), 60);
	EXPECT(!memcmp(bed.mem + MEM_SIZE / 2, frame_of(2, 60), 60));
	/* The next frame is appended. */
	submit_recv(last);
	wire_receive(0, frame_of(3, 30), 30);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(data_len(buf), 90);
	EXPECT(!memcmp(bed.mem + MEM_SIZE / 2 + 60, frame_of(3, 30), 30));
	free_recv(last);
	stop();
	wire_receive(0, frame_of(4, 60), 60);
	EXPECT_EQ(wire.passed, 2);
	eth_tear_down();
}

static void never(struct doca_eth_rxq_event_managed_recv *event, struct doca_buf *pkt,
		  union doca_data data)
{
	(void)event;
	(void)data;
	record('P');
	put(pkt);
}

static void never_in_batches(struct doca_eth_rxq_event_batch_managed_recv *batch, uint16_t n,
			     union doca_data data, doca_error_t status, struct doca_buf **pkts)
{
	(void)batch;
	(void)n;
	(void)data;
	(void)status;
	record('B');
	doca_eth_rxq_event_batch_managed_recv_pkt_array_free(pkts);
}

/* Each is for one task, whatever is registered. */
TEST(frames_of_a_regular_queue_are_no_events)
{
	for (int in_batches = 0; in_batches < 2; in_batches++) {
		regular(8, 2);
		if (in_batches)
			OK(doca_eth_rxq_event_batch_managed_recv_register(
				rxq, DOCA_EVENT_BATCH_EVENTS_NUMBER_1,
				DOCA_EVENT_BATCH_EVENTS_NUMBER_1, no_data, never_in_batches,
				never_in_batches));
		else
			OK(doca_eth_rxq_event_managed_recv_register(rxq, no_data, never, never));
		steer_and_start();
		submit_recv(new_recv(room(0, 64)));
		submit_recv(new_recv(room(64, 64)));
		for (unsigned int i = 0; i < 2; i++) {
			wire_receive(0, frame_of(i, 60), 60);
			EXPECT_EQ(drain(bed.pe), 1);
			EXPECT(!memcmp(bed.mem + MEM_SIZE / 2 + i * 64, frame_of(i, 60), 60));
		}
		EXPECT_STR(took(), "SS");
		/* This one waits for a task. */
		wire_receive(0, frame_of(2, 60), 60);
		EXPECT_EQ(drain(bed.pe), 0);
		submit_recv(new_recv(room(0, 64)));
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "S");
		stop_and_end();
	}
}

TEST(frames_come_in_order_and_none_is_lost_in_a_burst)
{
	regular(64, 64);
	steer_and_start();
	for (int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < 64; i++)
			wire_receive(0, frame_of(i, 64), 64);
		for (unsigned int i = 0; i < 64; i++)
			submit_recv(new_recv(room(i * 64, 64)));
		EXPECT_EQ(drain(bed.pe), 64);
		for (unsigned int i = 0; i < 64; i++)
			EXPECT(!memcmp(bed.mem + MEM_SIZE / 2 + i * 64, frame_of(i, 64), 64));
	}
	EXPECT_EQ(wire.dropped, 0);
	stop_and_end();
}

/* Each queue has a chunk, however few frames may wait. */
TEST(several_queues_of_an_interface_are_one)
{
	for (uint32_t queues = 4; queues <= 8; queues += 4) {
		const uint32_t tasks = queues == 4 ? 8 : 1;

		regular(tasks, tasks);
		wire.queues = queues;
		steer_all(0, 0);
		start();
		for (unsigned int i = 0; i < 240; i++) {
			submit_recv(new_recv(room(i % tasks * 64, 64)));
			wire_receive(i % queues, frame_of(i, 64), 64);
			if (i % tasks == tasks - 1)
				EXPECT_EQ(drain(bed.pe), tasks);
		}
		EXPECT_EQ(wire.dropped, 0);
		stop();
		eth_tear_down();
	}
}

/* The kernel has its chunk again, so nothing of it may be read. */
TEST(a_frame_that_does_not_fit_fails_its_task_alone)
{
	uint8_t frame[200], ok = 9;
	uint32_t value = 9;

	regular(8, 4);
	OK(doca_eth_rxq_set_rx_hash(rxq, 1));
	steer_and_start();
	logged();
	on_recv = NULL;
	submit_recv(new_recv(room(0, 59)));
	submit_recv(new_recv(room(64, 64)));
	wire_receive(0, frame, udp_frame(frame, 53, 18));
	wire_receive(0, frame_of(2, 60), 60);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	ERR(doca_task_get_status(doca_eth_rxq_task_recv_as_doca_task(last)), TOO_BIG);
	EXPECT_LOGGED("a packet of 60 bytes is lost");
	OK(doca_eth_rxq_task_recv_get_l3_ok(last, &ok));
	EXPECT_EQ(ok, 0);
	OK(doca_eth_rxq_task_recv_get_rx_hash(last, &value));
	EXPECT_EQ(value, 0);
	free_recv(last);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "ES");
	EXPECT(!memcmp(bed.mem + MEM_SIZE / 2 + 64, frame_of(2, 60), 60));
	free_recv(last);
	stop_and_end();
}

TEST(a_task_that_is_wrong_fails_alone)
{
	struct doca_eth_rxq_task_recv *task;

	regular(8, 4);
	steer_and_start();
	task = new_recv(NULL);
	ERR(doca_task_try_submit(doca_eth_rxq_task_recv_as_doca_task(task)), INVALID_VALUE);
	logged();
	submit_recv(task);
	submit_recv(new_recv(room(0, 64)));
	wire_receive(0, frame_of(2, 60), 60);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(ended_as, DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("is missing");
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "ES");
	/* This process cannot write memory of another one. */
	bed.mmap->from_export = true;
	submit_recv(new_recv(room(0, 64)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_LOGGED("not memory of this process");
	bed.mmap->from_export = false;
	stop_and_end();
}

TEST(stop_ends_tasks)
{
	regular(8, 4);
	start();
	for (int i = 0; i < 3; i++)
		submit_recv(new_recv(room(64 * i, 64)));
	ERR(doca_ctx_stop(eth_ctx), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "sEEEi");
	EXPECT_EQ(ended_as, DOCA_ERROR_SHUTDOWN);
	eth_tear_down();
}

TEST(a_frame_ends_a_wait)
{
	doca_notification_handle_t fd = -1;

	regular(8, 4);
	steer_and_start();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	/* Without a task nobody would take it. */
	wire_receive(0, frame_of(1, 60), 60);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(fd));
	submit_recv(new_recv(room(0, 64)));
	EXPECT(fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	stop_and_end();
}

/*
 * In zero-copy mode. The driver notices that there are no chunks, but reports that only
 * after the library has looked. It does not look again by itself.
 */
TEST(a_driver_that_ran_dry_is_woken)
{
	unsigned int wakes;

	regular(8, 4);
	wire.mode = XSK_ZEROCOPY;
	start();
	submit_recv(new_recv(room(0, 64)));
	EXPECT_EQ(drain(bed.pe), 0);
	wakes = wire.wakes;
	wire.umem[0]->fill.flags = XDP_RING_NEED_WAKEUP;
	doca_pe_progress(bed.pe);
	EXPECT(wire.wakes > wakes);
	/* There is nothing that it could take. */
	wire.umem[0]->fill.consumer = wire.umem[0]->fill.producer;
	wakes = wire.wakes;
	doca_pe_progress(bed.pe);
	EXPECT_EQ(wire.wakes, wakes);
	stop_and_end();
}

TEST(what_it_cannot_get_behind_a_driver_is_said)
{
	regular(8, 4);
	wire.mode = XSK_LATE;
	logged();
	OK(doca_ctx_start(eth_ctx));
	EXPECT_STR(took(), "r");
	EXPECT(strstr(logged(), "no XDP of its own in its driver"));
	stop_and_end();
}

TEST(what_the_rule_says_comes_with_the_frame)
{
	const uint32_t *metadata = NULL;
	uint64_t timestamp = 0;
	uint32_t value = 0;
	uint8_t ok = 9;
	uint8_t frame[200];
	uint32_t len;

	regular(8, 4);
	steer_all(77, 99);
	OK(doca_eth_rxq_set_flow_tag(rxq, 1));
	OK(doca_eth_rxq_set_metadata_num(rxq, 1));
	OK(doca_eth_rxq_set_rx_hash(rxq, 1));
	OK(doca_eth_rxq_set_timestamp(rxq, 1));
	start();
	on_recv = NULL;
	submit_recv(new_recv(room(0, 200)));
	len = udp_frame(frame, 53, 100);
	wire_receive(0, frame, len);
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_eth_rxq_task_recv_get_flow_tag(last, &value));
	EXPECT_EQ(value, 77);
	OK(doca_eth_rxq_task_recv_get_metadata_array(last, &metadata));
	EXPECT_EQ(metadata[0], 99);
	OK(doca_eth_rxq_task_recv_get_rx_hash(last, &value));
	EXPECT(value != 0);
	OK(doca_eth_rxq_task_recv_get_timestamp(last, &timestamp));
	EXPECT(timestamp > 1600000000000000000ull);
	OK(doca_eth_rxq_task_recv_get_l3_ok(last, &ok));
	EXPECT_EQ(ok, 1);
	OK(doca_eth_rxq_task_recv_get_l4_ok(last, &ok));
	EXPECT_EQ(ok, 1);
	free_recv(last);
	/* A frame without metadata does not get that of an earlier one. */
	wire.no_tags = true;
	for (int i = 0; i < 40; i++) {
		submit_recv(new_recv(room(0, 200)));
		wire_receive(0, frame, len);
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_eth_rxq_task_recv_get_flow_tag(last, &value));
		EXPECT_EQ(value, 0);
		free_recv(last);
	}
	stop_and_end();
}

TEST(what_was_not_asked_for_is_not_there)
{
	struct doca_eth_rxq_task_recv *other;
	const uint32_t *metadata;
	uint64_t timestamp;
	uint32_t value;
	uint8_t ok;

	regular(8, 1);
	start();
	last = new_recv(NULL);
	ERR(doca_eth_rxq_task_recv_get_flow_tag(last, &value), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_rx_hash(last, &value), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_timestamp(last, &timestamp), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_metadata_array(last, &metadata), BAD_STATE);
	OK(doca_eth_rxq_task_recv_get_l3_ok(last, &ok));
	EXPECT_EQ(ok, 0);
	OK(doca_eth_rxq_task_recv_get_l4_ok(last, &ok));
	EXPECT_EQ(ok, 0);
	ERR(doca_eth_rxq_task_recv_allocate_init(rxq, NULL, no_data, &other), NO_MEMORY);
	doca_eth_rxq_task_recv_set_pkt(last, room(0, 64));
	free_recv(last);
	stop();
	ERR(doca_eth_rxq_task_recv_allocate_init(rxq, NULL, no_data, &last), BAD_STATE);
	eth_tear_down();
}

TEST(an_interface_that_goes_stops_the_queue)
{
	regular(8, 4);
	start();
	submit_recv(new_recv(room(0, 64)));
	EXPECT_EQ(drain(bed.pe), 0);
	logged();
	wire.error = -ENETDOWN;
	for (int i = 0; i < 5000 && !bed.n; i++)
		doca_pe_progress(bed.pe);
	EXPECT_LOGGED("its interface is gone");
	drain(bed.pe);
	EXPECT_STR(took(), "sEi");
	eth_tear_down();
}

/*
 * Nothing becomes readable then, so a second after each look the interface is checked;
 * here that second is over.
 */
TEST(a_wait_ends_where_the_interface_goes)
{
	doca_notification_handle_t fd = -1;
	struct pollfd p = { .events = POLLIN };

	regular(8, 4);
	start();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	p.fd = fd;
	submit_recv(new_recv(room(0, 64)));
	clock_stop(0);
	clock_advance(-2000000000ull);
	OK(doca_pe_request_notification(bed.pe));
	clock_go_on();
	wire.error = -ENETDOWN;
	EXPECT_EQ(poll(&p, 1, -1), 1);
	OK(doca_pe_clear_notification(bed.pe, 0));
	drain(bed.pe);
	EXPECT_STR(took(), "sEi");
	/* If the interface stays the wait goes on; without a task there are no further checks. */
	wire.error = 0;
	start();
	submit_recv(new_recv(room(0, 64)));
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(rxq->ctx.deadline);
	rxq->ctx.deadline = 1;
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(rxq->ctx.deadline, 0);
	OK(doca_pe_request_notification(bed.pe));
	OK(doca_pe_clear_notification(bed.pe, 0));
	steer_all(0, 0);
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(rxq->ctx.deadline, 0);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT_EQ(rxq->ctx.deadline, 0);
	OK(doca_pe_clear_notification(bed.pe, 0));
	stop_and_end();
}

/* Impossible descriptors are ignored. */
TEST(descriptors_that_cannot_be_are_ignored)
{
	regular(8, 4);
	steer_and_start();
	submit_recv(new_recv(room(0, 64)));
	wire_desc(0, 1ull << 40, 64);
	wire_desc(0, 256, ETH_CHUNK);
	wire_desc(0, 4, 64);
	EXPECT_EQ(drain(bed.pe), 0);
	wire_receive(0, frame_of(5, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!memcmp(bed.mem + MEM_SIZE / 2, frame_of(5, 60), 60));
	stop_and_end();
}
