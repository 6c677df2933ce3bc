/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef CAPS_DEVICE_H
#define CAPS_DEVICE_H

#include <json-c/json.h>
#include <stdbool.h>

#include <doca_dev.h>

/* Add "pci_addr", its address. */
void device_report_address(struct json_object *to,
			   const struct doca_devinfo *info);
/* Add its other properties. */
void device_report(struct json_object *to, const struct doca_devinfo *info);
/* Add "representors", an array. */
void device_report_reps(struct json_object *to, struct doca_devinfo *info);

#endif /* CAPS_DEVICE_H */
