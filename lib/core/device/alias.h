/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Aliases. A target file may name a device that this machine lacks, such as the mlx5_0 that
 * a program asks for. The first software device then gets that name as well: a further
 * entry of the list with the same id. If a device has the name, there is no alias.
 */
#ifndef DOCA_CORE_ALIAS_H
#define DOCA_CORE_ALIAS_H

#include <stdint.h>

struct doca_devinfo;

/* Like driver_list_devices(), with the profile's names, and aliases at the end. */
int alias_list_devices(struct doca_devinfo **infos, uint32_t *n);

#endif /* DOCA_CORE_ALIAS_H */
