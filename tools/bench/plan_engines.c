// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The value of DMA engines: the same copies by an engine and by the CPU. */
#include <doca_dev.h>

#include "device.h"
#include "msg.h"
#include "plan.h"

#define MAX_ENGINES 8

enum { REF_MEMCPY, REF_FIRST };

static const char *const refs[] = { "memcpy", "first", NULL };

/* Programs that choose these devices. */
struct devices {
	char names[1 + MAX_ENGINES][DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct dma_way ways[2][1 + MAX_ENGINES];
	unsigned int nr;
};

/* Put the CPU's device first, if there is one: its speed is the reference. */
static int find_devices(struct devices *devices)
{
	unsigned int i = 0;

	if (!device_by_engine(false, 0, devices->names[0],
			      sizeof(devices->names[0])))
		devices->nr = 1;
	while (i < MAX_ENGINES &&
	       !device_by_engine(true, i, devices->names[devices->nr],
				 sizeof(devices->names[0]))) {
		devices->nr++;
		i++;
	}
	if (i)
		return 0;
	fail("no DMA engine copies for any device");
	hint("'docactl engine list' shows what could, 'docactl engine add NAME' makes it do so; see docactl(8).");
	return -1;
}

static void add(struct bench *bench, struct group *group,
		struct devices *devices, enum dma_style style)
{
	struct dma_conf conf = {
		.area = &bench->area,
		.cpus = &bench->cpus,
		.idle_us = bench->opts->idle_us,
		.style = style,
	};
	struct dma_way *way;
	unsigned int i;

	for (i = 0; i < devices->nr; i++) {
		conf.device = devices->names[i];
		conf.name = devices->names[i];
		way = &devices->ways[style == DMA_BATCHES][i];
		dma_way_init(way, &conf);
		if (!i)
			group->refs[REF_FIRST] = &way->way;
		group_add(group, &way->way);
	}
}

static int measure(struct bench *bench, struct devices *devices,
		   const struct load *load)
{
	static struct group group;

	progress("%zu bytes, %u in flight", load->size, load->depth);
	plan_group(bench, &group, "copy", load);
	group.refs[REF_MEMCPY] = &bench->memcpy.way;
	group_add(&group, &bench->memcpy.way);
	add(bench, &group, devices, load->depth > 1 ? DMA_BATCHES : DMA_SINGLY);
	return plan_measure(bench, &group);
}

static int run(struct bench *bench)
{
	static const size_t kib[] = { 4, 16, 64, 256, 1024 };
	static const unsigned int depths[] = { 1, 32 };
	static struct devices devices;
	struct load load;
	unsigned int i;

	if (find_devices(&devices))
		return -1;
	for (i = 0; i < 10; i++) {
		load.size = kib[i / 2] << 10;
		load.depth = depths[i % 2];
		if (measure(bench, &devices, &load))
			return -1;
	}
	return 0;
}

const struct plan plan_engines = {
	.name = "engines",
	.help = "copies by DMA engines beside the CPU's",
	.run = run,
	.without_rings = true,
	.columns = {
		.refs = refs,
		.notes =
			"Ways are devices: the first one for which the CPU copies, and those for which\n"
			"DMA engines do, if copies are not below what 'docactl engine' has in FROM.\n"
			"other columns the speed as a part of that of\n"
			"  memcpy      memcpy() of the submitting thread\n"
			"  first       the first device\n",
	},
};
