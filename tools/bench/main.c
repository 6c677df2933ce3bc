// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/device/dev.h"
#include "core/driver/netlink.h"
#include "device.h"
#include "msg.h"
#include "plan.h"

/* Find the device that programs find first, by the netlink of the kernel's driver. */
static int find_kernel_device(struct doca_devinfo *device)
{
	struct doca_devinfo *list;
	uint32_t nr;

	if (netlink_list_devices(&list, &nr) || !nr) {
		fail("there is no DOCA device");
		hint("Load the driver with 'modprobe doca', see doca(4); or measure without: DOCA_DRIVER=process doca_bench process.");
		return -1;
	}
	*device = list[0];
	free(list);
	return 0;
}

static int find_device(const struct plan *plan, struct doca_devinfo *device)
{
	if (!plan->without_rings)
		return find_kernel_device(device);
	return device_first(device->name, sizeof(device->name));
}

static void add_facts(struct bench *bench)
{
	const struct options *opts = bench->opts;
	struct results *results = &bench->results;

	results_fact(results, "plan", "%s", opts->plan->name);
	results_fact(results, "device", "%s", bench->device);
	results_fact(results, "placement", "CPU %d submits, CPU %d executes",
		     bench->cpus.submit, bench->cpus.work);
	results_fact(results, "workers", "idle_us=%u%s", opts->idle_us,
		     bench->one.worker_id || opts->plan->without_rings ?
			     "" :
			     ", switched off: all by ENTER");
	results_fact(results, "memory", "%zu MiB for each side of the copies",
		     bench->area.half >> 20);
	results_fact(results, "figures", "%s of %u runs of %g s each",
		     opts->plan->columns.single ? "single operations" :
						  "median",
		     opts->runs, opts->seconds);
}

/* Measure the cost of everything that goes from one CPU to the other. */
static int measure_line(struct bench *bench)
{
	struct way *line = &bench->line.way;
	struct meter meter = { .seconds = 0.1 };

	if (bench->cpus.submit == bench->cpus.work)
		return 0;
	if (line->run(line, &meter))
		return -1;
	results_fact(&bench->results, "cache line",
		     "%.0f ns there and back, %.0f ns at best",
		     1e9 / meter.rate, bench->line.best * 1e9);
	return 0;
}

static int write_files(struct options *opts, const struct results *results)
{
	if (file_write(&opts->csv, csv_print, results) ||
	    file_write(&opts->json, json_print, results))
		return -1;
	return 0;
}

static int measure(struct bench *bench)
{
	struct options *opts = bench->opts;
	int ret;

	add_facts(bench);
	if (measure_line(bench))
		return -1;
	if (!options_quiet(opts)) {
		table_facts(&bench->results);
		table_head(&opts->plan->columns);
	}
	ret = opts->plan->run(bench);
	if (!ret && !options_quiet(opts))
		ret = table_end();
	/* Write what was measured before a failure, too. */
	if (bench->results.nr_rows && write_files(opts, &bench->results))
		ret = -1;
	return ret;
}

int main(int argc, char **argv)
{
	struct doca_devinfo device;
	struct options opts;
	struct bench bench;
	int ret;

	options_parse(&opts, argc, argv);
	if (file_open(&opts.csv) || file_open(&opts.json) ||
	    find_device(opts.plan, &device) ||
	    bench_open(&bench, &opts, device.name, device.id))
		return EXIT_FAILURE;
	ret = measure(&bench);
	bench_close(&bench);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
