// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "lib.h"

/* Linked with, it would stand before libibverbs. */
const struct cap dm_caps[] = {
	{ .name = "driver", .text_symbol = "open_doca_dm_driver" },
	{},
};
