// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Cut an operation into pieces; its row says how. The bytes of a copy go through slots, which
 * both processes have: bytes to be written are copied there before the piece is sent, bytes
 * that were read when it is back. So each side touches its own memory alone, by keys that it
 * looks up at that moment. Other operations are one piece, without a slot: their entry, with
 * the owner's key, which the owner executes.
 */
#include "shim/kernel.h"

#include "access.h"
#include "memory.h"
#include "ops/memcpy.h"
#include "queue.h"
#include "relay.h"

/* The memory that a segment names: a mapping here, or memory of an exporter. */
struct half {
	const struct doca_mapping *mapping;
	struct relay_memory *memory; /* NULL if it is here */
};

static struct doca_op *op_of(struct relay_op *op)
{
	return &op->flight->op;
}

static u32 resolve(struct doca_queue *queue, const struct doca_seg *seg,
		   u32 access, struct half *half)
{
	struct doca_remote *remote;
	u32 status;

	status = doca_op_resolve(queue, seg, access, &half->mapping);
	half->memory = NULL;
	if (status && status != DOCA_STATUS_START)
		return status;
	remote = half->mapping->memory->remote;
	if (!remote)
		return DOCA_STATUS_SUCCESS;
	half->memory = relay_memory_of(remote);
	return access & ~remote->access ? DOCA_STATUS_BAD_ACCESS :
					  DOCA_STATUS_SUCCESS;
}

static u32 check_side(struct doca_queue *queue, const struct doca_op_side *side,
		      u32 access)
{
	struct half half;
	u32 status = DOCA_STATUS_SUCCESS;
	u32 i;

	for (i = 0; i < side->nr && !status; i++)
		status = resolve(queue, &side->segs[i], access, &half);
	return status;
}

/* Return the rest of the current segment, which is not empty. */
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

/* Both sides advance by one piece. */
static void advance(struct relay_op *op, u32 length)
{
	op_of(op)->src.offset += length;
	op_of(op)->dst.offset += length;
	op->sent += length;
}

/* Copy a part with both sides here, in a list with other parts that are not. */
static u32 copy_here(struct relay_op *op, const struct half *from,
		     const struct doca_seg *src, const struct half *to,
		     const struct doca_seg *dst)
{
	u32 left = doca_copy_bytes(to->mapping, dst->address, from->mapping,
				   src->address, src->length);

	advance(op, src->length);
	op_of(op)->done += src->length - left;
	return left ? DOCA_STATUS_BAD_MEMORY : DOCA_STATUS_SUCCESS;
}

/* Return a segment of the other side, with its key there. */
static struct doca_seg there(const struct half *half,
			     const struct doca_seg *seg)
{
	struct doca_seg other = *seg;

	other.key = half->memory->import.key;
	return other;
}

/* There will be a piece, unless the connection has ended. */
static u32 no_piece(const struct relay_op *op)
{
	return op->starved ? DOCA_STATUS_AGAIN : DOCA_STATUS_BAD_KEY;
}

static u32 send_write(struct relay_op *op, const struct half *from,
		      const struct doca_seg *src, const struct half *to,
		      const struct doca_seg *dst)
{
	struct doca_sqe sqe = { .opcode = DOCA_OP_MEMCPY };
	struct piece *piece;

	piece = link_take(to->memory->import.link, PIECE_SLOT, op, src->length);
	if (!piece)
		return no_piece(op);
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

	piece = link_take(from->memory->import.link, PIECE_SLOT, op,
			  src->length);
	if (!piece)
		return no_piece(op);
	piece->local = *dst;
	piece->read = true;
	sqe.src = there(from, src);
	sqe.dst = link_slot(piece, src->length);
	link_put_entry(piece, &sqe);
	return DOCA_STATUS_SUCCESS;
}

/* Send the next piece; DOCA_STATUS_AGAIN if none is free. */
static u32 send_piece(struct doca_queue *queue, struct relay_op *op)
{
	struct doca_seg src = side_rest(&op_of(op)->src);
	struct doca_seg dst = side_rest(&op_of(op)->dst);
	struct half from, to;
	u32 status;

	status = resolve(queue, &src, DOCA_ACCESS_LOCAL_READ, &from) ?:
			 resolve(queue, &dst, DOCA_ACCESS_LOCAL_WRITE, &to);
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
	if (!status)
		advance(op, src.length);
	return status;
}

/* Send pieces while there are free ones, within one step. */
static u32 send_pieces(struct doca_queue *queue, struct relay_op *op)
{
	u64 end = min(op->length, op->sent + DOCA_OP_STEP_LENGTH);
	u32 status = DOCA_STATUS_SUCCESS;

	while (op->sent < end && !status)
		status = send_piece(queue, op);
	return status;
}

/* Waits take long, so no operation starves for their pieces; but some may be back. */
static struct piece *take_value(struct relay_op *op, struct link *link,
				bool wait)
{
	enum piece_class class = wait ? PIECE_WAIT : PIECE_VALUE;
	struct piece *piece = link_take(link, class, op, 0);

	if (piece || !wait)
		return piece;
	link_reap(link);
	return link_take(link, class, op, 0);
}

/*
 * Have the owner execute the entry. Its only side is the owner's memory; the owner checks
 * it, and the row has checked the rest.
 */
static u32 send_entry(struct doca_queue *queue, struct relay_op *op)
{
	struct doca_sqe sqe = op_of(op)->sqe;
	const struct doca_op_type *type = queue->types[sqe.opcode];
	struct doca_seg *seg = type->max_dst ? &sqe.dst : &sqe.src;
	struct piece *piece;
	struct half half;
	u32 status;

	status = resolve(queue, seg, 0, &half);
	if (status)
		return status;
	/* The key named another process's memory when the row looked, but it may have changed. */
	if (!half.memory)
		return DOCA_STATUS_BAD_KEY;
	piece = take_value(op, half.memory->import.link, type->look);
	if (!piece && type->look && !link_is_dead(half.memory->import.link))
		return DOCA_STATUS_BAD_WAIT;
	if (!piece)
		return no_piece(op);
	*seg = there(&half, seg);
	piece->local = *seg;
	link_put_entry(piece, &sqe);
	op->sent = op->length;
	return DOCA_STATUS_SUCCESS;
}

/* Take the owner's answer; its length may be anything. */
static u32 take_entry(struct doca_queue *queue, struct relay_op *op,
		      const struct piece *piece)
{
	struct doca_op *own = op_of(op);

	own->result[0] = piece->result[0];
	own->result[1] = piece->result[1];
	own->done = min(piece->length, (u64)piece->local.length);
	return DOCA_STATUS_SUCCESS;
}

/* Move bytes that were read to their destination. */
static u32 take_bytes(struct doca_queue *queue, struct relay_op *op,
		      const struct piece *piece)
{
	const struct doca_seg *seg = &piece->local;
	struct half to;
	u32 status;

	if (piece->read) {
		status = resolve(queue, seg, DOCA_ACCESS_LOCAL_WRITE, &to);
		if (status)
			return status;
		/* The key may have been reused meanwhile. */
		if (to.memory)
			return DOCA_STATUS_BAD_KEY;
		if (doca_mapping_write(to.mapping, seg->address, piece->slot,
				       seg->length))
			return DOCA_STATUS_BAD_MEMORY;
	}
	op_of(op)->done += seg->length;
	return DOCA_STATUS_SUCCESS;
}

/* By the row's @remote: how to send the rest, and how to take a piece that is back. */
static const struct relay_way {
	u32 (*send)(struct doca_queue *queue, struct relay_op *op);
	u32 (*take)(struct doca_queue *queue, struct relay_op *op,
		    const struct piece *piece);
} ways[] = {
	[DOCA_REMOTE_SENT] = { send_entry, take_entry },
	[DOCA_REMOTE_MOVED] = { send_pieces, take_bytes },
};

static const struct relay_way *way_of(const struct doca_queue *queue,
				      struct relay_op *op)
{
	return &ways[queue->types[op_of(op)->sqe.opcode]->remote];
}

static bool is_done(const struct piece *piece)
{
	return smp_load_acquire(&piece->state) == PIECE_DONE;
}

/* Take the pieces that are back, within one step. */
static void take_pieces(struct doca_queue *queue, struct relay_op *op)
{
	u32 left = DOCA_OP_STEP_LENGTH / WIRE_SLOT_SIZE;
	struct piece *piece, *next;
	u32 status;

	list_for_each_entry_safe(piece, next, &op->pieces, node) {
		if (!is_done(piece))
			continue;
		if (!left--)
			return;
		status = piece->status ?:
				 way_of(queue, op)->take(queue, op, piece);
		op->status = op->status ?: status;
		link_give(piece);
	}
}

static void step(struct doca_queue *queue, struct relay_op *op)
{
	u64 done = op_of(op)->done + op->sent;
	u32 status;

	take_pieces(queue, op);
	if (op->starved && !link_begin_turn(op, op->status))
		goto out;
	if (!op->status && op->sent < op->length) {
		status = way_of(queue, op)->send(queue, op);
		if (status != DOCA_STATUS_AGAIN)
			op->status = status;
	}
	if (op->turn)
		link_end_turn(op);
out:
	op_of(op)->cost = op_of(op)->done + op->sent - done;
}

/* Return true if there is more to do before the next answer. */
static bool has_more(const struct relay_op *op)
{
	struct piece *piece;

	list_for_each_entry(piece, &op->pieces, node)
		if (is_done(piece))
			return true;
	return list_empty(&op->pieces) && !op->starved;
}

/* Pieces in flight are waited for: each ends, or is lost with the link. */
static bool is_over(const struct relay_op *op)
{
	return list_empty(&op->pieces) &&
	       (op->status || op->sent == op->length);
}

static u32 check_copy(struct doca_queue *queue, struct relay_op *op)
{
	struct doca_op *own = op_of(op);
	const struct doca_sqe *sqe = &own->sqe;
	bool fits;
	u32 status;

	/* A copy that has come here by the short way was not loaded. */
	status =
		doca_op_load_side(queue, &own->src, &sqe->src, sqe->flags & DOCA_SQE_SRC_LIST) ?:
			doca_op_load_side(queue, &own->dst, &sqe->dst,
					  sqe->flags & DOCA_SQE_DST_LIST);
	if (status)
		return status;
	fits = own->src.length <= DOCA_OP_MAX_LENGTH &&
	       own->src.length <= own->dst.length;
	status = check_side(queue, &own->src, DOCA_ACCESS_LOCAL_READ) ?:
			 check_side(queue, &own->dst, DOCA_ACCESS_LOCAL_WRITE);
	if (status)
		return status;
	if (!fits)
		return DOCA_STATUS_BAD_LENGTH;
	op->length = own->src.length;
	return DOCA_STATUS_SUCCESS;
}

static u32 begin(struct doca_queue *queue, struct relay_op *op)
{
	switch (queue->types[op_of(op)->sqe.opcode]->remote) {
	case DOCA_REMOTE_SENT:
		op->length = 1;
		return DOCA_STATUS_SUCCESS;
	case DOCA_REMOTE_MOVED:
		return check_copy(queue, op);
	default:
		return DOCA_STATUS_NOT_SUPPORTED;
	}
}

static void init(struct doca_queue *queue, struct doca_flight *flight)
{
	struct relay_op *op = relay_op_of(flight);

	*op = (struct relay_op){
		.flight = flight,
		.space = doca_flight_space(flight),
	};
	INIT_LIST_HEAD(&op->pieces);
	flight->op.done = 0;
	op->status = begin(queue, op);
	if (op->status)
		op->length = 0;
}

u32 relay_start(struct doca_queue *queue, struct doca_flight *flight)
{
	struct relay_op *op = relay_op_of(flight);

	/* Clear it before looking at pieces: a later completion claims the operation. */
	if (flight->status == DOCA_STATUS_START)
		__atomic_store_n(&op->back, false, __ATOMIC_SEQ_CST);
	else
		init(queue, flight);
	step(queue, op);
	if (!is_over(op)) {
		if (has_more(op) && relay_claim(op))
			doca_flight_complete(flight, DOCA_STATUS_START);
		return DOCA_STATUS_PENDING;
	}
	/* Claimed by another thread, it comes back once more. */
	return relay_claim(op) ? op->status : DOCA_STATUS_PENDING;
}

/* An operation that is claimed but still away is being completed. */
bool relay_recall(struct doca_flight *flight)
{
	struct relay_op *op = relay_op_of(flight);

	if (flight->state == DOCA_FLIGHT_AWAY && !relay_claim(op))
		return false;
	link_forget(op);
	return true;
}
