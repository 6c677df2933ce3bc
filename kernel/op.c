// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The table of operations. */
#include <linux/bits.h>

#include "op.h"

const struct doca_op_type *const doca_op_types[DOCA_OP_NR] = {
	[DOCA_OP_NOP] = &doca_op_nop,
	[DOCA_OP_MEMCPY] = &doca_op_memcpy,
	[DOCA_OP_INVALIDATE] = &doca_op_invalidate,
	[DOCA_OP_SYNC_GET] = &doca_op_sync_get,
	[DOCA_OP_SYNC_SET] = &doca_op_sync_set,
	[DOCA_OP_SYNC_ADD] = &doca_op_sync_add,
	[DOCA_OP_SYNC_WAIT_GT] = &doca_op_sync_wait,
	[DOCA_OP_SYNC_WAIT_EQ] = &doca_op_sync_wait,
	[DOCA_OP_SYNC_WAIT_NE] = &doca_op_sync_wait,
#ifdef CONFIG_PROC_KCORE
	[DOCA_OP_GATHER] = &doca_op_gather,
#endif
#ifdef DOCA_TEST_OPS
	[DOCA_OP_SLOW] = &doca_op_slow,
#endif
};

u64 doca_op_executed(void)
{
	u64 opcodes = 0;
	unsigned int i;

	static_assert(DOCA_OP_LAST <= DOCA_OP_NR);
	for (i = 0; i < DOCA_OP_NR; i++)
		if (doca_op_types[i])
			opcodes |= BIT_ULL(i);
	return opcodes;
}
