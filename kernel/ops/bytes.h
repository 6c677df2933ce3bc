/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The bytes of the sides of an entry, for operations that compute. */
#ifndef DOCA_OPS_BYTES_H
#define DOCA_OPS_BYTES_H

#include "backed.h"
#include "queue.h"

/* Maximum bytes that are taken at a time; the size of a stage. */
#define DOCA_BYTES_STAGE SZ_4K

struct doca_bytes {
	const void *at;
	u32 length;
};

/*
 * Copy both sides of the entry, and check everything that they name. A side without key
 * and length is none, of length 0.
 */
u32 doca_bytes_load(struct doca_queue *queue, struct doca_op *op);

/*
 * Take some of the next bytes of a side, which has @max or more, to read them: where they
 * are if the CPU reads them there, or else a copy in the stage. Both may change until the
 * next step.
 */
u32 doca_bytes_next(struct doca_queue *queue, struct doca_op_side *side,
		    void *stage, u32 max, struct doca_bytes *bytes);

/**
 * struct doca_place - where the next bytes of a side are
 * @at: address of those that the CPU reaches there
 * @length: their number, of one segment; 0 if they must be copied
 */
struct doca_place {
	void *at;
	u32 length;
};

/* Find where the next bytes of a side, which has some, are until the next step. */
u32 doca_bytes_place(struct doca_queue *queue, struct doca_op_side *side,
		     u32 access, struct doca_place *place);

/*
 * Take some of the next bytes of a side, which has @max or more: where they are, until the next
 * step, even if others use them. DOCA_STATUS_NOT_SUPPORTED if the CPU does not reach them,
 * DOCA_STATUS_BAD_MEMORY if their file has lost them.
 */
u32 doca_bytes_take(struct doca_queue *queue, struct doca_op_side *side,
		    u32 access, u32 max, struct doca_backed_side *at,
		    u32 *length);

/* Skip the next bytes of a side, which has as many. */
void doca_bytes_skip(struct doca_op_side *side, u32 length);

/*
 * Copy the next bytes of a side, or write them; the side moves on by those that were. The
 * caller has made sure that there are so many.
 */
u32 doca_bytes_read(struct doca_queue *queue, struct doca_op_side *side,
		    void *bytes, u32 length);
u32 doca_bytes_write(struct doca_queue *queue, struct doca_op_side *side,
		     const void *bytes, u32 length);

/* Return how many bytes of a side were taken or written so far. */
u64 doca_bytes_passed(const struct doca_op_side *side);

#endif
