/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A pair of interfaces of the running kernel: frames go from one end to the other, in a network
 * namespace of its own. For users that may make one.
 */
#ifndef DOCA_TESTS_WIRE_H
#define DOCA_TESTS_WIRE_H

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

static inline bool enter_namespace(void)
{
	return !unshare(CLONE_NEWNET) &&
	       !system("ip link add wire0 type veth peer name wire1 2>/dev/null "
		       "&& sysctl -qw net.ipv6.conf.all.disable_ipv6=1 "
		       "&& ip link set wire0 up && ip link set wire1 up");
}

/* Return false if this machine or user cannot make it: nothing to test then. */
static inline bool make_wire(void)
{
	static bool tried, made;

	if (!tried)
		made = enter_namespace();
	tried = true;
	return made;
}

#define WIRE()                                                              \
	do {                                                                \
		if (!make_wire())                                           \
			SKIP("no network namespace of its own can be had"); \
	} while (0)

static inline bool has_program(void)
{
	return !system("ip -d link show wire0 | grep -q prog/xdp");
}

#endif /* DOCA_TESTS_WIRE_H */
