/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The operations that are executed, and the operands of each; process/tests/test_ops.c
 * compares them with the rows.
 */
#ifndef FUZZ_SIDES_H
#define FUZZ_SIDES_H

#include <linux/doca.h>
#include <stdbool.h>
#include <string.h>

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
	{ .opcode = DOCA_OP_DEFLATE, .reads = true, .writes = true, .words = 1 },
	{ .opcode = DOCA_OP_INFLATE, .reads = true, .writes = true },
	{ .opcode = DOCA_OP_LZ4, .reads = true, .writes = true },
	{ .opcode = DOCA_OP_GF_MATRIX, .reads = true, .writes = true },
	{ .opcode = DOCA_OP_GCM_ENCRYPT, .reads = true, .writes = true, .words = 2 },
	{ .opcode = DOCA_OP_GCM_DECRYPT, .reads = true, .writes = true, .words = 2 },
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

#define FUZZ_SESSIONS 2

/* Give a hash what it needs, by the bits of a byte; most of them. */
static inline void form_hash(struct doca_sqe *sqe, unsigned char how)
{
	bool first = how & 1, last = how & 2;

	if (sqe->opcode != DOCA_OP_HASH || how & 0x80)
		return;
	sqe->flags |= (first ? DOCA_SQE_HASH_FIRST : 0) | (last ? DOCA_SQE_HASH_LAST : 0);
	sqe->aux = first && last ? 0 : 1 + (how >> 2) % FUZZ_SESSIONS;
	sqe->op[0] = 1 + (how >> 3) % DOCA_HASH_SHA512;
	if (!(sqe->flags & DOCA_SQE_SRC_LIST) && !last)
		sqe->src.length &= -128U;
	if (last)
		return;
	sqe->flags &= ~DOCA_SQE_DST_LIST;
	memset(&sqe->dst, 0, sizeof(sqe->dst));
}

#endif /* FUZZ_SIDES_H */
