/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The bed, with sync events. */
#ifndef DOCA_TESTS_SYNC_BED_H
#define DOCA_TESTS_SYNC_BED_H

#include <doca_sync_event.h>

#include "bed.h"

static inline struct doca_sync_event *new_event(void)
{
	struct doca_sync_event *event = NULL;

	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_publisher_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
	return event;
}

/* Make a started event that is no context, and its export @desc. */
static inline struct doca_sync_event *new_exported(const uint8_t **desc, size_t *size)
{
	struct doca_sync_event *event = NULL;

	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_publisher_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_subscriber_location_remote_pci(event));
	OK(doca_sync_event_start(event));
	OK(doca_sync_event_export_to_remote_pci(event, &fake_dev, desc, size));
	return event;
}

static inline struct doca_sync_event *import(const uint8_t *desc, size_t size)
{
	struct doca_sync_event *event = NULL;

	OK(doca_sync_event_create_from_export(&fake_dev, desc, size, &event));
	return event;
}

static inline void stop_and_destroy(struct doca_sync_event *event)
{
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_destroy(event));
}

static inline uint64_t value_of(struct doca_sync_event *event)
{
	uint64_t value = -1;

	OK(doca_sync_event_get(event, &value));
	return value;
}

#endif /* DOCA_TESTS_SYNC_BED_H */
