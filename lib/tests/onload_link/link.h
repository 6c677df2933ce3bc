/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * libonload_xdp over an interface that is made up: what stands for it in a test, and how
 * that moves it. One thread at a time, while others receive.
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
/* How much longer leases are good, in ns: a machine may be slow. */
LINK_EXPORT void link_be_patient(uint64_t ns);
/* How long a change of a rule takes, in us. */
LINK_EXPORT void link_be_slow(unsigned int us);
/* When the lease that is good for longest ends, of CLOCK_MONOTONIC in ns; 0: none is there. */
LINK_EXPORT uint64_t link_lease(void);
/* A frame arrives; false if it is the kernel's. */
LINK_EXPORT bool link_receive(const void *frame, uint32_t len);
/* Descriptors of sockets that have nothing any more are not readable. */
LINK_EXPORT void link_settle(void);
/* Rules that there are, sockets that are open, and frames for which there was no room. */
LINK_EXPORT unsigned int link_rules(void);
LINK_EXPORT unsigned int link_sockets(void);
LINK_EXPORT unsigned int link_dropped(void);
/* No program and no memory of sockets is left. */
LINK_EXPORT bool link_is_clean(void);

/* Of lib/xsk/frame.h, as the test has that from here. */
LINK_EXPORT void link_complete(uint8_t *frame, uint32_t len);

#endif /* DOCA_TESTS_ONLOAD_LINK_H */
