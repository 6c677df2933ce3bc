/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Names for software devices from a profile (driver/profile.h): its first device is the first of
 * them in the list, and so on. An RDMA device of the machine keeps its name, and a listed one
 * its address. A device to which an administrator has given an address keeps name and address.
 */
#ifndef DOCA_CORE_NAMES_H
#define DOCA_CORE_NAMES_H

#include <stdint.h>

struct doca_devinfo;

/* Call it with a reference on the driver. */
void names_apply(struct doca_devinfo *infos, uint32_t n);

#endif /* DOCA_CORE_NAMES_H */
