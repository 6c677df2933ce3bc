// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Metrics of devices, with sums over their queues. A sum falls when a queue is closed, so it is
 * no counter.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/doca.h>

#include "field.h"
#include "metrics.h"
#include "msg.h"
#include "prom.h"

static const char *const states[] = { "run", "flush", "broken", "removed",
				      "closed" };
#define NR_STATES (sizeof(states) / sizeof(states[0]))

enum { PENDING, COMPLETED, FAILED, WRITTEN, NR_SUMS };

struct device {
	char name[64];
	const struct record *record; /* NULL if only queues name it */
	uint64_t states[NR_STATES];
	uint64_t sums[NR_SUMS];
};

/* Devices by the names of their series: where two have one name, they have one series. */
struct devices {
	struct device *all;
	size_t n;
};

static struct device *device_of(struct devices *devices,
				const struct record *record)
{
	struct device *device = &devices->all[devices->n];
	size_t i;

	safe_text(record_string(record, DOCA_GENL_A_DEV_NAME), device->name,
		  sizeof(device->name));
	for (i = 0; i < devices->n; i++)
		if (!strcmp(devices->all[i].name, device->name))
			return &devices->all[i];
	devices->n++;
	return device;
}

static void add_queue(struct device *device, const struct record *queue)
{
	const char *state = queue_state(queue);
	size_t i;

	for (i = 0; i < NR_STATES; i++)
		device->states[i] += !strcmp(state, states[i]);
	device->sums[PENDING] += queue_pending(queue);
	device->sums[COMPLETED] += record_value(queue, DOCA_GENL_A_OPS);
	device->sums[FAILED] += record_value(queue, DOCA_GENL_A_ERRORS);
	device->sums[WRITTEN] += record_value(queue, DOCA_GENL_A_BYTES);
}

static int collect(struct devices *devices, const struct figures *figures)
{
	const struct records *listed = &figures->devices;
	const struct records *queues = &figures->queues;
	size_t i;

	/* One more is the place of the name that is looked for. */
	devices->all = calloc(listed->n + queues->n + 1, sizeof(*devices->all));
	if (!devices->all)
		return fail("out of memory");
	for (i = 0; i < listed->n; i++) {
		struct device *device = device_of(devices, &listed->all[i]);

		if (!device->record)
			device->record = &listed->all[i];
	}
	for (i = 0; i < queues->n; i++)
		add_queue(device_of(devices, &queues->all[i]), &queues->all[i]);
	return 0;
}

static void print_info(const struct devices *devices)
{
	static const struct field fields[] = {
		{ "type", NULL, DOCA_GENL_A_DEV_TYPE, FIELD_DEV_TYPE },
		{ "pci", NULL, DOCA_GENL_A_DEV_PCI, FIELD_NAME },
		{ "engine", NULL, DOCA_GENL_A_ENGINE_NAME, FIELD_NAME },
	};
	char texts[3][FIELD_TEXT_MAX];
	size_t i, j;

	prom_gauge("doca_device_info", "A device.");
	for (i = 0; i < devices->n; i++) {
		const struct device *device = &devices->all[i];

		if (!device->record)
			continue;
		for (j = 0; j < 3; j++) {
			field_text(&fields[j], device->record, texts[j]);
			if (field_is_absent(&fields[j], device->record))
				texts[j][0] = '\0';
		}
		prom_sample(1, "device", device->name, "type", texts[0], "pci",
			    texts[1], "engine", texts[2], NULL);
	}
}

static void print_states(const struct devices *devices)
{
	size_t i, j;

	prom_gauge("doca_device_queues", "Queues of a device, by state.");
	for (i = 0; i < devices->n; i++)
		for (j = 0; j < NR_STATES; j++)
			prom_sample(devices->all[i].states[j], "device",
				    devices->all[i].name, "state", states[j],
				    NULL);
}

static void print_sums(const struct devices *devices)
{
	static const struct {
		const char *name, *help;
	} sums[NR_SUMS] = {
		[PENDING] = { "doca_device_pending_operations",
			      "Operations that are submitted and not begun." },
		[COMPLETED] = { "doca_device_completed_operations",
				"Operations that open queues have completed." },
		[FAILED] = { "doca_device_failed_operations",
			     "Operations of open queues that have failed." },
		[WRITTEN] = { "doca_device_written_bytes",
			      "Bytes that operations of open queues have written." },
	};
	size_t i, j;

	for (j = 0; j < NR_SUMS; j++) {
		prom_gauge(sums[j].name, sums[j].help);
		for (i = 0; i < devices->n; i++)
			prom_sample(devices->all[i].sums[j], "device",
				    devices->all[i].name, NULL);
	}
}

int metrics_of_devices(const struct figures *figures)
{
	struct devices devices = { 0 };
	int ret = collect(&devices, figures);

	if (!ret) {
		print_info(&devices);
		print_states(&devices);
		print_sums(&devices);
	}
	free(devices.all);
	return ret;
}
