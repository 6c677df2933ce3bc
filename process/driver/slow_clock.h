/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The clock of SLOW in a process: what has been started comes back when a test says so. */
#ifndef INPROC_SLOW_CLOCK_H
#define INPROC_SLOW_CLOCK_H

#include <stdbool.h>

/* The time of the first one that was started and is not back: false if there is none. */
bool slow_clock_ring(void);
unsigned int slow_clock_nr(void);

#endif /* INPROC_SLOW_CLOCK_H */
