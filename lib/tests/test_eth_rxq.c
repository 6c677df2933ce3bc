// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receive queues, on an interface that is made up. */
#include "eth_bed.h"

static struct doca_eth_rxq_task_recv *last;
static unsigned int ended; /* tasks */
static doca_error_t ended_as;
static void (*on_recv)(struct doca_eth_rxq_task_recv *task);

static void recv_end(struct doca_eth_rxq_task_recv *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	last = task;
	ended++;
	ended_as =
		doca_task_get_status(doca_eth_rxq_task_recv_as_doca_task(task));
	record(ended_as == DOCA_SUCCESS ? 'S' : 'E');
	if (on_recv)
		on_recv(task);
}

static void free_recv(struct doca_eth_rxq_task_recv *task)
{
	struct doca_buf *buf = NULL;

	OK(doca_eth_rxq_task_recv_get_pkt(task, &buf));
	if (buf)
		put(buf);
	doca_task_free(doca_eth_rxq_task_recv_as_doca_task(task));
}

static void make_rxq(uint32_t burst)
{
	OK(doca_eth_rxq_create(&fake_dev, burst, 1600, &rxq));
	OK(doca_pe_connect_ctx(bed.pe, doca_eth_rxq_as_doca_ctx(rxq)));
	OK(doca_ctx_set_state_changed_cb(doca_eth_rxq_as_doca_ctx(rxq),
					 on_state));
	ended = 0;
	on_recv = free_recv;
}

static void regular(uint32_t burst, uint32_t tasks)
{
	eth_set_up();
	make_rxq(burst);
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	OK(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, tasks));
}

static void start(void)
{
	OK(doca_ctx_start(doca_eth_rxq_as_doca_ctx(rxq)));
	EXPECT_STR(took(), "r");
}

static void stop(void)
{
	doca_ctx_stop(doca_eth_rxq_as_doca_ctx(rxq));
	drain(bed.pe);
	EXPECT(doca_priv_ctx_idle(doca_eth_rxq_as_doca_ctx(rxq)));
	took();
}

static struct doca_eth_rxq_task_recv *new_recv(struct doca_buf *buf)
{
	struct doca_eth_rxq_task_recv *task = NULL;

	OK(doca_eth_rxq_task_recv_allocate_init(rxq, buf, no_data, &task));
	return task;
}

static void submit_recv(struct doca_eth_rxq_task_recv *task)
{
	OK(doca_task_submit(doca_eth_rxq_task_recv_as_doca_task(task)));
}

TEST(a_task_receives_a_frame)
{
	struct doca_buf *buf;

	regular(8, 2);
	steer_all(0, 0);
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(wire.passed, 1); /* nobody is there yet */
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
	/* The next goes behind it. */
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

TEST(frames_come_in_order_and_none_is_lost_in_a_burst)
{
	regular(64, 64);
	steer_all(0, 0);
	start();
	for (int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < 64; i++)
			wire_receive(0, frame_of(i, 64), 64);
		for (unsigned int i = 0; i < 64; i++)
			submit_recv(new_recv(room(i * 64, 64)));
		EXPECT_EQ(drain(bed.pe), 64);
		for (unsigned int i = 0; i < 64; i++)
			EXPECT(!memcmp(bed.mem + MEM_SIZE / 2 + i * 64,
				       frame_of(i, 64), 64));
	}
	EXPECT_EQ(wire.dropped, 0);
	took();
	stop();
	eth_tear_down();
}

TEST(several_queues_of_an_interface_are_one)
{
	unsigned int seen = 0;

	eth_set_up();
	wire.queues = 4;
	make_rxq(8);
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	OK(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, 8));
	steer_all(0, 0);
	start();
	for (int round = 0; round < 30; round++) {
		for (unsigned int i = 0; i < 8; i++)
			submit_recv(new_recv(room(i * 64, 64)));
		for (unsigned int i = 0; i < 8; i++)
			wire_receive(i % 4, frame_of(i, 64), 64);
		seen += drain(bed.pe);
	}
	EXPECT_EQ(seen, 240);
	EXPECT_EQ(wire.dropped, 0);
	stop();
	eth_tear_down();
}

TEST(a_frame_that_does_not_fit_fails_its_task_alone)
{
	regular(8, 4);
	steer_all(0, 0);
	start();
	logged();
	submit_recv(new_recv(room(0, 59)));
	submit_recv(new_recv(room(64, 64)));
	wire_receive(0, frame_of(1, 60), 60);
	wire_receive(0, frame_of(2, 60), 60);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	ERR(doca_task_get_status(doca_eth_rxq_task_recv_as_doca_task(last)),
	    TOO_BIG);
	EXPECT_LOGGED("a packet of 60 bytes is lost");
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "ES");
	EXPECT(!memcmp(bed.mem + MEM_SIZE / 2 + 64, frame_of(2, 60), 60));
	stop();
	eth_tear_down();
}

TEST(a_task_that_is_wrong_fails_alone)
{
	struct doca_eth_rxq_task_recv *task;

	regular(8, 4);
	steer_all(0, 0);
	start();
	task = new_recv(NULL);
	ERR(doca_task_try_submit(doca_eth_rxq_task_recv_as_doca_task(task)),
	    INVALID_VALUE);
	logged();
	submit_recv(task);
	submit_recv(new_recv(room(0, 64)));
	wire_receive(0, frame_of(2, 60), 60);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(ended_as, DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("is missing");
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "ES");
	/* Memory of another process cannot be written by this one. */
	bed.mmap->from_export = true;
	submit_recv(new_recv(room(0, 64)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_LOGGED("not memory of this process");
	bed.mmap->from_export = false;
	stop();
	eth_tear_down();
}

TEST(stop_ends_tasks)
{
	regular(8, 4);
	start();
	for (int i = 0; i < 3; i++)
		submit_recv(new_recv(room(64 * i, 64)));
	ERR(doca_ctx_stop(doca_eth_rxq_as_doca_ctx(rxq)), IN_PROGRESS);
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "sEEEi");
	EXPECT_EQ(ended_as, DOCA_ERROR_SHUTDOWN);
	eth_tear_down();
}

TEST(a_frame_ends_a_wait)
{
	doca_notification_handle_t fd = -1;

	regular(8, 4);
	steer_all(0, 0);
	start();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	/* Without a task nobody would take it. */
	wire_receive(0, frame_of(1, 60), 60);
	OK(doca_pe_request_notification(bed.pe));
	EXPECT(!fake_readable(fd));
	submit_recv(new_recv(room(0, 64)));
	EXPECT(fake_readable(fd));
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	stop();
	eth_tear_down();
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
	/* One that came without is not given that of a former one. */
	wire.no_tags = true;
	for (int i = 0; i < 40; i++) {
		submit_recv(new_recv(room(0, 200)));
		wire_receive(0, frame, len);
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_eth_rxq_task_recv_get_flow_tag(last, &value));
		EXPECT_EQ(value, 0);
		free_recv(last);
	}
	stop();
	eth_tear_down();
}

TEST(what_was_not_asked_for_is_not_there)
{
	const uint32_t *metadata;
	uint64_t timestamp;
	uint32_t value;
	uint8_t ok;
	struct doca_buf *buf;

	regular(8, 1);
	start();
	last = new_recv(NULL);
	ERR(doca_eth_rxq_task_recv_get_flow_tag(last, &value), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_rx_hash(last, &value), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_timestamp(last, &timestamp), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_metadata_array(last, &metadata),
	    BAD_STATE);
	ERR(doca_eth_rxq_task_recv_get_flow_tag(last, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_get_rx_hash(last, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_get_timestamp(last, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_get_metadata_array(last, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_get_l3_ok(last, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_get_l4_ok(last, NULL), INVALID_VALUE);
	OK(doca_eth_rxq_task_recv_get_l3_ok(last, &ok));
	EXPECT_EQ(ok, 0);
	OK(doca_eth_rxq_task_recv_get_l4_ok(last, &ok));
	EXPECT_EQ(ok, 0);
	ERR(doca_eth_rxq_task_recv_get_pkt(last, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_get_pkt(NULL, &buf), INVALID_VALUE);
	ERR(doca_eth_rxq_task_recv_allocate_init(rxq, NULL, no_data, &last),
	    NO_MEMORY);
	ERR(doca_eth_rxq_task_recv_allocate_init(rxq, NULL, no_data, NULL),
	    INVALID_VALUE);
	buf = room(0, 64);
	doca_eth_rxq_task_recv_set_pkt(last, buf);
	free_recv(last);
	stop();
	ERR(doca_eth_rxq_task_recv_allocate_init(rxq, NULL, no_data, &last),
	    BAD_STATE);
	EXPECT(!doca_eth_rxq_task_recv_as_doca_task(NULL));
	eth_tear_down();
}

TEST(settings_are_refused)
{
	struct doca_gpu_eth_rxq *gpu;
	uint16_t id = 9;
	struct doca_eth_rxq *other;
	struct doca_ctx *ctx;

	regular(8, 1);
	ctx = doca_eth_rxq_as_doca_ctx(rxq);
	ERR(doca_eth_rxq_create(&fake_dev, 0, 64, &other), INVALID_VALUE);
	ERR(doca_eth_rxq_create(&fake_dev, 1, ETH_MAX_PACKET + 1, &other),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_create(NULL, 1, 64, &other), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_eth_rxq_create(&fake_dev, 1, 64, &other), NO_MEMORY,
		      OK(doca_eth_rxq_destroy(other)));
	ERR(doca_eth_rxq_destroy(NULL), INVALID_VALUE);
	EXPECT(!doca_eth_rxq_as_doca_ctx(NULL));
	ERR(doca_eth_rxq_set_type(rxq, 3), INVALID_VALUE);
	ERR(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_CYCLIC),
	    NOT_SUPPORTED);
	ERR(doca_eth_rxq_set_flow_tag(rxq, 2), INVALID_VALUE);
	ERR(doca_eth_rxq_set_rx_hash(rxq, 2), INVALID_VALUE);
	ERR(doca_eth_rxq_set_timestamp(rxq, 2), INVALID_VALUE);
	ERR(doca_eth_rxq_set_metadata_num(rxq, 2), INVALID_VALUE);
	ERR(doca_eth_rxq_set_packet_headroom(rxq, 257), INVALID_VALUE);
	OK(doca_eth_rxq_set_packet_headroom(rxq, 0));
	ERR(doca_eth_rxq_set_packet_tailroom(rxq, 257), INVALID_VALUE);
	OK(doca_eth_rxq_set_packet_tailroom(rxq, 0));
	ERR(doca_eth_rxq_set_max_burst_size(rxq, 0), INVALID_VALUE);
	OK(doca_eth_rxq_set_max_burst_size(rxq, 16));
	ERR(doca_eth_rxq_set_max_packet_size(rxq, 0), INVALID_VALUE);
	OK(doca_eth_rxq_set_max_packet_size(rxq, 1500));
	ERR(doca_eth_rxq_set_max_recv_buf_list_len(rxq, 2), INVALID_VALUE);
	OK(doca_eth_rxq_set_max_recv_buf_list_len(rxq, 1));
	ERR(doca_eth_rxq_set_notification_moderation(rxq, 1, 1), NOT_SUPPORTED);
	ERR(doca_eth_rxq_set_notification_moderation(NULL, 1, 1),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_set_pkt_buf(rxq, NULL, 0, 1), INVALID_VALUE);
	ERR(doca_eth_rxq_get_gpu_handle(rxq, &gpu), NOT_SUPPORTED);
	ERR(doca_eth_rxq_get_gpu_handle(rxq, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_get_flow_queue_id(rxq, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_apply_queue_id(NULL, 1), INVALID_VALUE);
	OK(doca_eth_rxq_apply_queue_id(rxq, 5));
	OK(doca_eth_rxq_get_flow_queue_id(rxq, &id));
	EXPECT_EQ(id, 5);
	ERR(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, 0),
	    INVALID_VALUE);
	OK(doca_ctx_start(ctx));
	ERR(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR), BAD_STATE);
	ERR(doca_eth_rxq_set_flow_tag(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_rx_hash(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_timestamp(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_metadata_num(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_packet_headroom(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_packet_tailroom(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_max_burst_size(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_max_packet_size(rxq, 64), BAD_STATE);
	ERR(doca_eth_rxq_set_max_recv_buf_list_len(rxq, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_notification_moderation(rxq, 1, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_pkt_buf(rxq, bed.mmap, 0, 1), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, 1),
	    BAD_STATE);
	ERR(doca_eth_rxq_destroy(rxq), IN_USE);
	OK(doca_eth_rxq_apply_queue_id(rxq, 6));
	OK(doca_eth_rxq_apply_queue_id(rxq, 6));
	stop();
	eth_tear_down();
}

TEST(a_number_that_cannot_be_had_changes_nothing)
{
	const struct xsk_rule_attr all = { .action = STEER_QUEUE, .number = 6 };
	uint16_t id = 9;

	regular(8, 4);
	OK(doca_eth_rxq_apply_queue_id(rxq, 5));
	EXPECT_EQ(xsk_rule_add(&rule, "fake0", &all, &why), 0);
	start();
	wire.map_err = -EIO;
	ERR(doca_eth_rxq_apply_queue_id(rxq, 6), IN_USE);
	wire.map_err = 0;
	OK(doca_eth_rxq_get_flow_queue_id(rxq, &id));
	EXPECT_EQ(id, 5);
	submit_recv(new_recv(room(0, 64)));
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 0);
	OK(doca_eth_rxq_apply_queue_id(rxq, 6));
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	OK(doca_eth_rxq_apply_queue_id(rxq, 7));
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(wire.passed, 2);
	stop();
	eth_tear_down();
}

TEST(a_start_that_fails_leaves_nothing)
{
	struct doca_ctx *ctx;

	regular(8, 1);
	ctx = doca_eth_rxq_as_doca_ctx(rxq);
	wire.bind_err = -EBUSY;
	ERR(doca_ctx_start(ctx), IN_USE);
	EXPECT_LOGGED("has an AF_XDP socket already");
	wire.queues = 3;
	ERR(doca_ctx_start(ctx), IN_USE);
	logged();
	wire.bind_err = 0;
	wire.queues = 9;
	ERR(doca_ctx_start(ctx), NOT_SUPPORTED);
	EXPECT_LOGGED("more receive queues than 8");
	wire.queues = 2;
	wire.memory_err = -ENOBUFS;
	ERR(doca_ctx_start(ctx), NOT_PERMITTED);
	EXPECT_LOGGED("64 KiB of memory are more than may be locked");
	wire.memory_err = -EPERM;
	ERR(doca_ctx_start(ctx), NOT_PERMITTED);
	EXPECT_LOGGED("CAP_NET_RAW");
	wire.memory_err = 0;
	wire.attach_err = -EBUSY;
	wire.attach_step = XSK_STEP_ATTACH;
	ERR(doca_ctx_start(ctx), IN_USE);
	EXPECT_LOGGED("another XDP program");
	wire.attach_err = -EPERM;
	ERR(doca_ctx_start(ctx), NOT_PERMITTED);
	logged();
	wire.attach_err = 0;
	wire.map_err = -E2BIG;
	ERR(doca_ctx_start(ctx), INITIALIZATION);
	wire.map_err = 0;
	wire.queues_err = -ENODEV;
	ERR(doca_ctx_start(ctx), INITIALIZATION);
	wire.queues_err = 0;
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(ctx), INITIALIZATION, stop());
	EXPECT(!wire.sockets && !wire.umems && !wire.programs);
	logged();
	fake_dev.info.iface[0] = '\0';
	ERR(doca_ctx_start(ctx), NOT_SUPPORTED);
	EXPECT_LOGGED("no network interface");
	eth_tear_down();
}

TEST(what_must_be_set_is_asked_for)
{
	struct doca_ctx *ctx;

	eth_set_up();
	make_rxq(8);
	ctx = doca_eth_rxq_as_doca_ctx(rxq);
	ERR(doca_ctx_start(ctx), BAD_STATE);
	EXPECT_LOGGED("doca_eth_rxq_set_type");
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	ERR(doca_ctx_start(ctx), BAD_STATE);
	EXPECT_LOGGED("set_conf");
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL));
	ERR(doca_ctx_start(ctx), BAD_STATE);
	EXPECT_LOGGED("set_pkt_buf");
	OK(doca_eth_rxq_set_pkt_buf(rxq, bed.mmap, 0, MEM_SIZE));
	ERR(doca_ctx_start(ctx), BAD_STATE);
	EXPECT_LOGGED("register an event");
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

/* What no kernel says is taken for nothing. */
TEST(descriptors_that_cannot_be_are_ignored)
{
	regular(8, 4);
	steer_all(0, 0);
	start();
	submit_recv(new_recv(room(0, 64)));
	wire_desc(0, 1ull << 40, 64);
	wire_desc(0, 256, ETH_CHUNK);
	wire_desc(0, 4, 64);
	EXPECT_EQ(drain(bed.pe), 0);
	wire_receive(0, frame_of(5, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(!memcmp(bed.mem + MEM_SIZE / 2, frame_of(5, 60), 60));
	stop();
	eth_tear_down();
}

TEST(capabilities_of_receive_queues)
{
	const struct doca_devinfo *info = &fake_dev.info;
	uint32_t u32 = 0;
	uint16_t u16 = 0;
	uint8_t u8 = 0;

	eth_set_up();
	OK(doca_eth_rxq_cap_get_max_burst_size(info, &u32));
	EXPECT_EQ(u32, 4096);
	OK(doca_eth_rxq_cap_get_max_packet_size(info, &u32));
	EXPECT_EQ(u32, 3328);
	OK(doca_eth_rxq_cap_get_max_recv_buf_list_len(info, &u32));
	EXPECT_EQ(u32, 1);
	OK(doca_eth_rxq_cap_get_max_packet_headroom(info, &u16));
	EXPECT_EQ(u16, 256);
	OK(doca_eth_rxq_cap_get_max_packet_tailroom(info, &u16));
	EXPECT_EQ(u16, 256);
	OK(doca_eth_rxq_cap_get_max_metadata_num(info, &u8));
	EXPECT_EQ(u8, 1);
	OK(doca_eth_rxq_cap_is_type_supported(info, DOCA_ETH_RXQ_TYPE_REGULAR,
					      0));
	OK(doca_eth_rxq_cap_is_type_supported(
		info, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL, 0));
	ERR(doca_eth_rxq_cap_is_type_supported(info, DOCA_ETH_RXQ_TYPE_CYCLIC,
					       0),
	    NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_is_type_supported(info, 7, 0), INVALID_VALUE);
	ERR(doca_eth_rxq_cap_get_max_burst_size(info, NULL), INVALID_VALUE);
	ERR(doca_eth_rxq_cap_get_max_packet_size(NULL, &u32), INVALID_VALUE);
	ERR(doca_eth_rxq_cap_get_max_recv_buf_list_len(NULL, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_cap_get_max_packet_headroom(NULL, &u16),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_cap_get_max_packet_tailroom(NULL, &u16),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_cap_get_max_metadata_num(NULL, &u8), INVALID_VALUE);
	fake_dev.info.iface[0] = '\0';
	ERR(doca_eth_rxq_create(&fake_dev, 1, 64, &rxq), NOT_SUPPORTED);
	rxq = NULL;
	ERR(doca_eth_rxq_cap_get_max_burst_size(info, &u32), NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_get_max_packet_size(info, &u32), NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_get_max_recv_buf_list_len(info, &u32),
	    NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_get_max_packet_headroom(info, &u16),
	    NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_get_max_packet_tailroom(info, &u16),
	    NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_get_max_metadata_num(info, &u8), NOT_SUPPORTED);
	ERR(doca_eth_rxq_cap_is_type_supported(info, DOCA_ETH_RXQ_TYPE_REGULAR,
					       0),
	    NOT_SUPPORTED);
	eth_tear_down();
}

TEST(how_much_memory_a_pool_needs)
{
	const enum doca_eth_rxq_type pool = DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL;
	uint32_t size = 0;

	OK(doca_eth_rxq_estimate_packet_buf_size(pool, 0, 0, 1500, 64, 0, 0, 0,
						 &size));
	EXPECT_EQ(size, 64 * 4096 + 8192);
	/* 1000 MB/s for 30 us are 30000 bytes: 20 packets. */
	OK(doca_eth_rxq_estimate_packet_buf_size(pool, 1000, 30, 1500, 64, 0, 0,
						 0, &size));
	EXPECT_EQ(size, 84 * 4096 + 8192);
	ERR(doca_eth_rxq_estimate_packet_buf_size(pool, 0, 0, 1500, 0, 0, 0, 0,
						  &size),
	    INVALID_VALUE);
	ERR(doca_eth_rxq_estimate_packet_buf_size(pool, 0, 0, 1500, 64, 1, 0, 0,
						  &size),
	    NOT_SUPPORTED);
	ERR(doca_eth_rxq_estimate_packet_buf_size(DOCA_ETH_RXQ_TYPE_REGULAR, 0,
						  0, 1500, 64, 0, 0, 0, &size),
	    NOT_SUPPORTED);
}
