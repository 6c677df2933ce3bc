// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DMA from packet to packet, and DPDK's port of a soft-RoCE device. */
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <doca_dpdk.h>

#include "bed.h"

#define MBUFS 256
#define LEN 1500

/* Each case is a process and an environment of its own. */
static struct rte_mempool *start_dpdk(void)
{
	static char *argv[] = { "dpdk",	       "--no-huge", "-m",
				"32",	       "--no-pci",  "--no-telemetry",
				"--no-shconf", "-l",	    "0",
				"--log-level", "1" };

	if (rte_eal_init(sizeof(argv) / sizeof(argv[0]), argv) < 0)
		return NULL;
	return rte_pktmbuf_pool_create("packets", MBUFS, 0, 0,
				       RTE_MBUF_DEFAULT_BUF_SIZE, 0);
}

/* Copy two segments into two others: a list on each side. */
TEST(dma_from_packet_to_packet)
{
	struct rte_mempool *pool = start_dpdk();
	struct doca_dma_task_memcpy *task;
	struct doca_dpdk_mempool *mempool;
	struct doca_buf *from, *to;
	struct rte_mbuf *src, *dst;
	union doca_data data = {};
	struct doca_dev *dev;
	long pins = pins_held();
	struct bed bed;
	char expected[LEN];

	ASSERT_NE(NULL, pool);
	dev = bed_open_dev(NULL);
	if (!dev)
		SKIP(return, "no device");
	ASSERT_OK(doca_dpdk_mempool_create(pool, &mempool));
	ASSERT_OK(doca_dpdk_mempool_dev_add(mempool, dev));
	ASSERT_OK(doca_dpdk_mempool_start(mempool));
	ASSERT_OK(bed_create(&bed, dev, NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));

	src = rte_pktmbuf_alloc(pool);
	bed_fill(rte_pktmbuf_append(src, LEN), LEN, 3);
	rte_pktmbuf_chain(src, rte_pktmbuf_alloc(pool));
	bed_fill(rte_pktmbuf_append(src, LEN), LEN, 4);
	dst = rte_pktmbuf_alloc(pool);
	rte_pktmbuf_chain(dst, rte_pktmbuf_alloc(pool));

	ASSERT_OK(doca_dpdk_mempool_mbuf_to_buf(mempool, bed.inv, src, &from));
	ASSERT_OK(doca_dpdk_mempool_mbuf_to_buf(mempool, bed.inv, dst, &to));
	rte_pktmbuf_free(src);
	ASSERT_OK(doca_dma_task_memcpy_alloc_init(bed.dma, from, to, data,
						  &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.succeeded + bed.failed == 1));
	EXPECT_EQ(1, bed.succeeded);

	/* the callback has released the buffers: only the target is held */
	EXPECT_EQ(MBUFS - 2, rte_mempool_avail_count(pool));
	bed_fill(expected, LEN, 3);
	EXPECT_EQ(0, memcmp(expected, rte_pktmbuf_mtod(dst, char *), LEN));
	rte_pktmbuf_free(dst);
	EXPECT_EQ(MBUFS, rte_mempool_avail_count(pool));

	EXPECT_OK(doca_ctx_stop(bed.ctx));
	EXPECT_OK(bed_destroy(&bed));
	EXPECT_OK(doca_dpdk_mempool_destroy(mempool));
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_EQ(pins, pins_settle(pins));
	rte_mempool_free(pool);
	rte_eal_cleanup();
}

TEST(port_of_a_device)
{
	struct doca_dev *dev, *software, *found;
	struct rte_mempool *pool = start_dpdk();
	struct rte_eth_conf conf = {};
	struct rte_mbuf *mbuf;
	uint16_t port, again;

	ASSERT_NE(NULL, pool);
	dev = bed_open_dev("rxe0");
	software = bed_open_dev("software");
	if (!dev || !software)
		SKIP(return, "needs the devices rxe0 and software");
	EXPECT_ERR(NOT_FOUND, doca_dpdk_get_first_port_id(dev, &port));
	EXPECT_ERR(INVALID_VALUE, doca_dpdk_port_probe(software, ""));
	EXPECT_ERR(DRIVER, doca_dpdk_port_probe(dev, "no_such_key=1"));
	ASSERT_OK(doca_dpdk_port_probe(dev, "qpairs=1"));
	ASSERT_OK(doca_dpdk_get_first_port_id(dev, &port));
	EXPECT_OK(doca_dpdk_port_probe(dev, ""));
	EXPECT_EQ(1, rte_eth_dev_count_avail());
	EXPECT_ERR(NOT_FOUND, doca_dpdk_get_first_port_id(software, &again));
	ASSERT_OK(doca_dpdk_port_as_dev(port, &found));
	EXPECT_EQ(dev, found);

	/* the port sends packets */
	ASSERT_EQ(0, rte_eth_dev_configure(port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, pool));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(port, 0, 64, 0, NULL));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	mbuf = rte_pktmbuf_alloc(pool);
	memset(rte_pktmbuf_append(mbuf, 60), 0xff, 60);
	EXPECT_EQ(1, rte_eth_tx_burst(port, 0, &mbuf, 1));
	EXPECT_EQ(0, rte_eth_dev_stop(port));
	EXPECT_EQ(0, rte_eth_dev_close(port));

	EXPECT_ERR(NOT_FOUND, doca_dpdk_get_first_port_id(dev, &port));
	EXPECT_ERR(NOT_FOUND, doca_dpdk_port_as_dev(port, &found));
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_OK(doca_dev_close(software));
	rte_eal_cleanup();
}

TEST_HARNESS_MAIN
