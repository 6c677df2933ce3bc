// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The log since 5.10 (printk_ringbuffer). Descriptors have ids that only grow, and a place by their
 * id: those from the tail to the head are in use. Each names a block of text by two positions, which
 * only grow as well; a block that would cross the end of the ring begins at its start. The block
 * begins with the id of its descriptor.
 */
#include "kmsg.h"

enum {
	MAX_COUNT_BITS = 26,
	MAX_SIZE_BITS = 31,
	BATCH = 512,
	ID_BITS = 62,
};

/* States, above the id. */
enum { RESERVED, COMMITTED, FINALIZED, REUSABLE };

#define ID_MASK ((1ULL << ID_BITS) - 1)
#define DATALESS 1 /* in both positions: there is no block */
#define EMPTY 3 /* in both positions: it is an empty line */

struct ring {
	u64 descs, infos, data;
	u64 tail, nr;
	u32 count_bits, size_bits;
};

struct block {
	u64 va;
	u64 size; /* with the id; 0: there is none */
};

static u64 desc_at(struct view *v, const struct ring *r, u64 id)
{
	return r->descs + (id & ((1ULL << r->count_bits) - 1)) *
				  size_of_field(v, F_DESC_SIZE);
}

static u64 info_at(struct view *v, const struct ring *r, u64 id)
{
	return r->infos + (id & ((1ULL << r->count_bits) - 1)) *
				  size_of_field(v, F_INFO_SIZE);
}

static bool ring_get(struct call *c, struct ring *r)
{
	struct view *v = &c->view;
	u64 at = 0, head;

	view_read(v, NULL, kernel_symbol(v->kernel, S_prb), &at, sizeof(at));
	r->count_bits = (u32)view_field(v, at, F_PRB_COUNT_BITS);
	r->size_bits = (u32)view_field(v, at, F_PRB_SIZE_BITS);
	r->descs = view_field(v, at, F_PRB_DESCS);
	r->infos = view_field(v, at, F_PRB_INFOS);
	r->data = view_field(v, at, F_PRB_DATA);
	r->tail = view_field(v, at, F_PRB_TAIL) & ID_MASK;
	head = view_field(v, at, F_PRB_HEAD) & ID_MASK;
	r->nr = ((head - r->tail) & ID_MASK) + 1;
	if (r->descs && r->infos && r->data && r->count_bits &&
	    r->count_bits <= MAX_COUNT_BITS && r->size_bits &&
	    r->size_bits <= MAX_SIZE_BITS && r->nr <= 1ULL << r->count_bits)
		return true;
	call_without_root(c, "the log of the kernel is not");
	return false;
}

/* Return true if it has that id, and is written. */
static bool is_written(struct view *v, const struct ring *r, u64 id)
{
	u64 misses = v->misses, desc = desc_at(v, r, id);
	u64 word = view_field(v, desc, F_DESC_STATE);
	u64 behind = (id - (word & ID_MASK)) & ID_MASK;
	u64 count = 1ULL << r->count_bits;

	if (!behind)
		return word >> ID_BITS == COMMITTED ||
		       word >> ID_BITS == FINALIZED;
	/* it is being taken for a new record, or was meanwhile */
	if (behind != count && behind != (-count & ID_MASK) && !v->error)
		view_broken(v, misses, "a record of the log", desc);
	return false;
}

/* False if its positions are impossible. */
static bool block_of(struct view *v, const struct ring *r, u64 desc,
		     struct block *block)
{
	u64 begin = view_field(v, desc, F_DESC_BEGIN);
	u64 next = view_field(v, desc, F_DESC_NEXT);
	u64 size = 1ULL << r->size_bits;
	u64 turns = ((next - 1) >> r->size_bits) - (begin >> r->size_bits);

	*block = (struct block){ 0, 0 };
	if (begin & next & DATALESS)
		return true;
	if (next - begin > size || turns > 1)
		return false;
	*block = turns ? (struct block){ r->data, next & (size - 1) } :
			 (struct block){ r->data + (begin & (size - 1)),
					 next - begin };
	return block->size >= sizeof(u64);
}

static void want(struct view *v, const struct ring *r, u64 id, u32 nr)
{
	struct block block;
	u64 len;

	for (u32 i = 0; i < nr; i++) {
		view_want(v, NULL, desc_at(v, r, id + i),
			  size_of_field(v, F_DESC_SIZE));
		for (int f = F_INFO_SEQ; f <= F_INFO_LEVEL; f++)
			view_want_field(v, info_at(v, r, id + i),
					(enum field)f);
	}
	view_flush(v);
	for (u32 i = 0; i < nr; i++) {
		if (!is_written(v, r, (id + i) & ID_MASK) ||
		    !block_of(v, r, desc_at(v, r, id + i), &block))
			continue;
		/* a block can be longer than any text */
		len = sizeof(id) +
		      view_field(v, info_at(v, r, id + i), F_INFO_LEN);
		view_want(v, NULL, block.va,
			  len < block.size ? len : block.size);
	}
	view_flush(v);
}

/* Return true if the block has text of that record. */
static bool is_of(struct view *v, const struct block *block, u64 id)
{
	u64 its = 0;

	return view_read(v, NULL, block->va, &its, sizeof(its)) && its == id;
}

/* Return the address of its text, and cut its length to it; 0 if there is none. */
static u64 text_of(struct view *v, const struct ring *r, u64 id,
		   struct apsh_message *m)
{
	u64 misses = v->misses, desc = desc_at(v, r, id);
	struct block block;

	if (block_of(v, r, desc, &block)) {
		if (!block.size)
			return 0;
		if (is_of(v, &block, id)) {
			if (m->len > block.size - sizeof(id))
				m->len = (u32)(block.size - sizeof(id));
			return block.va + sizeof(id);
		}
	}
	m->absent = v->misses != misses;
	if (!v->error)
		view_broken(v, misses, "the text of a message", desc);
	return 0;
}

/* One whose descriptor is not all in the image is left out. */
static void add(struct call *c, const struct ring *r, u64 id)
{
	struct view *v = &c->view;
	u64 misses = v->misses, desc = desc_at(v, r, id), text;
	u64 info = info_at(v, r, id);
	struct apsh_message m = {
		.seq = view_field(v, info, F_INFO_SEQ),
		.ns = view_field(v, info, F_INFO_TIME),
		.facility = (u32)view_field(v, info, F_INFO_FACILITY),
		.level = (u32)view_field(v, info, F_INFO_LEVEL),
		.len = (u32)view_field(v, info, F_INFO_LEN),
	};
	bool empty = (view_field(v, desc, F_DESC_BEGIN) &
		      view_field(v, desc, F_DESC_NEXT) & EMPTY) == EMPTY;

	if (v->misses != misses)
		return;
	text = text_of(v, r, id, &m);
	m.lost = !text && !empty && !m.absent;
	message_add(c, &m, text, desc + offset_of_field(v, F_DESC_STATE), 8);
}

void messages_of_ring(struct call *c)
{
	struct view *v = &c->view;
	struct ring r;

	if (!ring_get(c, &r))
		return;
	for (u64 done = 0; done < r.nr && view_on_time(v); done += BATCH) {
		u32 nr = r.nr - done < BATCH ? (u32)(r.nr - done) : BATCH;

		want(v, &r, r.tail + done, nr);
		for (u32 i = 0; i < nr && !c->snap->no_memory; i++) {
			u64 id = (r.tail + done + i) & ID_MASK;

			if (is_written(v, &r, id))
				add(c, &r, id);
		}
		if (c->snap->no_memory)
			break;
	}
}
