/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The network interface of a device. An RDMA device has that of its port. A device in
 * software has one if a profile names it (driver/profile.h); the name that it has otherwise is
 * made up, and never stands for an interface that happens to be called so. It is asked for
 * each time, so an interface that is renamed, goes or comes is noticed.
 */
#ifndef DOCA_CORE_IFACE_H
#define DOCA_CORE_IFACE_H

#include "dev.h"
#include "netdev.h"

#define IFACE_NONE 256

/* 0, ENODEV if it has none in this network namespace, or another negative errno. */
DOCA_STABLE int doca_priv_iface_find(const struct doca_devinfo *devinfo,
				     struct netdev *netdev);

/*
 * The device, and why it has none, for a line of the log: in @text, which it returns. It asks
 * once more.
 */
DOCA_STABLE const char *doca_priv_iface_none(const struct doca_devinfo *devinfo,
					     char text[IFACE_NONE]);

#endif /* DOCA_CORE_IFACE_H */
