/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Completions, a program that falls asleep, and the state of the queue: C, D, E, G.
 *
 * The kernel publishes completions one by one or two at once, into a ring that is too
 * small for all, and then breaks the queue. Every completion must be read as it was
 * written, none is left behind by a program that waits, and none was published
 * before the break that the program does not see behind it.
 */
#define C_USER 1 /* lib/core/driver/ring.h ring_has() */
#define C_KERNEL 2 /* kernel/ring.h doca_ring_publish() */
#define D_USER 3 /* lib/core/driver/ring.h ring_release() */
#define D_KERNEL 4 /* dependent: kernel/ring.h doca_ring_cq_used() */
#define E_USER 5 /* lib/core/driver/ring.h ring_arm() */
#define E_KERNEL 6 /* kernel/ring.h doca_ring_notify() */
#define G_USER 7 /* lib/core/driver/ring.h ring_state() */
#define G_KERNEL 8 /* kernel/queue.c doca_queue_raise_state() */

#define THREADS 2
#define PLACES 7

#define SIZE 2
#define ENTRIES 4

#define PHASE(i) ((i) % SIZE)
#define ENTRY(i) (SIZE + (i) % SIZE)
#define CQ_HEAD 4
#define NOTIFY_AT 5
#define STATE 6

#define phase(i) ((i) / SIZE + 1)

#include "memory.pml"

bool ready; /* what epoll remembers, under its lock */

/* The next holder of the lock sees what was stored before. */
inline wake_up()
{
	fence(KEPT);
	ready = true
}

active proctype kernel()
{
	byte me = 0, tail, published, notified, head;

	do
	:: tail < ENTRIES && tail - head < SIZE ->
		store(ENTRY(tail), tail + 1);
		if
		:: tail != published -> store(PHASE(tail), phase(tail))
		:: else
		fi;
		tail++
	:: tail != published ->
		release(C_KERNEL, PHASE(published), phase(published));
		published = tail
	:: published != notified ->
		fence(E_KERNEL);
		load(NOTIFY_AT);
		use(NOTIFY_AT);
		if
		:: value(NOTIFY_AT) > notified &&
		   value(NOTIFY_AT) <= published -> wake_up()
		:: else
		fi;
		notified = published
	:: notified == tail && tail - head == SIZE ->
		/* The looks that find nothing are left out. */
		mem[CQ_HEAD] > head;
		acquire(D_KERNEL, CQ_HEAD);
		use(CQ_HEAD);
		head = value(CQ_HEAD)
	:: published == ENTRIES -> break
	od;
	release(G_KERNEL, STATE, 1);
	wake_up()
}

active proctype user()
{
	byte me = 1, head;

	do
	:: acquire(C_USER, PHASE(head));
		load(ENTRY(head));
		use(PHASE(head));
		if
		:: value(PHASE(head)) == phase(head) ->
			release(D_USER, CQ_HEAD, head + 1);
			use(ENTRY(head));
			assert(value(ENTRY(head)) == head + 1);
			head++
		:: else
		fi
	:: acquire(G_USER, STATE);
		load(PHASE(head));
		use(STATE);
		use(PHASE(head));
		if
		:: value(STATE) && value(PHASE(head)) != phase(head) -> break
		:: else
		fi
	:: store(NOTIFY_AT, head + 1);
		fence(E_USER);
		load(PHASE(head));
		load(STATE);
		use(PHASE(head));
		use(STATE);
		if
		:: value(PHASE(head)) != phase(head) && !value(STATE) ->
			ready;
			ready = false
		:: else
		fi
	od;
	assert(head == ENTRIES)
}
