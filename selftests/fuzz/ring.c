// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Steps on the content of a queue's mappings: entries, segments, phases, indices. */
#include <string.h>

#include "calls.h"
#include "language.h"
#include "sides.h"

#define store(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

/* The driver has granted these sizes: it refuses wild ones. */
static struct doca_sqe *entry_at(const struct ring *ring, uint32_t index)
{
	uint32_t mask = ring->geo.sq_entries - 1;

	return (struct doca_sqe *)(ring->user + ring->geo.out_sq_off) + (index & mask);
}

static uint16_t phase_of(uint32_t index, uint32_t entries)
{
	return DOCA_RING_PHASE(index, __builtin_ctz(entries));
}

/* Take a key, a length and an address; or, for a list, a number of segments and a position. */
static struct doca_seg take_segment(const uint8_t *a, bool list)
{
	if (list)
		return (struct doca_seg){ .length = take_number(a[1]),
					  .address = take_number(a[2]),
					  .key = a[0] < 0xf0 ? 0 : a[0] };
	return (struct doca_seg){
		.key = take_recent(&self.keys, a[0]),
		.length = take_length(a[1]),
		.address = (uintptr_t)take_address(&a[2]),
	};
}

static void *memory_none(struct doca_seg *seg)
{
	return memset(seg, 0, sizeof(*seg));
}

/* Leave 0 what an operation does not take, unless the step is wild. */
static void spare_sides(struct doca_sqe *sqe, bool wild)
{
	struct op_sides sides = op_sides_of(sqe->opcode);
	unsigned int i;

	if (wild)
		return;
	if (!sides.reads)
		memory_none(&sqe->src);
	if (!sides.writes)
		memory_none(&sqe->dst);
	for (i = sides.words; i < 2; i++)
		sqe->op[i] = 0;
}

/* Most entries are copies. */
static uint16_t take_opcode(uint8_t byte)
{
	if (byte < 0x40)
		return op_sides[(DOCA_OP_MEMCPY + byte) % NR_OPS].opcode;
	if (byte < 0xe0)
		return DOCA_OP_MEMCPY;
	return take_number(byte);
}

/* The entry may be read meanwhile. */
void add_entry(struct ring *ring, const struct doca_sqe *sqe, bool unannounced)
{
	struct doca_sqe *to = entry_at(ring, ring->tail);

	memcpy(to, sqe, sizeof(*sqe));
	if (unannounced)
		return;
	store(&to->phase, phase_of(ring->tail, ring->geo.sq_entries));
	ring->tail++;
}

/* Write a whole entry, with or without its phase. */
void do_entry(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	uint8_t how = a[2];
	struct doca_sqe sqe = {
		.opcode = take_opcode(a[1]),
		.flags = how < 0xe0 ? how & 3 : take_number(how),
		.aux = how >= 0xf0 ? a[11] : 0,
		.user_data = ring->tail,
		.src = take_segment(&a[3], how & 1),
		.dst = take_segment(&a[7], how & 2),
		.op = { take_number(a[11]), a[12] ? take_number(a[12]) : UINT64_MAX },
	};

	if (how < 0xe0)
		form_hash(&sqe, a[12]);
	spare_sides(&sqe, a[13] & 0x80);
	add_entry(ring, &sqe, a[13] & 0x40);
}

void do_segment(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	struct doca_seg *table = (struct doca_seg *)(ring->user + ring->geo.out_seg_off);

	if (ring->geo.nr_segments)
		table[a[1] % ring->geo.nr_segments] = take_segment(&a[2], false);
}

/* Set the phase of any entry: now, one phase ago, to a phase, never. */
void do_phase(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	uint32_t n = ring->geo.sq_entries;
	uint32_t index = ring->tail + a[1] % 16 - 8;

	if (a[2] < 0x80)
		store(&entry_at(ring, index)->phase,
		      phase_of(index + n * (a[2] % 3) - n, n));
	else
		store(&entry_at(ring, index)->phase,
		      (uint16_t)take_number(a[2]));
}

void do_index(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	struct doca_ring_user *user = (struct doca_ring_user *)ring->user;
	uint32_t value = a[2] < 0x80 ? ring->head + a[2] % 16 - 8 : take_number(a[2]);

	if (a[1] & 1)
		store(&user->notify_at, value);
	else
		store(&user->cq_head, value);
}

void do_reap(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	const struct doca_cqe *cq = (void *)(ring->kernel + ring->geo.out_cq_off);
	uint32_t mask = ring->geo.cq_entries - 1, n = ring->geo.cq_entries;

	while (n-- && __atomic_load_n(&cq[ring->head & mask].phase,
				      __ATOMIC_ACQUIRE) ==
			      phase_of(ring->head, ring->geo.cq_entries))
		ring->head++;
	if (!(a[1] & 1))
		store(&((struct doca_ring_user *)ring->user)->cq_head, ring->head);
}

/* Write anything anywhere in the area that user space writes. */
void do_scribble(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	uint32_t state = a[1] << 8 | a[2] | 1 << 16, n = a[3] ? a[3] * 4 : 64;
	uint32_t words = ring->geo.out_user_size / sizeof(uint32_t);
	uint32_t *area = (uint32_t *)ring->user;

	while (n--) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		__atomic_store_n(&area[state % words],
				 (uint32_t)(state & 1 << 20 ?
						    take_number(state >> 24) :
						    take_recent(&self.keys, state >> 28)),
				 __ATOMIC_RELAXED);
	}
}
