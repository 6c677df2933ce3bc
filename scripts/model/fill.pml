/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Buffers that a consumer posts, and a producer that waits for one: A, F, J.
 *
 * The ring is too small for all of them. Every entry must be read as it was written, and no
 * producer is left behind by a consumer that has posted one. Producers have a lock, so there is
 * one; so has the call by which the consumer wakes it.
 */
#define A_USER 1 /* of programs */
#define A_KERNEL 2 /* kernel/ring.h doca_ring_sq_ready() */
#define F_USER 3 /* dependent: of programs */
#define F_KERNEL 4 /* kernel/consumer.c doca_consumer_get() */
#define J_USER 5 /* of programs */
#define J_KERNEL 6 /* kernel/consumer.c doca_consumer_has_entry() */

#define THREADS 2
#define PLACES 6

#define SIZE 2
#define ENTRIES 4

#define PHASE(i) ((i) % SIZE)
#define ENTRY(i) (SIZE + (i) % SIZE)
#define SQ_HEAD 4
#define NEED_WAKEUP 5

#define phase(i) ((i) / SIZE + 1)

#include "memory.pml"

bool called; /* by ENTER, under the lock of the consumer */

active proctype user()
{
	byte me = 0, tail, head;

	do
	:: tail < ENTRIES && tail - head < SIZE ->
		store(ENTRY(tail), tail + 1);
		release(A_USER, PHASE(tail), phase(tail));
		tail++;
		fence(J_USER);
		load(NEED_WAKEUP);
		use(NEED_WAKEUP);
		if
		:: value(NEED_WAKEUP) ->
			fence(KEPT);
			called = true
		:: else
		fi
	:: tail - head == SIZE ->
		/* The looks that find nothing are left out. */
		mem[SQ_HEAD] > head;
		acquire(F_USER, SQ_HEAD);
		use(SQ_HEAD);
		head = value(SQ_HEAD)
	:: tail == ENTRIES -> break
	od
}

active proctype producer()
{
	byte me = 1, head;

	do
	:: head == ENTRIES -> break
	:: head < ENTRIES ->
		acquire(A_KERNEL, PHASE(head));
		load(ENTRY(head));
		use(PHASE(head));
		if
		:: value(PHASE(head)) == phase(head) ->
			release(F_KERNEL, SQ_HEAD, head + 1);
			use(ENTRY(head));
			assert(value(ENTRY(head)) == head + 1);
			head++
		:: else
		fi
	:: head < ENTRIES ->
		store(NEED_WAKEUP, 1);
		fence(J_KERNEL);
		load(PHASE(head));
		use(PHASE(head));
		if
		:: value(PHASE(head)) != phase(head) ->
			called;
			called = false;
			store(NEED_WAKEUP, 0)
		:: else
		fi
	od
}
