// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "lib.h"

/* Do not link with it: it would stand before libibverbs. */
const struct cap dm_caps[] = {
	{ .name = "driver", .text_symbol = "open_doca_dm_driver" },
	{},
};
