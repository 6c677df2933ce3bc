/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Physical memory of this machine, to be read: what /proc/kcore shows, for processes that
 * may read that, and only if the administrator allows it. Not in kernels without
 * /proc/kcore.
 */
#ifndef DOCA_PHYSICAL_H
#define DOCA_PHYSICAL_H

#include <linux/kconfig.h>
#include <linux/types.h>

struct doca_memory_ops;

/* The parameter of the module. */
extern bool doca_physical_memory;

static inline bool doca_physical_is_offered(void)
{
	return IS_ENABLED(CONFIG_PROC_KCORE) && doca_physical_memory;
}

/* The kind, if it is offered. */
extern const struct doca_memory_ops doca_physical_ops;

/* The kernel may be locked down at any time, for good. */
bool doca_physical_is_locked_down(void);

#ifdef CONFIG_PROC_KCORE
int doca_physical_init(void);
void doca_physical_exit(void);
#else
static inline int doca_physical_init(void)
{
	return 0;
}

static inline void doca_physical_exit(void)
{
}
#endif

#endif
