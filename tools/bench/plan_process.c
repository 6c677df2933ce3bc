// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Performance of the library alone, on any driver, beside a software module, and with
 * memory that another process exports.
 */
#include "event.h"
#include "lender.h"
#include "module_way.h"
#include "msg.h"
#include "plan.h"

#define MIB ((size_t)1 << 20)
#define IMPORT_DEPTH 4

enum { REF_MEMCPY, REF_EVENTFD, REF_MODULE, REF_READV };

static const char *const refs[] = { "memcpy", "eventfd", "module", "vm_readv",
				    NULL };

static struct group group;

static int measure_local(struct bench *bench, const struct load *load)
{
	static struct module_way module;

	progress("%zu bytes, %u in flight", load->size, load->depth);
	plan_group(bench, &group, "copy", load);
	module_way_init(&module, &bench->area);
	group.refs[REF_MODULE] = &module.way;
	group.refs[REF_MEMCPY] = &bench->memcpy.way;
	group_add(&group, &bench->memcpy.way);
	group_add(&group, &module.way);
	group_add(&group, &bench->dma.way);
	if (load->depth > 1)
		group_add(&group, &bench->dma_batches.way);
	return plan_measure(bench, &group);
}

static int measure_locals(struct bench *bench)
{
	static const size_t sizes[] = { 64, 4096, 65536 };
	static const unsigned int depths[] = { 1, 32 };
	struct load load;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		load.size = sizes[i / 2];
		load.depth = depths[i % 2];
		if (measure_local(bench, &load))
			return -1;
	}
	return 0;
}

static int measure_imports(struct bench *bench, struct dma_conf *conf)
{
	const struct load load = { .size = MIB, .depth = IMPORT_DEPTH };
	static struct readv_way readv;
	static struct dma_way dma;

	progress("imports of %zu bytes", load.size);
	plan_group(bench, &group, "import", &load);
	readv_way_init(&readv, conf->lender);
	readv.way.optional = true;
	dma_way_init(&dma, conf);
	group.refs[REF_READV] = &readv.way;
	group_add(&group, &readv.way);
	group_add(&group, &dma.way);
	return plan_measure(bench, &group);
}

/* Round trips of a cache line for polling, those of an eventfd for sleeping. */
static int measure_answers(struct bench *bench, struct dma_conf *conf)
{
	const struct load load = { .size = 64, .depth = 1 };
	static struct dma_way polled, asleep;
	static struct eventfd_way eventfd;

	progress("imports of %zu bytes", load.size);
	plan_group(bench, &group, "import", &load);
	dma_way_init(&polled, conf);
	conf->style = DMA_EVENTS;
	conf->name = "doca_pe, import";
	dma_way_init(&asleep, conf);
	eventfd_way_init(&eventfd, &bench->cpus, false);
	group.line = &bench->line.way;
	group.refs[REF_EVENTFD] = &eventfd.way;
	group_add(&group, &bench->line.way);
	group_add(&group, &eventfd.way);
	group_add(&group, &polled.way);
	group_add(&group, &asleep.way);
	return plan_measure(bench, &group);
}

static int run(struct bench *bench)
{
	struct dma_conf conf = {
		.name = "doca_dma, import",
		.area = &bench->area,
		.cpus = &bench->cpus,
		.device = bench->device,
		.idle_us = bench->opts->idle_us,
	};
	struct lender lender;
	int ret;

	/* Fork before this process opens the driver. */
	if (lender_open(&lender, &bench->area, &bench->cpus, bench->device))
		return -1;
	conf.lender = &lender;
	ret = measure_locals(bench) || measure_imports(bench, &conf);
	if (!ret && bench->cpus.submit != bench->cpus.work)
		ret = measure_answers(bench, &conf);
	lender_close(&lender);
	return ret ? -1 : 0;
}

const struct plan plan_process = {
	.name = "process",
	.help = "the library alone, with whatever driver it has (DOCA_DRIVER=),\n"
		"and memory of another process",
	.run = run,
	.without_rings = true,
	.columns = {
		.refs = refs,
		.notes =
			"trips         the time in round trips of a cache line between the two CPUs\n"
			"other columns the speed as a part of that of\n"
			"  memcpy      memcpy() of the submitting thread\n"
			"  module      a software module: what is submitted is copied and queued, and a\n"
			"              poll calls back\n"
			"  vm_readv    process_vm_readv() of the submitting thread\n"
			"  eventfd     two threads that sleep until the other one writes an eventfd\n"
			"import        from memory that another process exports\n"
			"doca_pe       waited for in poll()\n",
	},
};
