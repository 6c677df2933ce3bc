/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Common code for tests of Ethernet queues: queues on a fake interface. */
#ifndef DOCA_TESTS_ETH_BED_H
#define DOCA_TESTS_ETH_BED_H

#include <doca_eth_rxq.h>
#include <doca_eth_rxq_cpu_data_path.h>
#include <doca_eth_txq.h>
#include <doca_eth_txq_cpu_data_path.h>
#include <doca_eth_txq_gpu_data_path.h>

#include "bed.h"
#include "eth/rxq.h"
#include "eth/txq.h"
#include "fake_netdev.h"
#include "fake_xsk.h"
#include "fault.h"

static const union doca_data no_data;

static struct doca_eth_rxq *rxq;
static struct doca_eth_txq *txq;
static struct doca_ctx *eth_ctx; /* the context of one of them */
static struct xsk_rule *rule;
static struct xsk_why why;

/* The context of bed.h stays idle. */
static inline void eth_set_up(void)
{
	set_up(true, 1);
	wire_reset();
	strcpy(fake_dev.info.iface, "fake0");
	rxq = NULL;
	txq = NULL;
	rule = NULL;
}

static inline void eth_tear_down(void)
{
	if (rule)
		xsk_rule_del(rule);
	if (rxq)
		OK(doca_eth_rxq_destroy(rxq));
	if (txq)
		OK(doca_eth_txq_destroy(txq));
	fake_dev.info.iface[0] = '\0';
	fake_dev.info.iface_made_up = false;
	netdev_fails.named_err = 0;
	EXPECT(wire_clean());
	tear_down();
}

static inline void use_queue(struct doca_ctx *ctx)
{
	eth_ctx = ctx;
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	OK(doca_ctx_set_state_changed_cb(ctx, on_state));
}

static inline void start(void)
{
	OK(doca_ctx_start(eth_ctx));
	EXPECT_STR(took(), "r");
	logged();
}

static inline void stop(void)
{
	doca_ctx_stop(eth_ctx);
	drain(bed.pe);
	EXPECT(doca_priv_ctx_idle(eth_ctx));
	took();
}

static inline void stop_and_end(void)
{
	stop();
	eth_tear_down();
}

/* Steer all frames of the interface to queue 0. */
static inline void steer_all(uint32_t flow_tag, uint32_t metadata)
{
	const struct xsk_rule_attr all = {
		.action = STEER_QUEUE,
		.tags = { flow_tag, metadata },
	};

	EXPECT_EQ(xsk_rule_add(&rule, "fake0", &all, &why), 0);
}

/* Make an Ethernet frame of some protocol; its bytes follow from its number. */
static inline const uint8_t *frame_of(unsigned int n, uint32_t len)
{
	static uint8_t frame[WIRE_FRAME];

	for (uint32_t i = 0; i < len; i++)
		frame[i] = n + i;
	frame[12] = 0x88;
	frame[13] = 0xb5;
	return frame;
}

/* Make a frame of IPv4 and UDP with right checksums, and @len bytes of payload. */
static inline uint32_t udp_frame(uint8_t *frame, uint16_t port, uint32_t len)
{
	uint32_t length = 42 + len;
	struct frame_view view;

	memset(frame, 0, length);
	memcpy(frame, "\2\0\0\0\0\1\2\0\0\0\0\2\10\0\x45", 15);
	put_be16(frame + 16, length - 14);
	frame[22] = 64;
	frame[23] = FRAME_UDP;
	memcpy(frame + 26, "\12\0\0\1\12\0\0\2", 8);
	put_be16(frame + 34, 1000);
	put_be16(frame + 36, port);
	put_be16(frame + 38, length - 34);
	for (uint32_t i = 0; i < len; i++)
		frame[42 + i] = i * 7;
	frame_parse(frame, length, &view);
	frame_set_l3_sum(frame, &view);
	frame_set_l4_sum(frame, &view);
	return length;
}

#endif /* DOCA_TESTS_ETH_BED_H */
