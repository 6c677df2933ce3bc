// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The tables of operations. */
#include <linux/bits.h>

#include "dma/copy.h"
#include "op_object.h"
#include "ops/ops.h"

#ifdef DOCA_TEST_OPS
#define DOCA_OP_ROW_SLOW (&doca_op_slow)
#else
#define DOCA_OP_ROW_SLOW NULL
#endif

/* All rows; the row of MEMCPY is a parameter. */
#define DOCA_OP_ROWS(copy)                                                     \
	{                                                                      \
		[DOCA_OP_NOP] = &doca_op_nop,                                  \
		[DOCA_OP_MEMCPY] = &(copy),                                    \
		[DOCA_OP_INVALIDATE] = &doca_op_invalidate,                    \
		[DOCA_OP_SYNC_GET] = &doca_op_sync_get,                        \
		[DOCA_OP_SYNC_SET] = &doca_op_sync_set,                        \
		[DOCA_OP_SYNC_ADD] = &doca_op_sync_add,                        \
		[DOCA_OP_SYNC_WAIT_GT] = &doca_op_sync_wait_gt,                \
		[DOCA_OP_SYNC_WAIT_EQ] = &doca_op_sync_wait_eq,                \
		[DOCA_OP_SYNC_WAIT_NE] = &doca_op_sync_wait_ne,                \
		[DOCA_OP_HASH] = &doca_op_hash,                                \
		[DOCA_OP_DEFLATE] = &doca_op_deflate,                          \
		[DOCA_OP_INFLATE] = &doca_op_inflate,                          \
		[DOCA_OP_LZ4] = &doca_op_lz4,                                  \
		[DOCA_OP_GF_MATRIX] = &doca_op_gf_matrix,                      \
		[DOCA_OP_GCM_ENCRYPT] = &doca_op_gcm_encrypt,                  \
		[DOCA_OP_GCM_DECRYPT] = &doca_op_gcm_decrypt,                  \
		[DOCA_OP_MSG_SEND] = &doca_op_msg_send,                        \
		[DOCA_OP_POST_RECV] = &doca_op_post_recv,                      \
		[DOCA_OP_SEND_TO] = &doca_op_send_to,                          \
		[DOCA_OP_SLOW] = DOCA_OP_ROW_SLOW,                             \
	}

const struct doca_op_type *const doca_op_types[DOCA_OP_NR] =
	DOCA_OP_ROWS(doca_op_memcpy);

#if IS_ENABLED(CONFIG_DMA_ENGINE)
static const struct doca_op_type *const doca_op_types_dma[DOCA_OP_NR] =
	DOCA_OP_ROWS(doca_op_memcpy_dma);

const struct doca_op_type *const *
doca_op_types_of(const struct doca_engine *engine)
{
	return engine ? doca_op_types_dma : doca_op_types;
}
#else
const struct doca_op_type *const *
doca_op_types_of(const struct doca_engine *engine)
{
	return doca_op_types;
}
#endif

u64 doca_op_known(const struct doca_op_type *const *types)
{
	u64 opcodes = 0;
	unsigned int i;

	static_assert(DOCA_OP_LAST <= DOCA_OP_NR);
	for (i = 0; i < DOCA_OP_NR; i++)
		if (types[i])
			opcodes |= BIT_ULL(i);
	return opcodes;
}

u64 doca_op_executed(const struct doca_op_type *const *types, u64 opcodes)
{
	u64 executed = 0;
	unsigned int i;

	for (i = 0; i < DOCA_OP_NR; i++)
		if (opcodes & BIT_ULL(i) && doca_op_is_executed(types[i]))
			executed |= BIT_ULL(i);
	return executed;
}

const struct doca_op_object_type *doca_op_object_type(u32 number)
{
	const struct doca_op_object_type *object;
	unsigned int i;

	for (i = 0; i < DOCA_OP_NR; i++) {
		object = doca_op_types[i] ? doca_op_types[i]->object : NULL;
		if (object && object->number == number &&
		    doca_op_is_executed(doca_op_types[i]))
			return object;
	}
	return NULL;
}
