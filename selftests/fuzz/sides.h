/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What an entry of an operation has; process/tests/test_ops.c holds the rows against it. */
#ifndef FUZZ_SIDES_H
#define FUZZ_SIDES_H

#include <linux/doca.h>
#include <stdbool.h>

static inline bool op_reads(unsigned int opcode)
{
	return opcode == DOCA_OP_MEMCPY || opcode == DOCA_OP_SYNC_GET ||
	       opcode >= DOCA_OP_SYNC_WAIT_GT;
}

static inline bool op_writes(unsigned int opcode)
{
	return opcode == DOCA_OP_MEMCPY || opcode == DOCA_OP_INVALIDATE ||
	       opcode == DOCA_OP_SYNC_SET || opcode == DOCA_OP_SYNC_ADD;
}

/* Words that are not 0. */
static inline unsigned int op_words(unsigned int opcode)
{
	if (opcode < DOCA_OP_SYNC_SET)
		return 0;
	return opcode < DOCA_OP_SYNC_WAIT_GT ? 1 : 2;
}

#endif /* FUZZ_SIDES_H */
