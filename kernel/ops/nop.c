// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* NOP: there is nothing to do. */
#include "ops.h"

const struct doca_op_type doca_op_nop = {
	.name = "nop",
};
