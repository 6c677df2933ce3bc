/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Profiles give names to software devices, so that a program which asks for the names and
 * addresses of a card finds them. DOCA_PROFILE is the path of a file, which is read once, at
 * the first list of devices, and is the same for all drivers:
 *
 *	{ "profile": 1, "name": "bluefield-3", "devices": [
 *		{ "pci": "0000:03:00.0", "ibdev": "mlx5_0", "iface": "p0" }, ... ],
 *	  "pairs": [ { "dpu": "mlx5_0", "host": "0000:b1:00.0", "users": "same" } ] }
 *
 * The first device is the first software device, and so on (device/names.h). An iface is the
 * interface of that name, if there is one (device/iface.h). Pairs only concern the in-process
 * driver; without this member, the first two devices are a pair.
 */
#ifndef DOCA_CORE_PROFILE_H
#define DOCA_CORE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "devinfo.h"

struct settings_table;

enum { PROFILE_MAX_DEVICES = 16, PROFILE_MAX_PAIRS = 16 };

/* Members that are not given are empty. */
struct profile_device {
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	char iface[sizeof(((struct doca_devinfo *)0)->iface)];
};

struct profile_pair {
	uint32_t dpu, host; /* numbers of software devices, from 0 */
	bool any_user; /* users may connect; else only one and the same */
};

struct profile_content {
	uint32_t nr, nr_pairs;
	struct profile_device devices[PROFILE_MAX_DEVICES];
	struct profile_pair pairs[PROFILE_MAX_PAIRS];
};

/* The profile cannot be used, which was logged. Listing devices returns this errno in no other case. */
#define PROFILE_ERROR EBADSLT

struct profile_source {
	const char *path; /* NULL without a profile */
	const struct settings_table *settings; /* reads it */
	int err; /* it cannot be loaded */
};

/* Load what reads the profile, unless it was read; without a lock: see core/base/plugin.h. */
void profile_prepare(struct profile_source *source);

/*
 * Read the profile, under the lock of driver.c. Returns 0, or -PROFILE_ERROR, -ENOMEM, -EMFILE or
 * -ENFILE. What the file is good for is kept; it is read again if memory, files or the plug-in that
 * reads it were lacking.
 */
int profile_load(const struct profile_source *source);

/* Return the devices, none without a profile. Call it after profile_load(). */
const struct profile_device *profile_devices(uint32_t *n);
/* Return the pairs, or the default one. Call it after profile_load(). */
const struct profile_pair *profile_pairs(uint32_t *n);

#endif /* DOCA_CORE_PROFILE_H */
