// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The entries of a connection: how they are made, and how they end. */
#include "shim/kernel.h"

#include <sys/socket.h>

#include "link_inner.h"
#include "remote_op.h"

#define LONG_SLOT (WIRE_SLOT_SIZE / 2)

static enum piece_class class_of(u32 tag)
{
	if (tag < WIRE_SLOTS)
		return PIECE_SLOT;
	return tag < WIRE_SLOTS + WIRE_VALUES ? PIECE_VALUE : PIECE_WAIT;
}

void link_init_pieces(struct link *link)
{
	struct piece *piece;
	u32 i;

	for (i = 0; i < PIECE_CLASSES; i++) {
		INIT_LIST_HEAD(&link->free[i]);
		INIT_LIST_HEAD(&link->starving[i]);
	}
	for (i = 0; i < WIRE_TAGS; i++) {
		piece = &link->pieces[i];
		piece->link = link;
		piece->tag = i;
		piece->name = i;
		list_add_tail(&piece->node, &link->free[class_of(i)]);
	}
}

void link_init_ring(struct link *link, const struct doca_queue_create *arg)
{
	struct ring *ring = &link->ring;
	char *user = link->areas[WIRE_USER];
	const char *kernel = link->areas[WIRE_KERNEL];
	u32 i;

	*ring = (struct ring){
		.user = (void *)user,
		.kernel = (const void *)kernel,
		.sqes = (void *)(user + arg->out_sq_off),
		.segs = (void *)(user + arg->out_seg_off),
		.cqes = (const void *)(kernel + arg->out_cq_off),
	};
	ring_init(ring, arg->sq_entries, arg->cq_entries);
	for (i = 0; i < WIRE_SLOTS; i++)
		link->pieces[i].slot =
			(char *)link->areas[WIRE_DATA] + i * WIRE_SLOT_SIZE;
}

/* The queue has one more piece or starving operation on the link. */
static void tie(struct remote_space *space, struct link *link)
{
	if (space->ties[link->index]++)
		return;
	space->links[link->index] = link;
	space->tied |= BIT_ULL(link->index);
}

/* Undo a tie, and put its reference to the link. */
static void untie(struct remote_space *space, struct link *link)
{
	if (!--space->ties[link->index])
		space->tied &= ~BIT_ULL(link->index);
	link_put(link);
}

/* Call it with the lock held. */
static void claim(struct relay_op *op, struct list_head *claimed)
{
	if (relay_claim(op))
		list_add_tail(&op->claimed, claimed);
}

/* Call it without the lock. */
static void complete_claimed(struct list_head *claimed)
{
	struct relay_op *op, *next;

	list_for_each_entry_safe(op, next, claimed, claimed)
		doca_flight_complete(op->flight, DOCA_STATUS_START);
}

/*
 * Call the first operation that starves, if there is a piece for it. Call this
 * with the lock held.
 */
static void call_starving(struct link *link, enum piece_class class,
			  struct list_head *claimed)
{
	struct list_head *starving = &link->starving[class];
	struct relay_op *op;

	if (list_empty(&link->free[class]) || list_empty(starving))
		return;
	op = list_first_entry(starving, struct relay_op, starving);
	list_del_init(&op->starving);
	claim(op, claimed);
}

/* Free a piece that is in no list. Call it with the lock held. */
static void piece_free(struct piece *piece, struct list_head *claimed)
{
	enum piece_class class = class_of(piece->tag);

	piece->state = PIECE_FREE;
	piece->op = NULL;
	list_add(&piece->node, &piece->link->free[class]);
	call_starving(piece->link, class, claimed);
}

void link_kill(struct link *link)
{
	WRITE_ONCE(link->dead, true);
	shutdown(link->watch.fd, SHUT_RDWR);
	pthread_cond_broadcast(&link->changed);
}

void link_fail(struct link *link)
{
	struct relay_op *op, *next;
	LIST_HEAD(claimed);
	u32 i;

	pthread_mutex_lock(&link->lock);
	for (i = 0; i < WIRE_TAGS; i++) {
		struct piece *piece = &link->pieces[i];

		if (piece->state != PIECE_SENT)
			continue;
		piece->status = DOCA_STATUS_BAD_KEY;
		smp_store_release(&piece->state, PIECE_DONE);
		claim(piece->op, &claimed);
	}
	for (i = 0; i < PIECE_CLASSES; i++) {
		list_for_each_entry_safe(op, next, &link->starving[i],
					 starving) {
			list_del_init(&op->starving);
			claim(op, &claimed);
		}
	}
	pthread_mutex_unlock(&link->lock);
	complete_claimed(&claimed);
}

/*
 * Take a free piece; call it with the lock held. Operations that starve are called in
 * order. The slot freed last is still in memory; but if a lot is written to it, the other
 * CPU still has it in its cache, and filling it takes longer than an older one.
 */
static struct piece *take_free(struct link *link, enum piece_class class,
			       const struct relay_op *op, u32 length)
{
	struct list_head *free = &link->free[class];

	if (link->dead || list_empty(free) ||
	    (op->turn != link && !list_empty(&link->starving[class])))
		return NULL;
	return list_entry(length > LONG_SLOT ? free->prev : free->next,
			  struct piece, node);
}

struct piece *link_take(struct link *link, enum piece_class class,
			struct relay_op *op, u32 length)
{
	struct piece *piece;

	pthread_mutex_lock(&link->lock);
	piece = take_free(link, class, op, length);
	if (piece) {
		list_del(&piece->node);
		piece->state = PIECE_SENT;
		piece->name += WIRE_TAGS;
		piece->op = op;
		piece->read = false;
	} else if (class != PIECE_WAIT && !link->dead) {
		op->starved_class = class;
		op->starved = link;
		list_add_tail(&op->starving, &link->starving[class]);
		/* Ask for a call here: if all pieces are lost, nobody else has. */
		op->space->unflushed |= BIT_ULL(link->index);
	}
	if (piece || op->starved) {
		kref_get(&link->ref);
		tie(op->space, link);
	}
	pthread_mutex_unlock(&link->lock);
	if (piece)
		list_add_tail(&piece->node, &op->pieces);
	return piece;
}

bool link_begin_turn(struct relay_op *op, bool always)
{
	struct link *link = op->starved;
	bool called;

	pthread_mutex_lock(&link->lock);
	called = always || list_empty(&op->starving);
	if (called) {
		list_del_init(&op->starving);
		op->starved = NULL;
		op->turn = link;
	}
	pthread_mutex_unlock(&link->lock);
	return called;
}

void link_end_turn(struct relay_op *op)
{
	struct link *link = op->turn;
	LIST_HEAD(claimed);

	op->turn = NULL;
	pthread_mutex_lock(&link->lock);
	call_starving(link, op->starved_class, &claimed);
	pthread_mutex_unlock(&link->lock);
	complete_claimed(&claimed);
	untie(op->space, link);
}

void link_put_entry(struct piece *piece, const struct doca_sqe *sqe)
{
	struct link *link = piece->link;
	struct doca_sqe *entry;

	pthread_mutex_lock(&link->lock);
	entry = ring_get_sqe(&link->ring);
	entry->opcode = sqe->opcode;
	entry->user_data = piece->name;
	entry->src = sqe->src;
	entry->dst = sqe->dst;
	entry->op[0] = sqe->op[0];
	entry->op[1] = sqe->op[1];
	pthread_mutex_unlock(&link->lock);
	piece->op->space->unflushed |= BIT_ULL(link->index);
}

struct doca_seg link_slot(const struct piece *piece, u32 length)
{
	return (struct doca_seg){
		.key = piece->link->data_key,
		.length = length,
		.address = piece->link->data_addr +
			   (u64)piece->tag * WIRE_SLOT_SIZE,
	};
}

static int send_msg(struct link *link, const struct wire_msg *msg)
{
	return wire_send(link->watch.fd, msg, NULL, 0);
}

void link_say(struct link *link, const struct wire_msg *msg)
{
	struct link_note *note;

	if (link->dead ||
	    (list_empty(&link->unsent) && send_msg(link, msg) != -EAGAIN))
		return;
	note = malloc(sizeof(*note));
	if (!note) {
		/* The other side would miss a message. */
		link_kill(link);
		return;
	}
	note->msg = *msg;
	list_add_tail(&note->node, &link->unsent);
	peers_watch_room(&link->watch, true);
}

void link_say_rest(struct link *link)
{
	struct link_note *note, *next;

	if (list_empty(&link->unsent))
		return;
	list_for_each_entry_safe(note, next, &link->unsent, node) {
		if (send_msg(link, &note->msg) == -EAGAIN)
			return;
		list_del(&note->node);
		free(note);
	}
	peers_watch_room(&link->watch, false);
}

static void link_ring(struct link *link)
{
	static const struct wire_msg msg = { .type = WIRE_BELL };

	/* If there is no room, other messages will wake it. */
	wire_send(link->watch.fd, &msg, NULL, 0);
}

void link_flush(struct link *link)
{
	bool call;

	pthread_mutex_lock(&link->lock);
	call = link->ring.unannounced && ring_submit(&link->ring);
	pthread_mutex_unlock(&link->lock);
	if (call)
		link_ring(link);
}

/* Translate the other side's error into one of ours. */
static u32 status_of(u32 status)
{
	switch (status) {
	case DOCA_STATUS_SUCCESS:
	case DOCA_STATUS_BAD_RANGE:
	case DOCA_STATUS_BAD_ACCESS:
	case DOCA_STATUS_BAD_LENGTH:
	case DOCA_STATUS_BAD_ALIGN:
	case DOCA_STATUS_BAD_WAIT:
	case DOCA_STATUS_BAD_MEMORY:
		return status;
	default:
		return DOCA_STATUS_BAD_KEY;
	}
}

/* Call it with the lock held. */
static void link_complete(struct link *link, const struct doca_cqe *cqe,
			  struct list_head *claimed)
{
	struct piece *piece = &link->pieces[cqe->user_data % WIRE_TAGS];

	if (piece->state == PIECE_LOST) {
		piece_free(piece, claimed);
		return;
	}
	piece->status = status_of(cqe->status);
	piece->length = cqe->length;
	piece->result[0] = cqe->result[0];
	piece->result[1] = cqe->result[1];
	smp_store_release(&piece->state, PIECE_DONE);
	claim(piece->op, claimed);
}

/* Return true if it belongs to an entry in flight. Any other completion is not trusted. */
static bool cqe_is_good(const struct link *link, const struct doca_cqe *cqe)
{
	const struct piece *piece = &link->pieces[cqe->user_data % WIRE_TAGS];

	return cqe->user_data == piece->name &&
	       (piece->state == PIECE_SENT || piece->state == PIECE_LOST);
}

/* Return true if a queue sleeps until there is an answer. */
static bool link_has_sleepers(const struct link *link)
{
	const struct relay_op *op;
	u32 i;

	for (i = 0; i < WIRE_TAGS; i++) {
		op = link->pieces[i].op;
		if (op && READ_ONCE(op->space->asleep))
			return true;
	}
	/* Operations that starve may have no piece yet. */
	return !list_empty(&link->starving[PIECE_SLOT]) ||
	       !list_empty(&link->starving[PIECE_VALUE]);
}

/*
 * Return the next completion, or NULL; call it with the lock held. A request for a call
 * holds once: make another one before the last look.
 */
static const struct doca_cqe *link_next(struct link *link)
{
	const struct doca_cqe *cqe = ring_peek(&link->ring);

	if (cqe || !link->armed || link->armed_at == link->ring.cq_head)
		return cqe;
	link->armed = link_has_sleepers(link);
	if (!link->armed)
		return NULL;
	link->armed_at = link->ring.cq_head;
	return ring_arm(&link->ring) ? ring_peek(&link->ring) : NULL;
}

void link_reap(struct link *link)
{
	const struct doca_cqe *shared;
	LIST_HEAD(claimed);
	u32 n;

	pthread_mutex_lock(&link->lock);
	for (n = 0; n < WIRE_TAGS && !link->dead; n++) {
		struct doca_cqe cqe;

		shared = link_next(link);
		if (!shared)
			break;
		cqe = *(const volatile struct doca_cqe *)shared;
		ring_release(&link->ring);
		if (cqe_is_good(link, &cqe))
			link_complete(link, &cqe, &claimed);
		else
			link_kill(link);
	}
	pthread_mutex_unlock(&link->lock);
	complete_claimed(&claimed);
}

void link_settle(struct link *link)
{
	LIST_HEAD(claimed);
	u32 i;

	WRITE_ONCE(link->stirred, false);
	link_reap(link);
	pthread_mutex_lock(&link->lock);
	for (i = 0; i < PIECE_CLASSES; i++)
		call_starving(link, i, &claimed);
	pthread_mutex_unlock(&link->lock);
	complete_claimed(&claimed);
}

void link_give(struct piece *piece)
{
	struct remote_space *space = piece->op->space;
	struct link *link = piece->link;
	LIST_HEAD(claimed);

	list_del(&piece->node);
	pthread_mutex_lock(&link->lock);
	piece_free(piece, &claimed);
	pthread_mutex_unlock(&link->lock);
	complete_claimed(&claimed);
	untie(space, link);
}

/* Free it now, or when it is back. Call it with the lock held. */
static void link_lose(struct link *link, struct piece *piece)
{
	struct wire_msg msg = { .type = WIRE_CANCEL, .name = piece->name };

	piece->op = NULL;
	if (piece->state != PIECE_SENT) {
		piece->state = PIECE_FREE;
		list_add(&piece->node, &link->free[class_of(piece->tag)]);
		return;
	}
	piece->state = PIECE_LOST;
	if (class_of(piece->tag) == PIECE_WAIT)
		link_say(link, &msg);
}

void link_forget(struct relay_op *op)
{
	struct piece *piece, *next;
	struct link *link;

	/* Pieces that it leaves may be for others that starve. */
	if (op->starved) {
		link_begin_turn(op, true);
		link_stir(op->turn);
		untie(op->space, op->turn);
	}
	list_for_each_entry_safe(piece, next, &op->pieces, node) {
		link = piece->link;
		list_del(&piece->node);
		pthread_mutex_lock(&link->lock);
		link_lose(link, piece);
		pthread_mutex_unlock(&link->lock);
		link_stir(link);
		untie(op->space, link);
	}
}

bool link_arm(struct link *link)
{
	bool there;

	pthread_mutex_lock(&link->lock);
	link->armed = true;
	link->armed_at = link->ring.cq_head;
	there = ring_arm(&link->ring) && !link->dead;
	pthread_mutex_unlock(&link->lock);
	return there;
}
