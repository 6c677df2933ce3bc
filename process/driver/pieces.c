// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The entries of a connection: where they come from, and what becomes of them. */
#include "shim/kernel.h"

#include <sys/socket.h>

#include "link_inner.h"
#include "remote_op.h"

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

	for (i = 0; i < PIECE_CLASSES; i++)
		INIT_LIST_HEAD(&link->free[i]);
	INIT_LIST_HEAD(&link->starving);
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

bool link_is_dead(const struct link *link)
{
	return READ_ONCE(link->dead);
}

/* With the lock; of one that is in no list. */
static void piece_free(struct piece *piece)
{
	piece->state = PIECE_FREE;
	piece->op = NULL;
	list_add(&piece->node, &piece->link->free[class_of(piece->tag)]);
}

/* With the lock. True if the service thread has something to do. */
static bool kick_starving(struct link *link, bool always)
{
	struct relay_op *op;
	bool woken = false;

	list_for_each_entry(op, &link->starving, starving)
		woken |= relay_kick(op, always);
	return woken;
}

void link_kill(struct link *link)
{
	u32 i;

	WRITE_ONCE(link->dead, true);
	shutdown(link->watch.fd, SHUT_RDWR);
	pthread_cond_broadcast(&link->changed);
	for (i = 0; i < WIRE_TAGS; i++)
		if (link->pieces[i].op)
			relay_kick(link->pieces[i].op, true);
	kick_starving(link, true);
}

struct piece *link_take(struct link *link, enum piece_class class,
			struct relay_op *op)
{
	struct piece *piece;

	pthread_mutex_lock(&link->lock);
	piece = list_first_entry_or_null(&link->free[class], struct piece,
					 node);
	if (piece) {
		list_del(&piece->node);
		piece->state = PIECE_SENT;
		piece->name += WIRE_TAGS;
		piece->op = op;
		piece->read = false;
		kref_get(&link->ref);
	} else if (!op->starved && class != PIECE_WAIT && !link->dead) {
		op->starved_class = class;
		op->starved = link;
		kref_get(&link->ref);
		list_add_tail(&op->starving, &link->starving);
	}
	pthread_mutex_unlock(&link->lock);
	return piece;
}

void link_forget(struct link *link, struct relay_op *op)
{
	pthread_mutex_lock(&link->lock);
	list_del(&op->starving);
	op->starved = NULL;
	pthread_mutex_unlock(&link->lock);
	link_put(link);
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
		/* What it has said would not be true any more. */
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

	/* Where there is no room for it there is something to wake it already. */
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

/* What fails there fails here, in words that are ours. */
static u32 status_of(u32 status)
{
	switch (status) {
	case DOCA_STATUS_SUCCESS:
	case DOCA_STATUS_BAD_RANGE:
	case DOCA_STATUS_BAD_ACCESS:
	case DOCA_STATUS_BAD_ALIGN:
	case DOCA_STATUS_BAD_WAIT:
	case DOCA_STATUS_BAD_MEMORY:
		return status;
	default:
		return DOCA_STATUS_BAD_KEY;
	}
}

/* With the lock. True if the service thread has something to do. */
static bool link_complete(struct link *link, const struct doca_cqe *cqe,
			  const struct relay_op *self)
{
	struct piece *piece = &link->pieces[cqe->user_data % WIRE_TAGS];
	struct relay_op *op = piece->op;

	if (piece->state == PIECE_LOST) {
		piece_free(piece);
		return kick_starving(link, false);
	}
	piece->status = status_of(cqe->status);
	piece->result = cqe->result[0];
	smp_store_release(&piece->state, PIECE_DONE);
	return op != self && relay_kick(op, false);
}

/* Does it belong to an entry in flight? Any other completion is not trusted. */
static bool cqe_is_good(const struct link *link, const struct doca_cqe *cqe)
{
	const struct piece *piece = &link->pieces[cqe->user_data % WIRE_TAGS];

	return cqe->user_data == piece->name &&
	       (piece->state == PIECE_SENT || piece->state == PIECE_LOST);
}

/* Does any operation sleep until there is an answer? */
static bool link_has_sleepers(const struct link *link)
{
	u32 i;

	for (i = 0; i < WIRE_TAGS; i++)
		if (link->pieces[i].op && READ_ONCE(link->pieces[i].op->asleep))
			return true;
	return !list_empty(&link->starving);
}

/*
 * With the lock: the next completion, or NULL. A call that was asked for comes once: before
 * the last look another is asked for.
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

void link_reap(struct link *link, const struct relay_op *self)
{
	const struct doca_cqe *shared;
	bool kicked = false;
	u32 n;

	pthread_mutex_lock(&link->lock);
	for (n = 0; n < WIRE_TAGS && !link->dead; n++) {
		struct doca_cqe cqe;

		shared = link_next(link);
		if (!shared)
			break;
		cqe = *(const volatile struct doca_cqe *)shared;
		ring_release(&link->ring);
		if (cqe_is_good(link, &cqe)) {
			kicked |= link_complete(link, &cqe, self);
			continue;
		}
		link_kill(link);
		kicked = true;
	}
	pthread_mutex_unlock(&link->lock);
	if (kicked)
		peers_poke();
}

void link_give(struct piece *piece)
{
	struct link *link = piece->link;
	bool kicked;

	pthread_mutex_lock(&link->lock);
	list_del(&piece->node);
	piece_free(piece);
	kicked = kick_starving(link, false);
	pthread_mutex_unlock(&link->lock);
	if (kicked)
		peers_poke();
	link_put(link);
}

void link_lose(struct piece *piece)
{
	struct wire_msg msg = { .type = WIRE_CANCEL, .name = piece->name };
	struct link *link = piece->link;
	bool kicked = false;

	pthread_mutex_lock(&link->lock);
	list_del(&piece->node);
	if (piece->state == PIECE_SENT) {
		piece->state = PIECE_LOST;
		piece->op = NULL;
		if (class_of(piece->tag) == PIECE_WAIT)
			link_say(link, &msg);
	} else {
		piece_free(piece);
		kicked = kick_starving(link, false);
	}
	pthread_mutex_unlock(&link->lock);
	if (kicked)
		peers_poke();
	link_put(link);
}

bool link_arm(struct link *link, const struct relay_op *op)
{
	bool there;

	pthread_mutex_lock(&link->lock);
	link->armed = true;
	link->armed_at = link->ring.cq_head;
	there = ring_arm(&link->ring);
	there |= link->dead;
	/* It was not told of pieces that became free before it slept. */
	there |= op->starved == link &&
		 !list_empty(&link->free[op->starved_class]);
	pthread_mutex_unlock(&link->lock);
	return there;
}
