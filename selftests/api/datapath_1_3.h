/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The part of datapath.c at level 1.3. It includes no header of any level. */
#ifndef SELFTESTS_API_DATAPATH_1_3_H
#define SELFTESTS_API_DATAPATH_1_3_H

#include <stdbool.h>

/* Make all that jobs need, and run @nr jobs; false if one was wrong. */
bool jobs_create(void);
bool jobs_run(unsigned long nr);

#endif
