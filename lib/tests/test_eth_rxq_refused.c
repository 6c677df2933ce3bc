// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receive queues: unsupported functions, and capabilities. */
#include "rxq_bed.h"

/* A setter, a refused value, and an accepted one. */
#define SETTERS(X)                                             \
	X(doca_eth_rxq_set_type, 3, DOCA_ETH_RXQ_TYPE_REGULAR) \
	X(doca_eth_rxq_set_flow_tag, 2, 1)                     \
	X(doca_eth_rxq_set_rx_hash, 2, 1)                      \
	X(doca_eth_rxq_set_timestamp, 2, 1)                    \
	X(doca_eth_rxq_set_metadata_num, 2, 1)                 \
	X(doca_eth_rxq_set_packet_headroom, 257, 0)            \
	X(doca_eth_rxq_set_packet_tailroom, 257, 0)            \
	X(doca_eth_rxq_set_max_burst_size, 0, 16)              \
	X(doca_eth_rxq_set_max_packet_size, 0, 1500)           \
	X(doca_eth_rxq_set_max_recv_buf_list_len, 2, 1)

#define REFUSES(set, bad, good) ERR(set(rxq, bad), INVALID_VALUE);
#define TAKES(set, bad, good) OK(set(rxq, good));
#define IS_LATE(set, bad, good) ERR(set(rxq, good), BAD_STATE);

TEST(settings_are_refused)
{
	struct doca_gpu_eth_rxq *gpu;
	struct doca_eth_rxq *other;
	uint16_t id = 9;

	regular(8, 1);
	ERR(doca_eth_rxq_create(&fake_dev, 0, 64, &other), INVALID_VALUE);
	ERR(doca_eth_rxq_create(&fake_dev, 1, ETH_MAX_PACKET + 1, &other), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC, doca_eth_rxq_create(&fake_dev, 1, 64, &other), NO_MEMORY,
		      OK(doca_eth_rxq_destroy(other)));
	SETTERS(REFUSES)
	SETTERS(TAKES)
	ERR(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_CYCLIC), NOT_SUPPORTED);
	ERR(doca_eth_rxq_set_notification_moderation(rxq, 1, 1), NOT_SUPPORTED);
	ERR(doca_eth_rxq_get_gpu_handle(rxq, &gpu), NOT_SUPPORTED);
	OK(doca_eth_rxq_apply_queue_id(rxq, 5));
	OK(doca_eth_rxq_get_flow_queue_id(rxq, &id));
	EXPECT_EQ(id, 5);
	ERR(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, 0), INVALID_VALUE);
	start();
	SETTERS(IS_LATE)
	ERR(doca_eth_rxq_set_notification_moderation(rxq, 1, 1), BAD_STATE);
	ERR(doca_eth_rxq_set_pkt_buf(rxq, bed.mmap, 0, 1), BAD_STATE);
	ERR(doca_eth_rxq_task_recv_set_conf(rxq, recv_end, recv_end, 1), BAD_STATE);
	ERR(doca_eth_rxq_destroy(rxq), IN_USE);
	OK(doca_eth_rxq_apply_queue_id(rxq, 6));
	OK(doca_eth_rxq_apply_queue_id(rxq, 6));
	stop_and_end();
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
	stop_and_end();
}

TEST(a_start_that_fails_leaves_nothing)
{
	static const struct {
		int *err;
		int value;
		uint32_t queues;
		doca_error_t code;
		const char *words;
	} rows[] = {
		{ &wire.bind_err, -EBUSY, 1, DOCA_ERROR_IN_USE, "has an AF_XDP socket already" },
		{ &wire.bind_err, -EBUSY, 3, DOCA_ERROR_IN_USE, "has an AF_XDP socket already" },
		{ &wire.bind_err, 0, 9, DOCA_ERROR_NOT_SUPPORTED, "more receive queues than 8" },
		{ &wire.memory_err, -ENOBUFS, 2, DOCA_ERROR_NOT_PERMITTED,
		  "64 KiB of memory are more than may be locked" },
		{ &wire.memory_err, -EPERM, 2, DOCA_ERROR_NOT_PERMITTED, "CAP_NET_RAW" },
		{ &wire.attach_err, -EBUSY, 2, DOCA_ERROR_IN_USE, "another XDP program" },
		{ &wire.attach_err, -EPERM, 2, DOCA_ERROR_NOT_PERMITTED, "CAP_BPF" },
		{ &wire.map_err, -E2BIG, 2, DOCA_ERROR_INITIALIZATION, "" },
		{ &wire.queues_err, -ENODEV, 2, DOCA_ERROR_INITIALIZATION, "" },
	};
	regular(8, 1);
	wire.attach_step = XSK_STEP_ATTACH;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		*rows[i].err = rows[i].value;
		wire.queues = rows[i].queues;
		EXPECT_EQ(doca_ctx_start(eth_ctx), rows[i].code);
		EXPECT_LOGGED(rows[i].words);
		*rows[i].err = 0;
	}
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(eth_ctx), INITIALIZATION, stop());
	EXPECT(!wire.sockets && !wire.umems && !wire.programs);
	logged();
	netdev_fails.named_err = -ENODEV;
	FAILS(doca_ctx_start(eth_ctx), NOT_SUPPORTED,
	      "there is no fake0 in this network namespace");
	eth_tear_down();
}

TEST(what_must_be_set_is_asked_for)
{
	eth_set_up();
	make_rxq(8);
	ERR(doca_ctx_start(eth_ctx), BAD_STATE);
	EXPECT_LOGGED("doca_eth_rxq_set_type");
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_REGULAR));
	ERR(doca_ctx_start(eth_ctx), BAD_STATE);
	EXPECT_LOGGED("set_conf");
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL));
	ERR(doca_ctx_start(eth_ctx), BAD_STATE);
	EXPECT_LOGGED("set_pkt_buf");
	OK(doca_eth_rxq_set_pkt_buf(rxq, bed.mmap, 0, MEM_SIZE));
	ERR(doca_ctx_start(eth_ctx), BAD_STATE);
	EXPECT_LOGGED("register an event");
	eth_tear_down();
}

/* A capability, the place of its answer, and the answer. */
#define CAPS(X)                                                \
	X(doca_eth_rxq_cap_get_max_burst_size, &u32, 4096)     \
	X(doca_eth_rxq_cap_get_max_packet_size, &u32, 3328)    \
	X(doca_eth_rxq_cap_get_max_recv_buf_list_len, &u32, 1) \
	X(doca_eth_rxq_cap_get_max_packet_headroom, &u16, 256) \
	X(doca_eth_rxq_cap_get_max_packet_tailroom, &u16, 256) \
	X(doca_eth_rxq_cap_get_max_metadata_num, &u8, 1)

#define ANSWERS(cap, out, value) \
	OK(cap(info, out));      \
	EXPECT_EQ(*(out), value);
#define HAS_NO_INTERFACE(cap, out, value) ERR(cap(info, out), NOT_SUPPORTED);

TEST(capabilities_of_receive_queues)
{
	doca_error_t (*const supports)(const struct doca_devinfo *, enum doca_eth_rxq_type,
				       enum doca_eth_rxq_data_path_type) =
		doca_eth_rxq_cap_is_type_supported;
	const struct doca_devinfo *info = &fake_dev.info;
	uint32_t u32 = 0;
	uint16_t u16 = 0;
	uint8_t u8 = 0;

	eth_set_up();
	CAPS(ANSWERS)
	OK(supports(info, DOCA_ETH_RXQ_TYPE_REGULAR, 0));
	OK(supports(info, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL, 0));
	ERR(supports(info, DOCA_ETH_RXQ_TYPE_CYCLIC, 0), NOT_SUPPORTED);
	ERR(supports(info, 7, 0), INVALID_VALUE);
	fake_dev.info.iface_made_up = true;
	FAILS(doca_eth_rxq_create(&fake_dev, 1, 64, &rxq), NOT_SUPPORTED,
	      "in software, and no profile names one");
	rxq = NULL;
	CAPS(HAS_NO_INTERFACE)
	ERR(supports(info, DOCA_ETH_RXQ_TYPE_REGULAR, 0), NOT_SUPPORTED);
	eth_tear_down();
}

TEST(how_much_memory_a_pool_needs)
{
	static const struct {
		uint32_t rate, burst;
		uint16_t time;
		uint8_t lro;
		uint32_t chunks;
	} rows[] = {
		{ 0, 64, 0, 0, 64 },
		/* 1000 MB/s for 30 us are 30000 bytes: 20 packets. */
		{ 1000, 64, 30, 0, 84 },
		/* Each queue of an interface needs a chunk. */
		{ 0, 1, 0, 0, 8 },
		/* Packets are not merged, so limits of merging have no effect. */
		{ 0, 64, 0, 15, 64 },
	};
	doca_error_t (*const estimate)(enum doca_eth_rxq_type, uint32_t, uint16_t, uint32_t,
				       uint32_t, uint8_t, uint16_t, uint16_t,
				       uint32_t *) = doca_eth_rxq_estimate_packet_buf_size;
	const enum doca_eth_rxq_type pool = DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL;
	uint32_t size = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OK(estimate(pool, rows[i].rate, rows[i].time, 1500, rows[i].burst, rows[i].lro, 0,
			    0, &size));
		EXPECT_EQ(size, rows[i].chunks * 4096 + 8192);
	}
	ERR(estimate(pool, 0, 0, 1500, 0, 0, 0, 0, &size), INVALID_VALUE);
	ERR(estimate(DOCA_ETH_RXQ_TYPE_REGULAR, 0, 0, 1500, 64, 0, 0, 0, &size), NOT_SUPPORTED);
}
