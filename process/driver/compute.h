/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The table of algorithms of other libraries, for process/driver/algo. */
#ifndef INPROC_COMPUTE_H
#define INPROC_COMPUTE_H

#include "process/compute/compute.h"

/* Have the table; load it if that was not tried yet. NULL: there is none. May sleep. */
const struct compute *compute_load(void);

/* The table that was loaded, or NULL. */
const struct compute *compute_get(void);

#endif
