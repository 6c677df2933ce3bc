// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A sync event, on the side that owns it: a number that processes change and wait for.
 *
 * The other side, sync_event_remote_pci, is another process of this machine; on NVIDIA's hardware
 * it runs on the DPU. It gets the event by its descriptor. This side uses the synchronous
 * functions, the other one tasks. The event is exported while it is started, so this side waits
 * until the other one needs it no more:
 *
 *  remote: 1, I am here     local: 2, so am I     remote: 3, good bye
 *
 * Usage: sync_event_local_pci [-p PCI-ADDRESS] [-d DESCRIPTOR-FILE]
 */
#include <stdio.h>
#include <stdlib.h>

#include <doca_sync_event.h>

#include "../common/descriptor.h"
#include "../common/sample.h"

/* Both sides change it, and both wait for it. */
static struct doca_sync_event *create_event(struct doca_dev *dev)
{
	struct doca_sync_event *event;

	check(doca_sync_event_create(&event), "the event");
	check(doca_sync_event_add_publisher_location_cpu(event, dev),
	      "a publisher");
	check(doca_sync_event_add_publisher_location_remote_pci(event),
	      "a publisher");
	check(doca_sync_event_add_subscriber_location_cpu(event, dev),
	      "a subscriber");
	check(doca_sync_event_add_subscriber_location_remote_pci(event),
	      "a subscriber");
	return event;
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { descriptor_flag, {} };
	struct doca_sync_event *event;
	struct doca_dev *dev;
	const uint8_t *desc;
	uint64_t value;
	size_t len;

	sample_start("sync_event_local_pci", argc, argv, flags);
	dev = sample_open_device(
		doca_sync_event_cap_is_export_to_remote_pci_supported);
	event = create_event(dev);
	check(doca_sync_event_start(event), "start of the event");
	check(doca_sync_event_export_to_remote_pci(event, dev, &desc, &len),
	      "export");
	descriptor_write(desc, len);
	printf("Exported to %s. Run sync_event_remote_pci.\n", descriptor_path);
	fflush(stdout);

	/* The mask selects all bits of the value. */
	check(doca_sync_event_wait_gt_yield(event, 0, UINT64_MAX), "waiting");
	check(doca_sync_event_get(event, &value), "the value");
	printf("The remote side is here, with %lu\n", (unsigned long)value);
	if (value != 1)
		return EXIT_FAILURE;
	check(doca_sync_event_update_set(event, 2), "the answer");

	check(doca_sync_event_wait_gt_yield(event, 2, UINT64_MAX), "waiting");
	check(doca_sync_event_get(event, &value), "the value");
	printf("The remote side has gone, with %lu\n", (unsigned long)value);

	descriptor_remove();
	check(doca_sync_event_stop(event), "stop of the event");
	check(doca_sync_event_destroy(event), "the event");
	check(doca_dev_close(dev), "the device");
	return value == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
