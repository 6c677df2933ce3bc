/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Keys: K, M, and the grace period.
 *
 * A leaf is added to the key table, a mapping published in it, and retired again
 * while an executor looks it up without a lock. The executor must find no leaf that
 * is not zeroed, no mapping that is not whole, and none that was freed: the owner has
 * taken the section of the executor and given it back once before that.
 */
#define K_EXECUTOR 1 /* dependent: kernel/keys.h doca_keys_slot() */
#define K_OWNER 2 /* kernel/keys.c doca_keys_grow() */
#define M_EXECUTOR 3 /* dependent: kernel/keys.h doca_keys_find() */
#define M_OWNER 4 /* kernel/keys.c doca_keys_publish() */

#define THREADS 2
#define PLACES 4

#define LEAF 0
#define SLOT 1 /* in the leaf: first anything, then nothing, then a mapping */
#define BODY 2 /* of the mapping */

#define NOTHING 1
#define MAPPING 2
#define WHOLE 1

#include "memory.pml"

bool locked; /* the run section */

inline lock()
{
	atomic { !locked; locked = true }
}

inline unlock()
{
	fence(KEPT);
	locked = false
}

active proctype owner()
{
	byte me = 0;

	store(SLOT, NOTHING);
	release(K_OWNER, LEAF, 1);
	store(BODY, WHOLE);
	release(M_OWNER, SLOT, MAPPING);
	store(SLOT, NOTHING);
	lock();
	unlock();
	store(BODY, 0)
}

active proctype executor()
{
	byte me = 1;

end:
	do
	:: lock();
		acquire(K_EXECUTOR, LEAF);
		use(LEAF);
		if
		:: value(LEAF) ->
			acquire(M_EXECUTOR, SLOT);
			use(SLOT);
			assert(value(SLOT));
			if
			:: value(SLOT) == MAPPING ->
				load(BODY);
				use(BODY);
				assert(value(BODY) == WHOLE)
			:: else
			fi
		:: else
		fi;
		unlock()
	od
}
