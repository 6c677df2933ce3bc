// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Metrics for Prometheus: all listings are taken before the first line is written. */
#include "commands.h"
#include "common/usage.h"
#include "metrics.h"
#include "msg.h"
#include "prom.h"

static int gather(struct family *family, struct figures *f)
{
	if (family_list(family, kind_device.cmd, &f->devices) ||
	    family_list(family, kind_pair.cmd, &f->pairs) ||
	    family_list(family, kind_file.cmd, &f->files) ||
	    family_list(family, kind_queue.cmd, &f->queues) ||
	    family_list(family, kind_user.cmd, &f->users) ||
	    family_list_if_known(family, kind_engine.cmd, &f->engines))
		return -1;
	f->interrupted = family->interrupted;
	return 0;
}

static void figures_free(struct figures *f)
{
	records_free(&f->devices);
	records_free(&f->pairs);
	records_free(&f->files);
	records_free(&f->queues);
	records_free(&f->users);
	records_free(&f->engines);
}

static void gauge(const char *name, const char *help, uint64_t value)
{
	prom_gauge(name, help);
	prom_sample(value, NULL);
}

static void sum_of_files(const struct figures *figures, int attr,
			 const char *name, const char *help)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < figures->files.n; i++)
		sum += record_value(&figures->files.all[i], attr);
	gauge(name, help, sum);
}

static void totals(const struct figures *f)
{
	gauge("doca_devices", "Devices that are seen here.", f->devices.n);
	gauge("doca_pairs", "Pairs of a host's device and its DPU's.",
	      f->pairs.n);
	gauge("doca_files", "Open files of /dev/doca.", f->files.n);
	sum_of_files(f, DOCA_GENL_A_MEMORIES, "doca_memories",
		     "Registered memories.");
	sum_of_files(f, DOCA_GENL_A_PINNED_BYTES, "doca_pinned_bytes",
		     "Pages of registered memories.");
	sum_of_files(f, DOCA_GENL_A_MAPPINGS, "doca_mappings",
		     "Keys to memory, of one's own or imported.");
	sum_of_files(f, DOCA_GENL_A_EXPORTS, "doca_exports",
		     "Exports of memory.");
	sum_of_files(f, DOCA_GENL_A_WORKERS, "doca_workers",
		     "Threads that execute queues.");
	sum_of_files(f, DOCA_GENL_A_QUEUES, "doca_queues",
		     "Queues of contexts.");
	sum_of_files(f, DOCA_GENL_A_RING_BYTES, "doca_ring_bytes",
		     "Memory of the rings of queues.");
	sum_of_files(f, DOCA_GENL_A_DMS, "doca_device_memories",
		     "Allocations of device memory and imports of them.");
	sum_of_files(f, DOCA_GENL_A_OBJECTS, "doca_objects",
		     "Matrices and keys of operations.");
	sum_of_files(f, DOCA_GENL_A_WORK_BYTES, "doca_work_bytes",
		     "Memory of objects of operations, and their work space.");
	gauge("doca_listings_interrupted",
	      "Listings that changed each time that they were made.",
	      f->interrupted);
}

/* Devices are first, as they alone can fail: half of the metrics are worse than none. */
static int print(const struct figures *figures, const struct options *opts)
{
	if (metrics_of_devices(figures))
		return -1;
	prom_gauge("doca_build_info", "The release of docactl.");
	prom_sample(1, "version", tool_version, NULL);
	totals(figures);
	metrics_of_users(figures, opts->users);
	metrics_of_engines(figures);
	return 0;
}

/* A part of the users would look like all of them. */
static int check_right(struct family *family)
{
	bool privileged;

	if (family_is_privileged(family, &privileged))
		return -1;
	if (privileged)
		return 0;
	fail("metrics are of all users, and this one may see its own alone");
	hint("Run it as root, outside of containers.");
	return -1;
}

int command_metrics(struct family *family, const struct options *opts)
{
	struct figures figures = { 0 };
	int ret = check_right(family);

	if (!ret)
		ret = gather(family, &figures);
	if (!ret)
		ret = print(&figures, opts);
	figures_free(&figures);
	return ret;
}
