// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The lock of lockdep's that contexts have which others need. */
#include "nowait.h"

#ifdef CONFIG_LOCKDEP
static struct lock_class_key doca_nowait_key;

struct lockdep_map doca_nowait_map =
	STATIC_LOCKDEP_MAP_INIT("doca_nowait", &doca_nowait_key);
#endif
