/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The table of algorithms of other libraries, for process/driver/algo. */
#ifndef INPROC_COMPUTE_H
#define INPROC_COMPUTE_H

#include "process/compute/compute.h"

/*
 * Have the table; load it unless it is loaded. NULL: there is none now. May sleep; call it with no
 * lock held, for constructors of what is loaded may call us, in the same thread.
 */
const struct compute *compute_load(void);

/* The table that was loaded, or NULL. */
const struct compute *compute_get(void);

#endif
