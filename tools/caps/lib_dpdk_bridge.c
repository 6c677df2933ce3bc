// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "lib.h"

/* It exists only where DPDK does, and is too large to link with. */
const struct cap dpdk_bridge_caps[] = {
	{ .name = "rep_port",
	  .flag_symbol = "doca_dpdk_cap_is_rep_port_supported" },
	{},
};
