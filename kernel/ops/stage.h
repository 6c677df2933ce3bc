/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Stages: linear memory of the driver, through which streams go piece by piece, however
 * the sides of the entry are cut, and whatever others write to them meanwhile.
 */
#ifndef DOCA_OPS_STAGE_H
#define DOCA_OPS_STAGE_H

#include "bytes.h"

/* Maximum bytes of a piece: a step reads one and writes one. */
#define DOCA_STAGE_SIZE SZ_64K

/**
 * struct doca_stage - the piece of the source that is being consumed
 * @at: first byte that is not consumed
 * @left: bytes from there on that are not consumed
 * @bytes: copied from the source
 */
struct doca_stage {
	u32 at;
	u32 left;
	u8 bytes[DOCA_STAGE_SIZE];
};

/*
 * Load and check both sides, of any length up to the limits; the stage is empty. As below,
 * memory of another process is DOCA_STATUS_NOT_SUPPORTED.
 */
u32 doca_stage_begin(struct doca_queue *queue, struct doca_op *op,
		     struct doca_stage *stage);

/* Return how many bytes of the source were not read yet. */
static inline u64 doca_stage_unread(const struct doca_op *op,
				    const struct doca_stage *stage)
{
	return op->length - op->result[1] - stage->left;
}

/* Read the next piece, up to @max bytes, if the one before is consumed. */
u32 doca_stage_fill(struct doca_queue *queue, struct doca_op *op,
		    struct doca_stage *stage, u32 max);

static inline const u8 *doca_stage_at(const struct doca_stage *stage)
{
	return stage->bytes + stage->at;
}

/*
 * Consume the piece but for its last @left bytes. Where the source ends for the operation they
 * may be more than there were.
 */
void doca_stage_consume(struct doca_op *op, struct doca_stage *stage, u32 left);

/* Write output to the destination: what fits, if it does not. */
u32 doca_stage_put(struct doca_queue *queue, struct doca_op *op,
		   const void *bytes, u32 length);

#endif
