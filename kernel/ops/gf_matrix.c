// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * GF_MATRIX: blocks of the destination are a matrix times blocks of the source. A step works
 * on the same range of all blocks, piece by piece: where a block's piece is contiguous it is
 * used where it is, and copied otherwise, so segments may be cut anywhere.
 */
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "algo/gf.h"
#include "bytes.h"
#include "flight.h"
#include "op_object.h"
#include "ops.h"

#define DOCA_GF_MAX_ROWS 32
#define DOCA_GF_MAX_COLUMNS 128
#define DOCA_GF_MAX_BLOCK SZ_16M
#define DOCA_GF_MAX_SOURCE SZ_1G

/* Bytes of all pieces that are copied, and of one piece. */
#define DOCA_GF_STAGE SZ_128K
#define DOCA_GF_PIECE SZ_4K

/* An object of DOCA_OP_GF_MATRIX. */
struct doca_gf_matrix {
	u32 rows;
	u32 columns;
	u8 tables[];
};

/**
 * struct doca_gf_block - progress in a block
 * @index: the segment, and
 * @offset: the offset in it, where the next piece begins
 * @place: the piece, if it is contiguous
 */
struct doca_gf_block {
	u32 index;
	u32 offset;
	struct doca_place place;
};

struct doca_gf_work {
	struct doca_gf_block src[DOCA_GF_MAX_COLUMNS];
	struct doca_gf_block dst[DOCA_GF_MAX_ROWS];
	const u8 *from[DOCA_GF_MAX_COLUMNS];
	u8 *to[DOCA_GF_MAX_ROWS];
	u8 stage[DOCA_GF_STAGE];
};

static const struct doca_gf_matrix *doca_gf_matrix(const struct doca_op *op)
{
	return (const void *)op->object->space;
}

/* Bytes of a block. */
static u32 doca_gf_length(const struct doca_op *op)
{
	return (u32)op->src.length / doca_gf_matrix(op)->columns;
}

/* Four rows at a time are read once. Never 0: a matrix has rows, which checkers do not know. */
static u32 doca_gf_passes(const struct doca_gf_matrix *matrix)
{
	return (matrix->rows - 1) / 4 + 1;
}

static void doca_gf_go_to(struct doca_op_side *side,
			  const struct doca_gf_block *block)
{
	side->index = block->index;
	side->offset = block->offset;
}

static void doca_gf_leave_at(const struct doca_op_side *side,
			     struct doca_gf_block *block)
{
	block->index = side->index;
	block->offset = side->offset;
}

/* Find the beginnings of @nr blocks of @length bytes. */
static void doca_gf_find(struct doca_op_side *side, struct doca_gf_block *block,
			 u32 nr, u32 length)
{
	u64 end = 0, at = 0;
	u32 i;

	for (i = 0; nr; i++) {
		end += side->segs[i].length;
		for (; nr && at < end; nr--, block++, at += length) {
			block->index = i;
			block->offset = at - (end - side->segs[i].length);
		}
	}
}

/* Find where the next pieces of the blocks are; *run becomes what is contiguous in all. */
static u32 doca_gf_locate(struct doca_queue *queue, struct doca_op_side *side,
			  u32 access, struct doca_gf_block *block, u32 nr,
			  u32 *run)
{
	u32 status = DOCA_STATUS_SUCCESS;

	for (; nr && !status; nr--, block++) {
		doca_gf_go_to(side, block);
		status = doca_bytes_place(queue, side, access, &block->place);
		doca_gf_leave_at(side, block);
		*run = min(*run, block->place.length);
	}
	return status;
}

/* Copy those pieces of the source that are not contiguous. */
static u32 doca_gf_read(struct doca_queue *queue, struct doca_op *op, u32 n)
{
	struct doca_gf_work *work = doca_queue_workspace(queue);
	u32 c, status = DOCA_STATUS_SUCCESS;
	u8 *stage = work->stage;

	for (c = 0; c < doca_gf_matrix(op)->columns && !status; c++) {
		struct doca_gf_block *block = &work->src[c];

		work->from[c] = block->place.at;
		if (block->place.length >= n) {
			block->offset += n;
			continue;
		}
		work->from[c] = stage;
		doca_gf_go_to(&op->src, block);
		status = doca_bytes_read(queue, &op->src, stage, n);
		doca_gf_leave_at(&op->src, block);
		stage += n;
	}
	return status;
}

/* Where pieces of the destination are not contiguous, they are made at the end of the stage. */
static void doca_gf_aim(struct doca_queue *queue, const struct doca_op *op,
			u32 n)
{
	struct doca_gf_work *work = doca_queue_workspace(queue);
	u32 r;

	for (r = 0; r < doca_gf_matrix(op)->rows; r++)
		work->to[r] = work->dst[r].place.length >= n ?
				      work->dst[r].place.at :
				      work->stage + DOCA_GF_STAGE - (r + 1) * n;
}

/* Copy from there. */
static u32 doca_gf_write(struct doca_queue *queue, struct doca_op *op, u32 n)
{
	struct doca_gf_work *work = doca_queue_workspace(queue);
	u32 r, status = DOCA_STATUS_SUCCESS;

	for (r = 0; r < doca_gf_matrix(op)->rows && !status; r++) {
		struct doca_gf_block *block = &work->dst[r];

		if (block->place.length >= n) {
			block->offset += n;
			continue;
		}
		doca_gf_go_to(&op->dst, block);
		status = doca_bytes_write(queue, &op->dst, work->to[r], n);
		doca_gf_leave_at(&op->dst, block);
	}
	return status;
}

static u32 doca_gf_multiply_piece(struct doca_queue *queue, struct doca_op *op,
				  u32 n)
{
	const struct doca_gf_matrix *matrix = doca_gf_matrix(op);
	struct doca_gf_work *work = doca_queue_workspace(queue);
	const struct doca_gf_product product = {
		.tables = matrix->tables,
		.rows = matrix->rows,
		.columns = matrix->columns,
		.stride = matrix->columns,
		.src = work->from,
		.dst = work->to,
	};
	u32 status = doca_gf_read(queue, op, n);

	if (status)
		return status;
	doca_gf_aim(queue, op, n);
	doca_gf_multiply(&product, 0, n);
	return doca_gf_write(queue, op, n);
}

/* Multiply up to @max bytes of each block; *n becomes the number. */
static u32 doca_gf_piece(struct doca_queue *queue, struct doca_op *op, u32 max,
			 u32 *n)
{
	const struct doca_gf_matrix *matrix = doca_gf_matrix(op);
	struct doca_gf_work *work = doca_queue_workspace(queue);
	u32 staged = min(DOCA_GF_STAGE / (matrix->rows + matrix->columns),
			 (u32)DOCA_GF_PIECE);
	u32 run = max;
	u32 status;

	status = doca_gf_locate(queue, &op->src, DOCA_ACCESS_LOCAL_READ,
				work->src, matrix->columns, &run);
	if (status)
		return status;
	status = doca_gf_locate(queue, &op->dst, DOCA_ACCESS_LOCAL_WRITE,
				work->dst, matrix->rows, &run);
	if (status)
		return status;
	*n = round_down(max(run, min(max, staged)), DOCA_GF_UNIT);
	return doca_gf_multiply_piece(queue, op, *n);
}

static u32 doca_gf_end(struct doca_op *op, u32 status)
{
	/* The memory is another process's. */
	if (status == DOCA_STATUS_START)
		status = DOCA_STATUS_NOT_SUPPORTED;
	if (!status)
		op->done = op->length;
	doca_op_object_put(op);
	return status;
}

static u32 doca_gf_step(struct doca_queue *queue, struct doca_op *op)
{
	const struct doca_gf_matrix *matrix = doca_gf_matrix(op);
	u32 budget =
		DOCA_OP_STEP_LENGTH / doca_gf_passes(matrix) / matrix->columns;
	u32 left = min_t(u64, round_down(budget, DOCA_GF_UNIT),
			 doca_gf_length(op) - op->cursor);
	u32 n, status = DOCA_STATUS_SUCCESS;

	for (; left && !status; left -= n) {
		status = doca_gf_piece(queue, op, left, &n);
		if (status)
			break;
		op->cursor += n;
		op->result[1] += (u64)n * matrix->columns;
		/* So much is written from the beginning on without a gap. */
		op->done = op->cursor;
	}
	if (!status && op->cursor < doca_gf_length(op))
		return DOCA_STATUS_AGAIN;
	return doca_gf_end(op, status);
}

static bool doca_gf_fits(const struct doca_op *op)
{
	const struct doca_gf_matrix *matrix = doca_gf_matrix(op);
	u32 length;

	if (!op->src.length || op->src.length > DOCA_GF_MAX_SOURCE)
		return false;
	length = doca_gf_length(op);
	return (u64)length * matrix->columns == op->src.length &&
	       !(length % DOCA_GF_UNIT) && length <= DOCA_GF_MAX_BLOCK &&
	       op->dst.length >= (u64)length * matrix->rows;
}

/* Everything is checked before the first byte is read. */
static u32 doca_gf_begin(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_gf_work *work = doca_queue_workspace(queue);
	const struct doca_gf_matrix *matrix;
	u32 status;

	status = doca_op_object_get(queue, op) ?: doca_bytes_load(queue, op);
	if (status)
		return status;
	if (!doca_gf_fits(op))
		return DOCA_STATUS_BAD_LENGTH;
	matrix = doca_gf_matrix(op);
	op->length = (u64)doca_gf_length(op) * matrix->rows;
	op->cursor = 0;
	doca_gf_find(&op->src, work->src, matrix->columns, doca_gf_length(op));
	doca_gf_find(&op->dst, work->dst, matrix->rows, doca_gf_length(op));
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_gf_prepare(struct doca_queue *queue, struct doca_op *op)
{
	u32 status = doca_gf_begin(queue, op);
	u64 work;

	if (status)
		return doca_gf_end(op, status);
	work = op->src.length * doca_gf_passes(doca_gf_matrix(op));
	if (work > DOCA_OP_SMALL_LENGTH)
		return DOCA_STATUS_AGAIN;
	op->cost = work;
	return doca_gf_step(queue, op);
}

static int doca_gf_matrix_size(const struct doca_object_create *arg)
{
	u32 nr = (u32)arg->rows * arg->columns;

	if (!nr || arg->length != nr)
		return -EINVAL;
	if (arg->rows > DOCA_GF_MAX_ROWS || arg->columns > DOCA_GF_MAX_COLUMNS)
		return -ERANGE;
	return sizeof(struct doca_gf_matrix) + nr * DOCA_GF_TABLE;
}

static int doca_gf_matrix_create(void *space,
				 const struct doca_object_create *arg,
				 const void *data)
{
	struct doca_gf_matrix *matrix = space;

	matrix->rows = arg->rows;
	matrix->columns = arg->columns;
	doca_gf_tables(matrix->tables, data, arg->length);
	return 0;
}

static const struct doca_op_object_type doca_gf_matrix_type = {
	.number = DOCA_OBJECT_GF_MATRIX,
	.size = doca_gf_matrix_size,
	.create = doca_gf_matrix_create,
};

const struct doca_op_type doca_op_gf_matrix = {
	.name = "gf_matrix",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
	.aux = DOCA_AUX_OBJECT,
	.object = &doca_gf_matrix_type,
	.max_src = DOCA_GF_MAX_SOURCE,
	.max_dst = DOCA_GF_MAX_ROWS * DOCA_GF_MAX_BLOCK,
	.unit = DOCA_GF_UNIT,
	.max_block = DOCA_GF_MAX_BLOCK,
	.max_rows = DOCA_GF_MAX_ROWS,
	.max_columns = DOCA_GF_MAX_COLUMNS,
	.prepare = doca_gf_prepare,
	.step = doca_gf_step,
	.workspace = sizeof(struct doca_gf_work),
};
