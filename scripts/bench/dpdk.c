// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * DPDK's dmadev with the skeleton driver. Its thread copies on the CPU of our
 * worker. It has no empty operation: a NOP is a copy of no bytes.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_dmadev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_version.h>

#include "bench/area.h"
#include "bench/loop.h"
#include "bench/msg.h"
#include "child.h"
#include "peer.h"

#define DEVICE "dma_skeleton"
#define CHANNEL 0

static struct dpdk_way {
	struct way way;
	const struct cpus *cpus;
	int16_t dev;

	/* while it is open */
	struct load load;
	unsigned int slots;
	unsigned int slot; /* the slot of the next operation */
} dpdk;

static INLINED int submit(void *self, unsigned int n)
{
	const struct area *area = dpdk.way.area;
	size_t size = dpdk.load.size;

	(void)self;
	while (n--) {
		size_t offset = dpdk.slot * size;
		int ret;

		ret = rte_dma_copy(dpdk.dev, CHANNEL,
				   (uintptr_t)area->src + offset,
				   (uintptr_t)area->dst + offset, size, 0);
		if (ret < 0)
			return fail_errno(-ret, "dmadev takes no copy");
		if (++dpdk.slot == dpdk.slots)
			dpdk.slot = 0;
	}
	return rte_dma_submit(dpdk.dev, CHANNEL);
}

static INLINED int reap(void *self)
{
	struct patience patience = { 0 };
	bool error = false;
	uint16_t last;
	int n;

	(void)self;
	while (!(n = rte_dma_completed(dpdk.dev, CHANNEL, UINT16_MAX, &last,
				       &error)))
		if (patience_lost(&patience))
			return fail("dmadev does not answer");
	return error ? fail("a copy of dmadev failed") : n;
}

/* Start it for one run only, because its thread never stops polling. */
static int dpdk_run(struct way *way, struct meter *meter)
{
	int ret;

	(void)way;
	ret = rte_dma_start(dpdk.dev);
	if (ret)
		return fail_errno(-ret, "cannot start dmadev");
	/* Do not measure the first operation, which waits for the thread. */
	if (submit(NULL, 1) || reap(NULL) < 0)
		ret = -1;
	else
		ret = loop_run(NULL, &dpdk.load, meter, submit, reap);
	rte_dma_stop(dpdk.dev);
	return ret;
}

static int dpdk_open(struct way *way, const struct load *load)
{
	dpdk.load = *load;
	dpdk.slots = area_slots(way->area, load);
	dpdk.slot = 0;
	return 0;
}

static void dpdk_close(struct way *way)
{
	(void)way;
}

static int configure(void)
{
	struct rte_dma_conf conf = { .nb_vchans = 1 };
	struct rte_dma_vchan_conf channel = {
		.direction = RTE_DMA_DIR_MEM_TO_MEM,
	};
	struct rte_dma_info info;
	int ret;

	dpdk.dev = rte_dma_get_dev_id_by_name(DEVICE);
	if (dpdk.dev < 0)
		return dpdk.dev;
	ret = rte_dma_info_get(dpdk.dev, &info);
	if (ret)
		return ret;
	channel.nb_desc = info.max_desc;
	/* One place of a ring stays empty. */
	dpdk.way.max_depth = info.max_desc - 1;
	ret = rte_dma_configure(dpdk.dev, &conf);
	return ret ? ret : rte_dma_vchan_setup(dpdk.dev, CHANNEL, &channel);
}

/* It needs no huge pages, no cards and no files, only to copy. */
static int start_eal(const struct cpus *cpus)
{
	char lcores[48];
	char *argv[] = { "doca_bench_peers",
			 "--lcores",
			 lcores,
			 "--vdev=" DEVICE ",lcore=1",
			 "--no-huge",
			 "--no-pci",
			 "--no-shconf",
			 "--no-telemetry",
			 "-m",
			 "32",
			 "--log-level=*:alert",
			 NULL };

	snprintf(lcores, sizeof(lcores), "0@%d,1@%d", cpus->submit, cpus->work);
	if (rte_eal_init(sizeof(argv) / sizeof(*argv) - 1, argv) < 0)
		return -rte_errno;
	return cpu_pin(cpus->submit) ? -EINVAL : 0;
}

static struct way *find(const struct peer_conf *conf, struct peer_text *text)
{
	int ret;

	dpdk.way = (struct way){
		.name = DEVICE,
		.open = dpdk_open,
		.run = dpdk_run,
		.close = dpdk_close,
		.area = conf->area,
	};
	ret = start_eal(conf->cpus);
	if (!ret)
		ret = configure();
	if (ret) {
		snprintf(text->s, sizeof(text->s), "not measured: %s",
			 strerror(-ret));
		return NULL;
	}
	snprintf(text->s, sizeof(text->s),
		 "%s, " DEVICE "; a NOP is a copy of no bytes", rte_version());
	return &dpdk.way;
}

struct way *dpdk_peer(const struct peer_conf *conf, struct peer_text *text)
{
	return child_way(find, conf, text);
}
