/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Representors stand for functions and machines beside a device: for a host's device that is paired
 * with it, or for a target. Of two with the same VUID the first is listed. A devinfo is an element
 * of a list; an open representor has a copy.
 */
#ifndef DOCA_CORE_REP_H
#define DOCA_CORE_REP_H

#include <doca_compat.h>
#include <doca_dev.h>

#include "core/driver/devinfo.h"

struct target;

struct doca_devinfo_rep {
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	struct target *target; /* counted; NULL if not from a target file */
	uint32_t function; /* the driver's id; 0: no pair */
	struct doca_devinfo host; /* pair as of the time when it was listed */
};

struct doca_dev_rep {
	struct doca_devinfo_rep info;
};

/* Return the target or NULL. It lives as long as the representor; _target_get() keeps it longer. */
static inline struct target *
doca_priv_rep_target(const struct doca_dev_rep *rep)
{
	return rep->info.target;
}

#endif /* DOCA_CORE_REP_H */
