/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The part of datapath.c that is at level 1.3. It has no header of any level. */
#ifndef SELFTESTS_API_DATAPATH_1_3_H
#define SELFTESTS_API_DATAPATH_1_3_H

#include <stdbool.h>

/* All that jobs need, and as many jobs, which are right. */
bool jobs_create(void);
bool jobs_run(unsigned long nr);

#endif
