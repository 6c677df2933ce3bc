// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * How an operation is cut into pieces. A copy goes through slots, which both processes
 * have: what is written is copied there before the piece is sent, what is read when it
 * is back. So each side touches its own memory alone, by keys that it looks up at that
 * moment. An operation on a value is one piece, without a slot.
 */
#include "shim/kernel.h"

#include "access.h"
#include "memory.h"
#include "queue.h"
#include "relay.h"

/* What a segment names: a mapping here, or memory of an exporter. */
struct half {
	const struct doca_mapping *mapping;
	struct relay_memory *memory; /* NULL if it is here */
};

static u32 resolve(struct doca_queue *queue, const struct doca_seg *seg,
		   u32 access, struct half *half)
{
	struct doca_remote *remote;
	u32 status;

	status = doca_op_resolve(queue, seg, access, &half->mapping);
	half->memory = NULL;
	if (status != DOCA_STATUS_REMOTE)
		return status;
	remote = half->mapping->memory->remote;
	half->memory = relay_memory_of(remote);
	return access & ~remote->access ? DOCA_STATUS_BAD_ACCESS :
					  DOCA_STATUS_SUCCESS;
}

static u32 check_side(struct relay_op *op, const struct doca_op_side *side,
		      u32 access)
{
	struct half half;
	u32 status = DOCA_STATUS_SUCCESS;
	u32 i;

	for (i = 0; i < side->nr && !status; i++)
		status = resolve(op->queue, &side->segs[i], access, &half);
	return status;
}

/* The part of the segment at work from where it has got to, which is not empty. */
static struct doca_seg side_rest(struct doca_op_side *side)
{
	struct doca_seg seg;

	while (side->offset == side->segs[side->index].length) {
		side->index++;
		side->offset = 0;
	}
	seg = side->segs[side->index];
	seg.address += side->offset;
	seg.length -= side->offset;
	return seg;
}

/* Both are here, in a list of which others are not: what could be read is written. */
static u32 copy_here(struct relay_op *op, const struct half *from,
		     const struct doca_seg *src, const struct half *to,
		     const struct doca_seg *dst)
{
	char stage[512];
	u32 length = min_t(u32, src->length, sizeof(stage));
	u32 got = length -
		  doca_mapping_read(from->mapping, src->address, stage, length);
	u32 put =
		got - doca_mapping_write(to->mapping, dst->address, stage, got);

	op->op.src.offset += length;
	op->op.dst.offset += length;
	op->sent += length;
	op->op.done += put;
	return put < length ? DOCA_STATUS_BAD_MEMORY : DOCA_STATUS_SUCCESS;
}

/* One segment of the other side, with its key there. */
static struct doca_seg there(const struct half *half,
			     const struct doca_seg *seg)
{
	struct doca_seg other = *seg;

	other.key = half->memory->import.key;
	return other;
}

/* There will be one, unless the connection has ended. */
static u32 no_piece(const struct half *half)
{
	return link_is_dead(half->memory->import.link) ? DOCA_STATUS_BAD_KEY :
							 DOCA_STATUS_AGAIN;
}

static u32 send_write(struct relay_op *op, const struct half *from,
		      const struct doca_seg *src, const struct half *to,
		      const struct doca_seg *dst)
{
	struct doca_sqe sqe = { .opcode = DOCA_OP_MEMCPY };
	struct piece *piece;

	piece = link_take(to->memory->import.link, PIECE_SLOT, op);
	if (!piece)
		return no_piece(to);
	list_add_tail(&piece->node, &op->pieces);
	piece->local = *src;
	if (doca_mapping_read(from->mapping, src->address, piece->slot,
			      src->length)) {
		link_give(piece);
		return DOCA_STATUS_BAD_MEMORY;
	}
	sqe.src = link_slot(piece, src->length);
	sqe.dst = there(to, dst);
	link_put_entry(piece, &sqe);
	return DOCA_STATUS_SUCCESS;
}

static u32 send_read(struct relay_op *op, const struct half *from,
		     const struct doca_seg *src, const struct doca_seg *dst)
{
	struct doca_sqe sqe = { .opcode = DOCA_OP_MEMCPY };
	struct piece *piece;

	piece = link_take(from->memory->import.link, PIECE_SLOT, op);
	if (!piece)
		return no_piece(from);
	list_add_tail(&piece->node, &op->pieces);
	piece->local = *dst;
	piece->read = true;
	sqe.src = there(from, src);
	sqe.dst = link_slot(piece, src->length);
	link_put_entry(piece, &sqe);
	return DOCA_STATUS_SUCCESS;
}

/* The next piece. DOCA_STATUS_AGAIN: there is none to be had. */
static u32 send_piece(struct relay_op *op)
{
	struct doca_seg src = side_rest(&op->op.src);
	struct doca_seg dst = side_rest(&op->op.dst);
	struct half from, to;
	u32 status;

	status = resolve(op->queue, &src, DOCA_ACCESS_LOCAL_READ, &from) ?:
			 resolve(op->queue, &dst, DOCA_ACCESS_LOCAL_WRITE, &to);
	if (status)
		return status;
	src.length = min3(src.length, dst.length, (u32)WIRE_SLOT_SIZE);
	dst.length = src.length;
	if (from.memory && to.memory)
		return DOCA_STATUS_NOT_SUPPORTED;
	if (!from.memory && !to.memory)
		return copy_here(op, &from, &src, &to, &dst);
	status = from.memory ? send_read(op, &from, &src, &dst) :
			       send_write(op, &from, &src, &to, &dst);
	if (status)
		return status;
	op->op.src.offset += src.length;
	op->op.dst.offset += src.length;
	op->sent += src.length;
	return DOCA_STATUS_SUCCESS;
}

static u32 value_access(u16 opcode)
{
	switch (opcode) {
	case DOCA_OP_SYNC_SET:
		return DOCA_ACCESS_LOCAL_WRITE;
	case DOCA_OP_SYNC_ADD:
		return DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE;
	default:
		return DOCA_ACCESS_LOCAL_READ;
	}
}

/* Waits take long, so no operation waits for a piece of theirs; but some may be back. */
static struct piece *take_value(struct relay_op *op, struct link *link,
				bool wait)
{
	enum piece_class class = wait ? PIECE_WAIT : PIECE_VALUE;
	struct piece *piece = link_take(link, class, op);

	if (piece || !wait)
		return piece;
	link_reap(link, op);
	return link_take(link, class, op);
}

/*
 * The piece of an operation on a value, whose row has checked all of the entry but the
 * access.
 */
static u32 send_value(struct relay_op *op)
{
	struct doca_sqe sqe = op->op.sqe;
	u32 access = value_access(sqe.opcode);
	struct doca_seg *seg = access & DOCA_ACCESS_LOCAL_WRITE ? &sqe.dst :
								  &sqe.src;
	bool wait = sqe.opcode >= DOCA_OP_SYNC_WAIT_GT;
	struct piece *piece;
	struct half half;
	u32 status;

	status = resolve(op->queue, seg, access, &half);
	if (status)
		return status;
	/* The key named memory of another when the row looked, and may have changed. */
	if (!half.memory)
		return DOCA_STATUS_BAD_KEY;
	piece = take_value(op, half.memory->import.link, wait);
	if (!piece) {
		status = no_piece(&half);
		return wait && status == DOCA_STATUS_AGAIN ?
			       DOCA_STATUS_BAD_WAIT :
			       status;
	}
	*seg = there(&half, seg);
	list_add_tail(&piece->node, &op->pieces);
	link_put_entry(piece, &sqe);
	link_flush(piece->link);
	op->sent = op->op.length;
	return DOCA_STATUS_SUCCESS;
}

static struct link *last_link(const struct relay_op *op)
{
	return list_entry(op->pieces.prev, struct piece, node)->link;
}

/* All that are to be had, as far as one step goes. */
static u32 send_pieces(struct relay_op *op)
{
	u64 end = min(op->op.length, op->sent + DOCA_OP_STEP_LENGTH);
	struct link *link = NULL;
	u32 status = DOCA_STATUS_SUCCESS;

	while (op->sent < end && !status) {
		status = send_piece(op);
		if (list_empty(&op->pieces))
			continue;
		if (link && link != last_link(op))
			link_flush(link);
		link = last_link(op);
	}
	if (link)
		link_flush(link);
	return status;
}

/* It is back: what was read goes to where it is wanted. */
static u32 take_piece(struct relay_op *op, const struct piece *piece)
{
	const struct doca_seg *seg = &piece->local;
	struct half to;
	u32 status;

	if (piece->status)
		return piece->status;
	if (!piece->slot) {
		op->op.result[0] = piece->result;
		if (value_access(op->op.sqe.opcode) & DOCA_ACCESS_LOCAL_WRITE)
			op->op.done = sizeof(u64);
		return DOCA_STATUS_SUCCESS;
	}
	if (piece->read) {
		status = resolve(op->queue, seg, DOCA_ACCESS_LOCAL_WRITE, &to);
		if (status)
			return status;
		if (doca_mapping_write(to.mapping, seg->address, piece->slot,
				       seg->length))
			return DOCA_STATUS_BAD_MEMORY;
	}
	op->op.done += seg->length;
	return DOCA_STATUS_SUCCESS;
}

/* Those that are back, and those that never will be. */
static void take_pieces(struct relay_op *op)
{
	struct piece *piece, *next;
	struct link *seen = NULL;
	u32 left = DOCA_OP_STEP_LENGTH / WIRE_SLOT_SIZE;
	u32 status;

	list_for_each_entry_safe(piece, next, &op->pieces, node) {
		if (piece->link != seen) {
			seen = piece->link;
			link_reap(seen, op);
		}
		if (smp_load_acquire(&piece->state) == PIECE_DONE) {
			if (!left--)
				return;
			status = take_piece(op, piece);
			link_give(piece);
		} else if (link_is_dead(piece->link)) {
			status = DOCA_STATUS_BAD_KEY;
			link_lose(piece);
		} else {
			continue;
		}
		op->status = op->status ?: status;
	}
}

static u32 send(struct relay_op *op)
{
	u32 status = op->op.sqe.opcode == DOCA_OP_MEMCPY ? send_pieces(op) :
							   send_value(op);

	return status == DOCA_STATUS_AGAIN ? DOCA_STATUS_SUCCESS : status;
}

u32 relay_step(struct relay_op *op)
{
	/* What is back may be of others, or lost: then it is free. */
	if (op->starved) {
		link_reap(op->starved, op);
		link_forget(op->starved, op);
	}
	take_pieces(op);
	if (!op->status && op->sent < op->op.length)
		op->status = send(op);
	/* What was begun is waited for: it is seen to the end, or lost with the link. */
	if (!list_empty(&op->pieces))
		return DOCA_STATUS_AGAIN;
	if (op->status)
		return op->status;
	return op->sent < op->op.length ? DOCA_STATUS_AGAIN :
					  DOCA_STATUS_SUCCESS;
}

void relay_forget(struct relay_op *op)
{
	struct piece *piece, *next;

	if (op->starved)
		link_forget(op->starved, op);
	list_for_each_entry_safe(piece, next, &op->pieces, node)
		link_lose(piece);
}

/* First asked for, then looked for: what comes in between kicks the operation. */
bool relay_arm(struct relay_op *op)
{
	struct link *seen = NULL;
	struct piece *piece;
	bool there = false;

	list_for_each_entry(piece, &op->pieces, node) {
		if (piece->link == seen)
			continue;
		seen = piece->link;
		there |= link_arm(seen, op);
	}
	if (op->starved)
		there |= link_arm(op->starved, op);
	/* A step may have left some for the next. */
	list_for_each_entry(piece, &op->pieces, node)
		there |= smp_load_acquire(&piece->state) == PIECE_DONE;
	return there;
}

static u32 begin_copy(struct relay_op *op, const struct doca_op *from)
{
	const struct doca_sqe *sqe = &from->sqe;
	struct doca_op *own = &op->op;
	bool fits;
	u32 status;

	/* What has come here by the short way was not loaded. */
	status =
		doca_op_load_side(op->queue, &own->src, &sqe->src, sqe->flags & DOCA_SQE_SRC_LIST) ?:
			doca_op_load_side(op->queue, &own->dst, &sqe->dst,
					  sqe->flags & DOCA_SQE_DST_LIST);
	if (status)
		return status;
	fits = own->src.length <= DOCA_OP_MAX_LENGTH &&
	       own->src.length <= own->dst.length;
	status = check_side(op, &own->src, DOCA_ACCESS_LOCAL_READ) ?:
			 check_side(op, &own->dst, DOCA_ACCESS_LOCAL_WRITE);
	if (status)
		return status;
	if (!fits)
		return DOCA_STATUS_BAD_LENGTH;
	own->length = own->src.length;
	return DOCA_STATUS_AGAIN;
}

static u32 begin_value(struct relay_op *op)
{
	u32 status;

	op->op.length = sizeof(u64);
	status = send_value(op);
	return status == DOCA_STATUS_SUCCESS ? DOCA_STATUS_AGAIN : status;
}

/* There is nothing to be done, as there is not with memory that is here. */
static u32 begin_invalidate(struct relay_op *op)
{
	const struct doca_seg *dst = &op->op.sqe.dst;
	struct half half;
	u32 status;

	status = resolve(op->queue, dst, DOCA_ACCESS_LOCAL_WRITE, &half);
	if (!status && dst->length > DOCA_OP_MAX_LENGTH)
		status = DOCA_STATUS_BAD_LENGTH;
	return status;
}

static u32 begin(struct relay_op *op, const struct doca_op *from)
{
	switch (from->sqe.opcode) {
	case DOCA_OP_MEMCPY:
		return begin_copy(op, from);
	case DOCA_OP_INVALIDATE:
		return begin_invalidate(op);
	case DOCA_OP_SYNC_GET:
	case DOCA_OP_SYNC_SET:
	case DOCA_OP_SYNC_ADD:
	case DOCA_OP_SYNC_WAIT_GT:
	case DOCA_OP_SYNC_WAIT_EQ:
	case DOCA_OP_SYNC_WAIT_NE:
		return begin_value(op);
	default:
		return DOCA_STATUS_NOT_SUPPORTED;
	}
}

u32 relay_begin(struct relay_op *op, const struct doca_op *from)
{
	u32 status;

	op->op.sqe = from->sqe;
	op->op.length = 0;
	op->op.done = 0;
	op->op.result[0] = 0;
	status = begin(op, from);
	if (status == DOCA_STATUS_AGAIN)
		status = relay_step(op);
	return status == DOCA_STATUS_AGAIN ? DOCA_STATUS_PENDING : status;
}
