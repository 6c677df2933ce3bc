/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Memory that is ordered by barriers and dependencies alone.
 *
 * Loads and stores that a thread has begun are pending, and are done one by one, in
 * any order: only those of one thread at one place keep theirs. Once done they are
 * seen by all. So all of W-W, W-R, R-R and R-W are reordered, as arm64 may; x86 does
 * less. Threads go on while what they began is pending, also along branches that
 * depend on a load (which is how speculation is written down here: the load behind
 * the branch comes before it); use() is where a value is needed.
 *
 * Before this is included: THREADS, PLACES, and WITHOUT, the barrier that is left out,
 * or 0. A thread has a variable, me, its number.
 */
#define KEPT 255 /* a barrier that is never left out */

#define NONE 0
#define LOAD 1
#define STORE 2

byte mem[PLACES];
byte pending[THREADS * PLACES];
byte val[THREADS * PLACES]; /* to be stored, or loaded */
byte nr_pending[THREADS];

#define at(place) (me * PLACES + (place))
#define value(place) val[at(place)]

inline load(place)
{
	atomic {
		pending[at(place)] == NONE;
		pending[at(place)] = LOAD;
		nr_pending[me]++
	}
}

inline store(place, new)
{
	atomic {
		pending[at(place)] == NONE;
		val[at(place)] = new;
		pending[at(place)] = STORE;
		nr_pending[me]++
	}
}

/* Until a load is done. */
inline use(place)
{
	pending[at(place)] == NONE
}

inline fence(barrier)
{
	WITHOUT == barrier || nr_pending[me] == 0
}

inline release(barrier, place, new)
{
	fence(barrier);
	store(place, new)
}

inline acquire(barrier, place)
{
	load(place);
	WITHOUT == barrier || pending[at(place)] == NONE
}

active [THREADS * PLACES] proctype memory()
{
end:
	do
	:: d_step {
		pending[_pid] == LOAD ->
		val[_pid] = mem[_pid % PLACES];
		pending[_pid] = NONE;
		nr_pending[_pid / PLACES]--
	}
	:: d_step {
		pending[_pid] == STORE ->
		mem[_pid % PLACES] = val[_pid];
		val[_pid] = 0;
		pending[_pid] = NONE;
		nr_pending[_pid / PLACES]--
	}
	od
}

/*
 * A task that sleeps: the waker changes its state under a lock, and reads it behind a
 * full barrier of wake_up_process().
 */
#define RUNNING 0
#define IDLE 1

inline wake(barrier, state)
{
	fence(barrier);
	atomic {
		if
		:: mem[state] == IDLE -> mem[state] = RUNNING
		:: else
		fi
	}
}
