// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events: what devices can do, and what nobody can here. */
#include "sync_bed.h"

static struct doca_devinfo *info = &fake_dev.info;
static void *const somewhere = &info;

#define CAP(name) doca_sync_event_cap_##name##_supported

TEST(capabilities)
{
	static doca_error_t (*const yes[])(const struct doca_devinfo *) = {
		CAP(is_create_from_export), CAP(is_export_to_remote_pci),
		CAP(is_export_to_dpu),	    CAP(task_get_is),
		CAP(task_notify_set_is),    CAP(task_notify_add_is),
		CAP(task_wait_gt_is),	    CAP(task_wait_eq_is),
		CAP(task_wait_neq_is),
	};
	static doca_error_t (*const no[])(const struct doca_devinfo *) = {
		CAP(is_export_to_dpa),
		CAP(is_export_to_gpu),
		CAP(is_export_to_remote_net),
		CAP(remote_net_is_create_from_export),
		CAP(remote_net_is_export_to_dpa),
		CAP(remote_net_is_export_to_gpu),
	};
	struct doca_query old = caps;
	size_t i;

	fake_reset(true);
	old.out_opcodes = 1 << DOCA_OP_MEMCPY;
	for (i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		OK(yes[i](info));
		ERR(yes[i](NULL), INVALID_VALUE);
		fake.caps = &old;
		ERR(yes[i](info), NOT_SUPPORTED);
		fake.get_error = -ENOENT;
		logged();
		ERR(yes[i](info), DRIVER);
		EXPECT_LOGGED("the module is not loaded");
		fake_reset(true);
	}
	for (i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		ERR(no[i](NULL), INVALID_VALUE);
		logged();
		ERR(no[i](info), NOT_SUPPORTED);
	}
	EXPECT_SILENT();
}

/* Each pointer missing once, and then a line in the log that says why not */
#define UNSUPPORTED(f, ...)                                           \
	do {                                                          \
		logged();                                             \
		ERR(doca_sync_event_##f(__VA_ARGS__), NOT_SUPPORTED); \
		EXPECT_LOGGED("cannot be at a");                      \
	} while (0)
#define MISSING(f, ...) ERR(doca_sync_event_##f(__VA_ARGS__), INVALID_VALUE)
#define UNSUPPORTED2(f, a, b)         \
	do {                          \
		UNSUPPORTED(f, a, b); \
		MISSING(f, NULL, b);  \
		MISSING(f, a, NULL);  \
	} while (0)
#define UNSUPPORTED3(f, a, b, c)         \
	do {                             \
		UNSUPPORTED(f, a, b, c); \
		MISSING(f, NULL, b, c);  \
		MISSING(f, a, NULL, c);  \
		MISSING(f, a, b, NULL);  \
	} while (0)

TEST(there_is_no_dpa_gpu_or_network)
{
	struct doca_sync_event_remote_net *remote = somewhere;
	struct doca_sync_event *event = new_event();
	void *const x = somewhere;
	const uint8_t *desc;
	size_t size;

	fake_reset(true);
	UNSUPPORTED2(add_publisher_location_dpa, event, x);
	UNSUPPORTED2(add_publisher_location_gpu, event, x);
	UNSUPPORTED2(add_subscriber_location_dpa, event, x);
	UNSUPPORTED2(add_subscriber_location_gpu, event, x);
	UNSUPPORTED(add_publisher_location_remote_net, event);
	MISSING(add_publisher_location_remote_net, NULL);
	UNSUPPORTED3(export_to_remote_net, event, &desc, &size);
	UNSUPPORTED3(get_dpa_handle, event, x, x);
	UNSUPPORTED3(export_to_dpa, event, x, x);
	UNSUPPORTED3(get_gpu_handle, event, x, x);
	UNSUPPORTED3(export_to_gpu, event, x, x);
	UNSUPPORTED(remote_net_create_from_export, &fake_dev, x, 8, x);
	MISSING(remote_net_create_from_export, NULL, x, 8, x);
	MISSING(remote_net_create_from_export, &fake_dev, NULL, 8, x);
	MISSING(remote_net_create_from_export, &fake_dev, x, 8, NULL);
	UNSUPPORTED3(remote_net_get_dpa_handle, remote, x, x);
	UNSUPPORTED3(remote_net_export_to_dpa, remote, x, x);
	UNSUPPORTED3(remote_net_get_gpu_handle, remote, x, x);
	UNSUPPORTED3(remote_net_export_to_gpu, remote, x, x);
	MISSING(remote_net_destroy, NULL);
	MISSING(remote_net_destroy, remote);
	OK(doca_sync_event_destroy(event));
}
