/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Keys: K, M, and the grace period: L, Q.
 *
 * A leaf is added to the key table, a mapping published in it, and retired again
 * while an executor looks it up without a lock and writes to its page. It must find no leaf that
 * is not zeroed, no mapping that is not whole, and none that was freed: before that the
 * owner has taken the section of the executor and given it back once, or has asked the
 * executor, who is in it, and had an answer from between two lookups. It sleeps while there
 * is neither, and is woken when there may be.
 */
#define K_EXECUTOR 1 /* dependent: kernel/keys.h doca_keys_slot() */
#define K_OWNER 2 /* kernel/keys.c doca_keys_grow() */
#define M_EXECUTOR 3 /* dependent: kernel/keys.h doca_keys_find() */
#define M_OWNER 4 /* kernel/keys.c doca_keys_publish() */
#define Q_OWNER 5 /* kernel/file.c doca_file_ask() */
#define Q_EXECUTOR 6 /* kernel/file.c doca_run_answer() */
#define Q_ANSWER 7 /* kernel/file.c doca_run_answer() */
#define Q_ANSWERED 8 /* dependent: kernel/file.c doca_run_passed() */
#define L_OWNER 9 /* kernel/file.c doca_run_passes() */
#define L_EXECUTOR 10 /* kernel/file.c doca_run_tell() */
/*
 * The same as others:
 * M_EXECUTOR: kernel/endpoint.h doca_endpoint_attached()
 * M_OWNER: kernel/attach.c doca_endpoint_attach()
 */

#define THREADS 2
#define PLACES 8

#define LEAF 0
#define SLOT 1 /* in the leaf: first anything, then nothing, then a mapping */
#define BODY 2 /* of the mapping */
#define ASKED 3 /* for a grace period, the only one */
#define ANSWER 4
#define PAGE 5 /* that the mapping is of */
#define LOCKED 6 /* the run section */
#define AWAITED 7 /* by the owner */

#define NOTHING 1
#define MAPPING 2
#define WHOLE 1

#include "memory.pml"

bool woken; /* the owner */

/* The lock is read and written at once; what was given back before is pending. */
inline lock()
{
	atomic {
		pending[at(LOCKED)] == NONE && !mem[LOCKED];
		mem[LOCKED] = 1
	}
}

inline unlock()
{
	release(KEPT, LOCKED, 0)
}

/* Has the section passed? */
inline look()
{
	acquire(Q_ANSWERED, ANSWER);
	use(ANSWER);
	if
	:: value(ANSWER) -> passed = true
	:: else ->
		atomic {
			pending[at(LOCKED)] == NONE;
			if
			:: mem[LOCKED]
			:: else -> mem[LOCKED] = 1; passed = true
			fi
		};
		if
		:: passed -> unlock()
		:: else
		fi
	fi
}

active proctype owner()
{
	byte me = 0;
	bool passed = false;

	store(SLOT, NOTHING);
	release(K_OWNER, LEAF, 1);
	store(BODY, WHOLE);
	release(M_OWNER, SLOT, MAPPING);
	store(SLOT, NOTHING);
	release(Q_OWNER, ASKED, 1);
	look();
	if
	:: passed
	:: else ->
		store(AWAITED, 1);
		fence(L_OWNER);
		look();
		do
		:: passed -> break
		:: else ->
			atomic { woken; woken = false };
			look()
		od
	fi;
	store(BODY, 0);
	assert(pending[PLACES + PAGE] == NONE)
}

/* Wake the owner, if it waits for the section. */
inline tell()
{
	fence(L_EXECUTOR);
	load(AWAITED);
	use(AWAITED);
	if
	:: value(AWAITED) -> woken = true
	:: else
	fi
}

/* The answer goes out when the next lookup may have begun. */
active proctype executor()
{
	byte me = 1;

	lock();
	do
	:: acquire(Q_EXECUTOR, ASKED);
		acquire(K_EXECUTOR, LEAF);
		use(LEAF);
		if
		:: value(LEAF) -> acquire(M_EXECUTOR, SLOT)
		:: else
		fi;
		use(ASKED);
		if
		:: value(ASKED) ->
			release(Q_ANSWER, ANSWER, 1);
			tell()
		:: else
		fi;
		if
		:: value(LEAF) ->
			use(SLOT);
			assert(value(SLOT));
			if
			:: value(SLOT) == MAPPING ->
				load(BODY);
				use(BODY);
				assert(value(BODY) == WHOLE);
				store(PAGE, 1)
			:: else
			fi
		:: else
		fi
	:: unlock();
		tell();
		if
		:: lock()
		:: break
		fi
	od
}
