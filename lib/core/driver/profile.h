/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Profiles give names to software devices, so that a program which asks for the names and
 * addresses of a card finds them. DOCA_PROFILE is the path of a file, which is read once, at
 * the first list of devices, and is the same for all drivers:
 *
 *	{ "profile": 1, "name": "bluefield-3", "devices": [
 *		{ "pci": "0000:03:00.0", "ibdev": "mlx5_0", "iface": "p0" }, ... ] }
 *
 * The first entry is of the first software device, and so on. An ibdev or an address that a
 * real device of the machine has stays that device's. An iface is the interface of that name,
 * where there is one (device/iface.h).
 */
#ifndef DOCA_CORE_PROFILE_H
#define DOCA_CORE_PROFILE_H

#include <stdint.h>

struct doca_devinfo;

enum { PROFILE_MAX_DEVICES = 16 };

/*
 * The profile cannot be used; the first call has logged the reason. Listing devices
 * returns this errno in no other case.
 */
#define PROFILE_ERROR EBADSLT

/* Read the profile. Returns 0, -PROFILE_ERROR or -ENOMEM. Thread safe. */
int profile_load(void);

/* How many devices it names; 0 where there is none. After profile_load(). */
uint32_t profile_nr_devices(void);

/* Name the software devices of a list. After profile_load(). */
void profile_apply(struct doca_devinfo *infos, uint32_t n);

#endif /* DOCA_CORE_PROFILE_H */
