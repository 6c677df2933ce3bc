/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The operations that are executed, and the operands of each; process/tests/test_ops.c
 * compares them with the rows.
 */
#ifndef FUZZ_SIDES_H
#define FUZZ_SIDES_H

#include <linux/doca.h>
#include <stdbool.h>

static const struct op_sides {
	unsigned int opcode;
	bool reads;
	bool writes;
	unsigned int words; /* number of words in op that may differ from 0 */
} op_sides[] = {
	{ .opcode = DOCA_OP_NOP },
	{ .opcode = DOCA_OP_MEMCPY, .reads = true, .writes = true },
	{ .opcode = DOCA_OP_INVALIDATE, .writes = true },
	{ .opcode = DOCA_OP_SYNC_GET, .reads = true },
	{ .opcode = DOCA_OP_SYNC_SET, .writes = true, .words = 1 },
	{ .opcode = DOCA_OP_SYNC_ADD, .writes = true, .words = 1 },
	{ .opcode = DOCA_OP_SYNC_WAIT_GT, .reads = true, .words = 2 },
	{ .opcode = DOCA_OP_SYNC_WAIT_EQ, .reads = true, .words = 2 },
	{ .opcode = DOCA_OP_SYNC_WAIT_NE, .reads = true, .words = 2 },
	{ .opcode = DOCA_OP_HASH, .reads = true, .writes = true, .words = 1 },
	{ .opcode = DOCA_OP_MSG_SEND, .reads = true, .words = 1 },
	{ .opcode = DOCA_OP_POST_RECV, .writes = true },
	{ .opcode = DOCA_OP_SEND_TO, .reads = true, .writes = true, .words = 2 },
};

#define NR_OPS (sizeof(op_sides) / sizeof(op_sides[0]))

/* An opcode that is not executed may have all operands. */
static inline struct op_sides op_sides_of(unsigned int opcode)
{
	for (unsigned int i = 0; i < NR_OPS; i++)
		if (op_sides[i].opcode == opcode)
			return op_sides[i];
	return (struct op_sides){ opcode, true, true, 2 };
}

#endif /* FUZZ_SIDES_H */
