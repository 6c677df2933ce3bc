/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Names: what a profile (driver/profile.h) calls software devices. Its first device is the
 * first of them in the list, and so on. A name that an RDMA device of the machine has stays that
 * device's, and so does an address of one that is listed. A device to which an administrator
 * has given an address keeps name and address.
 */
#ifndef DOCA_CORE_NAMES_H
#define DOCA_CORE_NAMES_H

#include <stdint.h>

struct doca_devinfo;

/* With a reference on the driver. */
void names_apply(struct doca_devinfo *infos, uint32_t n);

#endif /* DOCA_CORE_NAMES_H */
