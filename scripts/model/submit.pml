/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Submissions, and a worker that falls asleep: A, B, F.
 *
 * The program announces entries one by one or two at once, into a ring that is too
 * small for all. Every entry must be read as it was written, and none is left behind
 * by a worker that sleeps. For the library C takes the place of F: it writes an entry
 * over one that was completed.
 */
#define A_USER 1 /* lib/core/driver/ring.h ring_announce_first() */
#define A_KERNEL 2 /* kernel/ring.h doca_ring_sq_ready() */
#define B_USER 3 /* lib/core/driver/ring.h ring_announce_first() */
#define B_KERNEL 4 /* kernel/worker.c doca_worker_sleep() */
#define F_USER 5 /* dependent: of programs without the library */
#define F_KERNEL 6 /* kernel/ring.h doca_ring_publish() */

#define THREADS 2
#define PLACES 7

#define SIZE 2
#define ENTRIES 4

#define PHASE(i) ((i) % SIZE)
#define ENTRY(i) (SIZE + (i) % SIZE)
#define SQ_HEAD 4
#define NEED_WAKEUP 5
#define TASK 6

#define phase(i) ((i) / SIZE + 1)

#include "memory.pml"

active proctype user()
{
	byte me = 0, tail, published, head;

	do
	:: tail < ENTRIES && tail - head < SIZE ->
		store(ENTRY(tail), tail + 1);
		if
		:: tail != published -> store(PHASE(tail), phase(tail))
		:: else
		fi;
		tail++
	:: tail != published ->
		release(A_USER, PHASE(published), phase(published));
		published = tail;
		fence(B_USER);
		load(NEED_WAKEUP);
		use(NEED_WAKEUP);
		if
		:: value(NEED_WAKEUP) -> wake(KEPT, TASK)
		:: else
		fi
	:: tail == published && tail - head == SIZE ->
		/* The looks that find nothing are left out. */
		mem[SQ_HEAD] > head;
		acquire(F_USER, SQ_HEAD);
		use(SQ_HEAD);
		head = value(SQ_HEAD)
	:: published == ENTRIES -> break
	od;
	mem[SQ_HEAD] == ENTRIES
}

active proctype worker()
{
	byte me = 1, head;

	do
	:: acquire(A_KERNEL, PHASE(head));
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
	:: store(NEED_WAKEUP, 1);
		store(TASK, IDLE);
		fence(B_KERNEL);
		load(PHASE(head));
		use(PHASE(head));
		if
		:: value(PHASE(head)) == phase(head) -> store(TASK, RUNNING)
		:: else ->
			use(TASK);
end_asleep:
			mem[TASK] == RUNNING
		fi;
		store(NEED_WAKEUP, 0)
	od
}
