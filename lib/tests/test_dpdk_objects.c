// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The objects of DPDK's bridge, for walk.h. */
#include <rte_eal.h>
#include <rte_mbuf.h>

#include <doca_dpdk.h>

#include "core/device/rep.h"
#include "core/objects.h"
#include "bed.h"
#include "debug_mode.h"

#define WALKS "walks_dpdk.h"
#include "walk.h"

static struct rte_mempool *packets(void)
{
	static char *argv[] = { "test",	       "--no-huge", "-m",
				"64",	       "--no-pci",  "--no-telemetry",
				"--no-shconf", "-l",	    "0",
				"--log-level", "1" };

	if (rte_eal_init(sizeof(argv) / sizeof(argv[0]), argv) < 0)
		return NULL;
	return rte_pktmbuf_pool_create("packets", 64, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
}

static void set_up_objects(void)
{
	static struct doca_dev_rep rep, gone_rep;
	struct doca_dpdk_mempool *mempool, *gone;
	static struct doca_dev gone_dev;
	struct rte_mempool *pool;

	if (nr_objects)
		return;
	fake_reset(false);
	pool = packets();
	if (!pool) {
		SKIP("DPDK does not start here");
		return;
	}
	OK(doca_dpdk_mempool_create(pool, &mempool));
	OK(doca_dpdk_mempool_create(pool, &gone));
	OK(doca_dpdk_mempool_destroy(gone));
	doca_priv_debug_add(&rep, &doca_priv_dev_rep_object, sizeof(rep), 1);
	doca_priv_debug_add(&gone_rep, &doca_priv_dev_rep_object, sizeof(rep), 1);
	doca_priv_debug_del(&gone_rep);
	doca_priv_debug_add(&gone_dev, &doca_priv_dev_object, sizeof(gone_dev), 1);
	doca_priv_debug_del(&gone_dev);
	add("doca_dpdk_mempool", mempool, gone, &rep);
	add("doca_buf_inventory", new_inventory(8), NULL, mempool);
	add("doca_dev", &fake_dev, &gone_dev, mempool);
	add("doca_devinfo", &fake_dev.info, &gone_dev.info, mempool);
	add("doca_dev_rep", &rep, &gone_rep, mempool);
	add("doca_devinfo_rep", &rep.info, &gone_rep.info, mempool);
}

static const char *walk_logged(void)
{
	return logged();
}
