/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * libonload_xdp over an interface that is made up: what stands for it in a test, and how
 * that moves it. One thread at a time, while others receive. The clock of the process stands
 * still unless it is moved, so that no lease ends because a machine is slow.
 */
#ifndef DOCA_TESTS_ONLOAD_LINK_H
#define DOCA_TESTS_ONLOAD_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "xsk/frame.h"
#include "xsk/xsk.h"

#define LINK_EXPORT __attribute__((visibility("default")))

/* As it is for those that come now; @error is of what is open, too. */
LINK_EXPORT void link_set(enum xsk_mode mode, int attach_err, int error);
/* Let as much time pass. */
LINK_EXPORT void link_pass(unsigned int ms);
/* Have calls that would wait in vain return at once, when as much time has passed. */
LINK_EXPORT void link_skip_waits(bool skip);
/* Call this in each change of a rule. */
LINK_EXPORT void link_on_change(void (*in_map)(void));
/* When the lease that is good for longest ends, of CLOCK_MONOTONIC in ns; 0: none is there. */
LINK_EXPORT uint64_t link_lease(void);
/* A frame arrives; false if it is the kernel's. */
LINK_EXPORT bool link_receive(const void *frame, uint32_t len);
/* Descriptors of sockets that have nothing any more are not readable. */
LINK_EXPORT void link_settle(void);
/* Rules that there are, and frames for which there was no room. */
LINK_EXPORT unsigned int link_rules(void);
LINK_EXPORT unsigned int link_dropped(void);
/* No program, no socket and no memory of one is left. */
LINK_EXPORT bool link_is_clean(void);

/* Of lib/xsk/frame.h, as the test has that from here. */
LINK_EXPORT void link_complete(uint8_t *frame, uint32_t len);

#endif /* DOCA_TESTS_ONLOAD_LINK_H */
