/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The clock of SLOW in a process: started operations come back when a test says so. */
#ifndef INPROC_SLOW_CLOCK_H
#define INPROC_SLOW_CLOCK_H

#include <stdbool.h>

/* Complete the operation that was started first, or last; false if there is none. */
bool slow_clock_ring(void);
bool slow_clock_ring_last(void);
unsigned int slow_clock_nr(void);

#endif /* INPROC_SLOW_CLOCK_H */
