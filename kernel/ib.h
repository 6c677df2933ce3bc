/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* RDMA devices as devices. Only ib.c knows the RDMA core; it is built if that is reachable. */
#ifndef DOCA_IB_H
#define DOCA_IB_H

#include <linux/kconfig.h>

/*
 * Devices may appear before doca_ib_init() returns, and are all unregistered when
 * doca_ib_exit() does. Both send notifications, so the netlink family is initialized
 * before and unregistered after.
 */
#if IS_REACHABLE(CONFIG_INFINIBAND)
int doca_ib_init(void);
void doca_ib_exit(void);
#else
static inline int doca_ib_init(void)
{
	return 0;
}

static inline void doca_ib_exit(void)
{
}
#endif

#endif /* DOCA_IB_H */
