/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * libonload_xdp on a fake interface: its replacement, and functions that control it. Call
 * these in one thread at a time, while others receive. The clock of the process advances
 * only on request, so that no lease ends because a machine is slow.
 */
#ifndef DOCA_TESTS_ONLOAD_LINK_H
#define DOCA_TESTS_ONLOAD_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "xsk/frame.h"
#include "xsk/xsk.h"

#define LINK_EXPORT __attribute__((visibility("default")))

/* Set properties of the interface for new sockets; @error also concerns open ones. */
LINK_EXPORT void link_set(enum xsk_mode mode, int attach_err, int error);
/* Advance the clock. */
LINK_EXPORT void link_pass(unsigned int ms);
/* Make calls that would wait in vain return at once, and advance the clock by their time. */
LINK_EXPORT void link_skip_waits(bool skip);
/* Set a function to call in each change of a rule. */
LINK_EXPORT void link_on_change(void (*in_map)(void));
/* Return the end of the longest lease, in ns of CLOCK_MONOTONIC; 0: there is none. */
LINK_EXPORT uint64_t link_lease(void);
/* Let a frame arrive. Return false if it goes to the kernel. */
LINK_EXPORT bool link_receive(const void *frame, uint32_t len);
/* Make descriptors of sockets that have nothing left unreadable. */
LINK_EXPORT void link_settle(void);
/* Return the number of rules, and of frames dropped for lack of room. */
LINK_EXPORT unsigned int link_rules(void);
LINK_EXPORT unsigned int link_dropped(void);
/* Return true if no program, socket or memory of one is left. */
LINK_EXPORT bool link_is_clean(void);

/* The function of lib/xsk/frame.h, exported for the test. */
LINK_EXPORT void link_complete(uint8_t *frame, uint32_t len);

#endif /* DOCA_TESTS_ONLOAD_LINK_H */
