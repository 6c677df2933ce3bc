// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receive queues: what they do not do, and what they say they can. */
#include "rxq_bed.h"

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
	/* Each queue of an interface needs a chunk. */
	OK(doca_eth_rxq_estimate_packet_buf_size(pool, 0, 0, 1500, 1, 0, 0, 0,
						 &size));
	EXPECT_EQ(size, 8 * 4096 + 8192);
	/* None is merged, so a limit of what is merged changes nothing. */
	OK(doca_eth_rxq_estimate_packet_buf_size(pool, 0, 0, 1500, 64, 15, 0, 0,
						 &size));
	EXPECT_EQ(size, 64 * 4096 + 8192);
	ERR(doca_eth_rxq_estimate_packet_buf_size(DOCA_ETH_RXQ_TYPE_REGULAR, 0,
						  0, 1500, 64, 0, 0, 0, &size),
	    NOT_SUPPORTED);
}
