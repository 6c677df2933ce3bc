// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/dev.h"
#include "core/netlink.h"
#include "env.h"
#include "msg.h"
#include "output.h"

/* The one that programs find first. */
static int find_device(struct doca_devinfo *device)
{
	struct doca_devinfo *list;
	uint32_t nr;

	if (netlink_list_devices(&list, &nr) || !nr) {
		fail("there is no DOCA device");
		hint("Load the driver with 'modprobe doca'; see doca(4).");
		return -1;
	}
	*device = list[0];
	free(list);
	return 0;
}

static void print_env(const struct bench *bench)
{
	const struct options *opts = bench->opts;
	char text[96];

	output_begin(opts->json);
	env_print();
	output_env("device", bench->device);
	snprintf(text, sizeof(text), "CPU %d submits, CPU %d executes",
		 bench->cpus.submit, bench->cpus.work);
	output_env("placement", text);
	snprintf(text, sizeof(text), "idle_us=%u%s", opts->idle_us,
		 bench->one.worker_id ? "" : ", switched off: all by ENTER");
	output_env("workers", text);
	snprintf(text, sizeof(text), "%zu MiB for each side of the copies",
		 bench->area.half >> 20);
	output_env("memory", text);
	snprintf(text, sizeof(text), "median of 15 runs of %g s each",
		 opts->seconds);
	output_env("figures", text);
}

int main(int argc, char **argv)
{
	struct doca_devinfo device;
	struct options opts;
	struct bench bench;
	char idle_us[16];
	int ret;

	options_parse(&opts, argc, argv);
	/* The library's workers are to be like ours. */
	snprintf(idle_us, sizeof(idle_us), "%u", opts.idle_us);
	setenv("DOCA_IDLE_US", idle_us, 1);
	if (find_device(&device) ||
	    bench_open(&bench, &opts, device.name, device.id))
		return EXIT_FAILURE;
	print_env(&bench);
	ret = bench_run(&bench);
	bench_close(&bench);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
