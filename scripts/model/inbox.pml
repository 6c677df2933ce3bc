/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Events and messages, a program that falls asleep, and a sender that waits for room: D, E, H, I.
 *
 * The sender writes into an inbox that is too small for all. Every message must be read as it was
 * written; no event is left behind by a program that waits, and no sender by a program that has
 * made room. Senders have a lock, so there is one; so has the call by which a program wakes it.
 */
#define H_USER 1 /* of programs */
#define H_KERNEL 2 /* kernel/inbox.c doca_inbox_write() */
#define D_USER 3 /* of programs */
#define D_KERNEL 4 /* dependent: kernel/inbox.c doca_inbox_look() */
#define E_USER 5 /* of programs */
#define E_KERNEL 6 /* kernel/inbox.c doca_inbox_notify() */
#define I_USER 7 /* of programs */
#define I_KERNEL 8 /* kernel/inbox.c doca_inbox_starve() */
/*
 * The same as others:
 * H_KERNEL: kernel/inbox.c doca_inbox_put()
 */

#define THREADS 2
#define PLACES 7

#define SIZE 2
#define ENTRIES 4

#define PHASE(i) ((i) % SIZE)
#define MESSAGE(i) (SIZE + (i) % SIZE)
#define EV_HEAD 4
#define NOTIFY_AT 5
#define STARVED 6

#define phase(i) ((i) / SIZE + 1)

#include "memory.pml"

bool ready; /* what epoll remembers, under its lock */
bool called; /* by ENTER, under the lock of the inbox */

inline look()
{
	acquire(D_KERNEL, EV_HEAD);
	use(EV_HEAD);
	head = value(EV_HEAD)
}

active proctype sender()
{
	byte me = 0, tail, head;

	do
	:: tail < ENTRIES && tail - head < SIZE ->
		store(MESSAGE(tail), tail + 1);
		release(H_KERNEL, PHASE(tail), phase(tail));
		tail++;
		fence(E_KERNEL);
		load(NOTIFY_AT);
		use(NOTIFY_AT);
		if
		:: value(NOTIFY_AT) == tail ->
			fence(KEPT);
			ready = true
		:: else
		fi
	:: tail < ENTRIES && tail - head == SIZE ->
		store(STARVED, 1);
		fence(I_KERNEL);
		look();
		do
		:: tail - head < SIZE -> break
		:: else ->
			called;
			called = false;
			look()
		od;
		store(STARVED, 0)
	:: tail == ENTRIES -> break
	od
}

active proctype user()
{
	byte me = 1, head, released;

	do
	:: released == ENTRIES -> break
	:: head < ENTRIES && head - released < SIZE ->
		acquire(H_USER, PHASE(head));
		load(MESSAGE(head));
		use(PHASE(head));
		if
		:: value(PHASE(head)) == phase(head) ->
			head++
		:: else -> use(MESSAGE(head))
		fi
	:: head != released ->
		release(D_USER, EV_HEAD, head);
		do
		:: released != head ->
			use(MESSAGE(released));
			assert(value(MESSAGE(released)) == released + 1);
			released++
		:: else -> break
		od;
		fence(I_USER);
		load(STARVED);
		use(STARVED);
		if
		:: value(STARVED) ->
			fence(KEPT);
			called = true
		:: else
		fi
	:: head < ENTRIES && released == head ->
		store(NOTIFY_AT, head + 1);
		fence(E_USER);
		load(PHASE(head));
		use(PHASE(head));
		if
		:: value(PHASE(head)) != phase(head) ->
			ready;
			ready = false
		:: else
		fi
	od
}
